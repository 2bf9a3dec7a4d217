import { execFile } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../runtime/accounts/postgres/postgres-account-store.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { sql } from "../../runtime/sql/index.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { Records } from "../bench/search-records.ts";
import { findPrograms } from "../support/postgres/cluster.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import type { TestDatabase } from "../support/postgres/test-database.ts";
import { plansOf } from "./support/cache.ts";
import { withProcesses } from "./support/process.ts";

// `tenon store copy` as a process, between a folder and a real PostgreSQL server.

const run = promisify(execFile);
const programs = findPrograms();
const keys = deriveKeys(["canary-secret-key-of-the-copy-tests-00"]);
const instance = {
  ...{ id: "i", connector: "c", workspace: "w", organization: null, rest: null, graphql: null, variables: { a: "b" } },
  ...{ credential: "sealed", scopes: ["a=b"], minutes: 5, createdAt: 1, version: 1 },
};
const entry = { at: 5, caller: "a", action: "x", target: null, outcome: "done", times: 1, requestId: null, intent: "why" };

async function tablesOf(place: TestDatabase): Promise<string[]> {
  const database = place.open();
  const find = sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  const rows = await database.query<{ name: string }>(find).finally(() => database.close());
  return rows.map(({ name }) => name);
}

describe("tenon store copy from a folder", () => {
  it("warns while a service uses it, and not afterwards", () =>
    withProcesses(async ({ start, folder }) => {
      const [source, target] = [folder(), folder()];
      const file = openSqliteAccounts(source);
      await createCaller(file, keys, { kind: "key", name: "n", grant: fullGrant, expiresAt: null });
      const copied = async () => {
        const running = start({}, ["store", "copy", "--from", source, "--to", target, "--only", "accounts"]);
        return { status: await running.exit, warns: running.err().includes(`A service or a command uses ${source}.`) };
      };
      expect(await copied()).toEqual({ status: 0, warns: true });
      await file.close();
      expect(await copied()).toEqual({ status: 0, warns: false });
    }));
});

