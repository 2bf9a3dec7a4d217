import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deriveKeys } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { tokenVault } from "../../runtime/main/instances/token-vault.ts";
import { originOf } from "../../runtime/platform/credential-source.ts";
import { app } from "../../runtime/simulated/github/grants/app.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";

// Many callers in several processes whose token is over at the same moment.

const secret = "canary-secret-key-of-the-process-tests";
const dataDir = mkdtempSync(join(tmpdir(), "tenon-token-processes-"));
const script = fileURLToPath(new URL("./support/token-caller.ts", import.meta.url));
const credential = {
  kind: "user",
  values: { client_id: app.clientId, client_secret: app.clientSecret, refresh_token: "ghr_first" },
};
const children: ChildProcess[] = [];
let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await platform.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function started(askers: number) {
  const args = [dataDir, secret, platform.url, JSON.stringify(credential), String(askers)];
  const child = endsWithTests(spawn(process.execPath, [script, ...args], { stdio: ["pipe", "pipe", "inherit"] }));
  children.push(child);
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
  });
  while (!out.includes("ready")) await once(child.stdout, "data");
  return {
    ask: async (): Promise<string[]> => {
      child.stdin.write("go\n");
      await once(child, "close");
      return JSON.parse(out.split("\n")[1] ?? "[]");
    },
  };
}

describe("a token that is over", () => {
  it("is renewed once for 200 callers in four processes", async () => {
    const store = openSqliteAccounts(dataDir);
    const vault = tokenVault({ store, secured: { keys: deriveKeys([secret]) } }, "user");
    const over = { token: "ghu_over", renewAt: 0, expiresAt: 1, refreshToken: "ghr_second" };
    await vault.lease();
    await vault.save({ origin: originOf(credential), tokens: over });
    platform.world.grants.refreshTokens.set("ghr_second", { login: "octocat", token: "ghu_over" });
    const processes = await Promise.all([50, 50, 50, 50].map(started));
    const tokens = (await Promise.all(processes.map(({ ask }) => ask()))).flat();
    expect(tokens).toHaveLength(200);
    expect(new Set(tokens).size).toBe(1);
    expect(platform.world.grants.tokens.has(tokens[0] ?? "")).toBe(true);
    expect(platform.requests.map(({ path }) => path)).toEqual(["/login/oauth/access_token"]);
    expect(platform.world.grants.given.user).toBe(1);
    await store.close();
  });
});
