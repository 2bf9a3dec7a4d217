import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { withProcesses } from "./support/process.ts";

// `tenon store` as a process.

const secretKey = "canary-secret-key-of-the-store-tests";

describe("tenon store backup", () => {
  it("copies what a service has stored while another process goes on changing it, and nothing over an earlier copy", () =>
    withProcesses(async ({ start, folder }) => {
      const dataDir = folder();
      const target = join(folder(), "copy");
      const store = openSqliteAccounts(dataDir);
      const keys = deriveKeys([secretKey]);
      const make = () => createCaller(store, keys, { kind: "key", name: "n", grant: fullGrant, expiresAt: null });
      await make();
      writeFileSync(join(dataDir, "api-key.json"), "{}", { mode: 0o600 });
      writeFileSync(join(dataDir, "secret-key"), secretKey, { mode: 0o600 });
      let going = true;
      const changing = (async () => {
        while (going) await make();
      })();
      const env = { TENON_DATA_DIR: dataDir, TENON_SECRET_KEY: secretKey };
      const copied = start(env, ["store", "backup", target]);
      expect([await copied.exit, copied.err()]).toEqual([
        0,
        `Not copied: ${join(dataDir, "secret-key")}, without which nobody can use the copied keys and credentials. Keep a copy of it elsewhere.\nUsed the data folder ${dataDir}.\n`,
      ]);
      going = false;
      await changing;
      expect(copied.log().map(({ file }) => file)).toEqual(["accounts.sqlite", "api-key.json"]);
      expect(statSync(join(target, "accounts.sqlite")).mode & 0o777).toBe(0o600);
      const copy = new Database(join(target, "accounts.sqlite"), { readonly: true });
      const { callers, secrets } = copy
        .prepare<[], { callers: number; secrets: number }>(
          "SELECT (SELECT count(*) FROM account_callers) AS callers, (SELECT count(*) FROM account_secrets) AS secrets",
        )
        .get() ?? { callers: 0, secrets: 0 };
      copy.close();
      expect(callers).toBeGreaterThan(0);
      expect(secrets).toBe(callers);
      await store.close();
      // A service on the copy knows the callers.
      const list = start({ ...env, TENON_DATA_DIR: target }, ["key", "list"]);
      expect(await list.exit).toBe(0);
      const again = start(env, ["store", "backup", target]);
      expect(await again.exit).toBe(78);
      expect(again.err()).toMatch(/accounts\.sqlite is there already; choose a folder without an earlier copy/);
      const none = start({ TENON_DATA_DIR: folder() }, ["store", "backup", join(target, "none")]);
      expect([await none.exit, existsSync(join(target, "none"))]).toEqual([78, false]);
    }));
});

describe("tenon store migrate", () => {
  it("says that files need no migration by a command", () =>
    withProcesses(async ({ start, folder }) => {
      const migrated = start({ TENON_DATA_DIR: folder() }, ["store", "migrate"]);
      expect([await migrated.exit, migrated.err()]).toEqual([78, expect.stringContaining("TENON_DATABASE_URL is not set")]);
    }));
});