describe.skipIf(!hasServer)("tenon store copy", () => {
  it("copies everything there and back, goes on where it was cut off, and says when the places differ", () =>
    withProcesses(async ({ start, folder }) => {
      const place = await startOnServer();
      const [source, back] = [folder(), folder()];
      const file = openSqliteAccounts(source);
      await createCaller(file, keys, { kind: "key", name: "n\u00e4chtlich", grant: fullGrant, expiresAt: 9 });
      await file.addInstance(instance);
      await file.removeInstance("i", 5);
      await file.leaseTokens("s", "p", 1);
      await file.saveTokens("s", "p", "t");
      await file.beginWrite({ caller: "a", key: "k", request: "r", owner: "o", begunAt: 1 }, 0);
      const times = { createdAt: 1, expiresAt: 2 };
      await file.addProposal({ id: "p", caller: "a", request: "r", head: "{}", content: "{}", hash: "h", ...times }, 1, 0);
      const begin = { log: "l", position: 3, createdAt: 1, expiresAt: null };
      await file.addSubscription({ id: "s", caller: "a", instance: "github", content: "{}", secrets: "sealed", ...begin }, 1);
      await file.audit(Array.from({ length: 1_201 }, () => entry));
      await file.close();
      writeFileSync(join(source, "secret-key"), "s".repeat(32));
      const copy = async (from: string, to: string) => {
        const running = start({}, ["store", "copy", "--from", from, "--to", to]);
        const status = await running.exit;
        return { status, err: running.err(), tables: running.log() };
      };
      const url = place.url ?? "";
      const there = await copy(source, url);
      expect([there.status, there.tables.map(({ table, rows, written, same }) => [table, rows, written, same])]).toEqual([
        0,
        [
          ["callers", 1, 1, true],
          ["secrets", 1, 1, true],
          ["instances", 1, 1, true],
          ["tokens", 1, 1, true],
          ["writes", 1, 1, true],
          ["told", 0, 0, true],
          ["deliveries", 0, 0, true],
          ["hints", 0, 0, true],
          ["proposals", 1, 1, true],
          ["proposal_contents", 1, 1, true],
          ["subscriptions", 1, 1, true],
          ["audit", 1_201, 1_201, true],
        ],
      ]);
      expect(there.err).toContain("audit: 1000 rows");
      expect(there.err).toContain(`export TENON_SECRET_KEY=$(cat ${join(source, "secret-key")})\n`);
      // As after a copy that was cut off.
      const database = place.open();
      await database.run(sql`DELETE FROM account_audit WHERE number > 600`);
      expect((await copy(source, url)).tables.at(-1)).toMatchObject({ rows: 1_201, written: 601, same: true });
      const store = openPostgresAccounts(database);
      await store.audit([entry]);
      expect((await store.audited(1_201, 0, 10)).map(({ number }) => number)).toEqual([1_202]);
      const differing = await copy(source, url);
      expect([differing.status, differing.tables.at(-1)]).toEqual([70, expect.objectContaining({ rows: 1_202, same: false })]);
      expect((await copy(url, back)).status).toBe(0);
      const again = openSqliteAccounts(back);
      expect((await again.callers("key")).map(({ name }) => name)).toEqual(["n\u00e4chtlich"]);
      expect(await again.addInstance(instance)).toBe(false);
      await again.close();
      await database.close();
      await place.close();
    }));

  it("copies one of the two stores alone, each into a database of its own, and makes nothing of the other one", () =>
    withProcesses(async ({ start, folder }) => {
      const [one, other] = [await startOnServer(), await startOnServer()];
      const [source, back] = [folder(), folder()];
      const file = openSqliteAccounts(source);
      await createCaller(file, keys, { kind: "key", name: "n", grant: fullGrant, expiresAt: null });
      await file.close();
      const copy = async (from: string, to: string, only: string) => {
        const running = start({}, ["store", "copy", "--from", from, "--to", to, "--only", only]);
        const status = await running.exit;
        return { status, err: running.err(), tables: running.log().map(({ table }) => String(table)) };
      };
      const [accounts, recordsUrl] = [one.url ?? "", other.url ?? ""];
      const without = await copy(source, recordsUrl, "records");
      expect([without.status, without.err]).toEqual([78, expect.stringContaining("has no context-store.sqlite")]);
      expect(await tablesOf(other)).toEqual([]);
      const plans = plansOf(github);
      const collection = { connector: "github", instance: "github", entity: "issues", scope: "repository=a/b" };
      const store = new SqliteStore({ dataDir: source, plans });
      const checkpoint = { run: 1, full: true, step: 0 };
      const records = [{ ...new Records(1).record(0) }];
      // Its first instance has an entity with tables and no record, as a repository without releases has.
      await store.save(collection, { records, checkpoint });
      await store.save({ ...collection, entity: "releases" }, { records: [], checkpoint });
      await store.save({ ...collection, instance: "second" }, { records, checkpoint });
      await store.close();
      expect((await copy(source, accounts, "accounts")).tables).toContain("callers");
      expect((await tablesOf(one)).filter((name) => name.startsWith("store_"))).toEqual([]);
      const there = await copy(source, recordsUrl, "records");
      const tables = ["issues", "releases", "notes of syncs"];
      const all = ["github", "second"].flatMap((name) => tables.map((table) => `github/${name} ${table}`));
      expect([there.status, there.tables]).toEqual([0, all]);
      expect((await tablesOf(other)).filter((name) => name.startsWith("account_"))).toEqual([]);
      expect(await copy(recordsUrl, back, "records")).toMatchObject({ status: 0, tables: all });
      expect(readdirSync(back).filter((name) => name.endsWith(".sqlite"))).toEqual(["context-store.sqlite"]);
      expect(statSync(join(back, "context-store.sqlite")).mode & 0o777).toBe(0o600);
      expect((await copy(accounts, back, "accounts")).status).toBe(0);
      expect(readdirSync(back)).toContain("accounts.sqlite");
      const wrong = await copy(accounts, back, "record");
      expect([wrong.status, wrong.err]).toEqual([
        64,
        expect.stringContaining('--only takes accounts or records, not \\"record\\"'),
      ]);
      await one.close();
      await other.close();
    }));

  it("copies records, goes on after it was killed, and finds the same in a database that was restored from a dump", () =>
    withProcesses(async ({ start, folder }) => {
      const place = await startOnServer();
      const source = folder();
      const plans = plansOf(github);
      const collection = { connector: "github", instance: "github", entity: "issues", scope: "repository=a/b" };
      const checkpoint = { run: 1, full: true, step: 0 };
      const all = new Records(3_000);
      const file = new SqliteStore({ dataDir: source, plans });
      await file.save(collection, { records: Array.from({ length: 3_000 }, (_, at) => ({ ...all.record(at) })), checkpoint });
      await file.finish(collection, checkpoint, { massDelete: false, parents: [] });
      await file.close();
      const url = place.url ?? "";
      const killed = start({}, ["store", "copy", "--from", source, "--to", url]);
      await killed.told("github/github issues: 1000 rows");
      killed.child.kill("SIGKILL");
      await killed.exit;
      const again = start({}, ["store", "copy", "--from", source, "--to", url]);
      expect(await again.exit, again.err()).toBe(0);
      const lines = again.log();
      const issues = lines.find((line) => String(line["table"]) === "github/github issues");
      expect(issues).toMatchObject({ rows: 3_000, same: true });
      expect(Number(issues?.["written"])).toBeLessThanOrEqual(2_000);
      expect(lines.at(-1)).toMatchObject({ table: "github/github notes of syncs", rows: 1, same: true });
      if (programs !== undefined && process.env["TENON_TEST_DATABASE_URL"] === undefined) {
        const restored = await startOnServer();
        const file = join(folder(), "tenon.dump");
        await run(join(programs, "pg_dump"), ["--format=custom", `--file=${file}`, url]);
        await run(join(programs, "pg_restore"), ["--no-owner", `--dbname=${restored.url}`, file]);
        const back = start({}, ["store", "copy", "--from", restored.url ?? "", "--to", source]);
        expect(await back.exit, back.err()).toBe(0);
        expect(back.log().find(({ table }) => String(table) === "github/github issues")).toMatchObject({
          rows: 3_000,
          written: 0,
        });
        await restored.close();
      }
      const database = place.open();
      const parts = sql`SELECT 1 FROM pg_indexes WHERE indexname LIKE 'github\\_issues.:parts@%'`;
      expect(await database.query(parts)).toHaveLength(1);
      const store = new PostgresStore({ database, plans });
      const [state] = await store.states(collection);
      expect(state).toMatchObject({ records: 3_000, run: 1 });
      expect(state?.completedAt).not.toBeNull();
      await store.close();
      await database.close();
      await place.close();
    }));
});
