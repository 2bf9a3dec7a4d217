import { describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { unpaced } from "../support/fake-instance.ts";
import type { Platform } from "../support/github/start.ts";
import { withProcesses } from "./support/process.ts";
import { bad, executePath, good, type Tenon, until, usePlatform } from "./support/service.ts";

// Writes with an Idempotency-Key. The service leaves a second between two writes, for which these tests do not wait.

const secretKey = ["secret-key-of-the-idempotency-tests-0000"];
const running = usePlatform({ connectors: [unpaced], secretKey });
const shared = async (test: (running: { readonly platform: Platform; readonly tenon: Tenon }) => Promise<void>) =>
  test({ platform: running.platform, tenon: await running.shared() });
const at = { owner: "octocat", repo: "hello-world" };
const create = { ...at, title: "once" };
let serial = 0;
const newKey = () => `key-${serial++}`;
const withKey = (tenon: Tenon, key: string, params: object = create, entity = "issues", action = "create") =>
  tenon.run(entity, action, params, { headers: { "idempotency-key": key } });
const sent = (platform: Platform) => platform.requests.filter(({ method }) => method !== "GET" && method !== undefined);
const writes = (platform: Platform) => sent(platform).filter(({ path }) => !path.includes("graphql"));

/** What a repetition gets. */
function asReplay(text: string): object {
  const { data, meta } = JSON.parse(text);
  expect(meta).not.toHaveProperty("replayed");
  return { data, meta: { ...meta, replayed: true } };
}

describe("a write with a key", () => {
  it.each([
    ["empty", ""],
    ["blank", "   "],
    ["of several words", "one two"],
    ["too long", "x".repeat(256)],
  ])("that is %s is refused, and nothing is sent", (_what, key) =>
    shared(async ({ platform, tenon }) => {
      const problem = bad(await withKey(tenon, key), 422, "invalid_request");
      expect(problem["errors"]).toMatchObject([
        { pointer: "/headers/idempotency-key", message: expect.stringContaining("1 to 255 visible ASCII characters") },
      ]);
      expect(writes(platform)).toHaveLength(0);
    }),
  );

  it("is done once, and every repetition gets the first answer, marked as a replay", () =>
    shared(async ({ platform, tenon }) => {
      const key = newKey();
      const first = await withKey(tenon, key);
      good(first);
      expect(first.headers.get("idempotent-replayed")).toBeNull();
      // The order of members says nothing.
      const same = [create, { title: "once", repo: "hello-world", owner: "octocat" }];
      for (const params of same) {
        const again = await withKey(tenon, key, params);
        expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
        expect(JSON.parse(again.text)).toEqual(asReplay(first.text));
      }
      expect(writes(platform)).toHaveLength(1);
    }));

  it.each<[string, string, object]>([
    ["issues", "update", { ...at, issue_number: 1, title: "changed" }],
    ["comments", "create", { ...at, issue_number: 1, body: "a comment" }],
  ])("is done once also as %s.%s", (entity, action, params) =>
    shared(async ({ platform, tenon }) => {
      const key = newKey();
      const replies = [await withKey(tenon, key, params, entity, action), await withKey(tenon, key, params, entity, action)];
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(JSON.parse(replies[1]?.text ?? "")).toEqual(asReplay(replies[0]?.text ?? ""));
      expect(writes(platform)).toHaveLength(1);
    }),
  );

  it("is done once when it comes twenty times at once", () =>
    shared(async ({ platform, tenon }) => {
      const key = newKey();
      const replies = await Promise.all(Array.from({ length: 20 }, () => withKey(tenon, key)));
      expect(new Set(replies.map(({ status, text }) => `${status} ${JSON.stringify(JSON.parse(text).data)}`)).size).toBe(1);
      expect(replies.filter(({ text }) => JSON.parse(text).meta.replayed === true)).toHaveLength(19);
      expect(writes(platform)).toHaveLength(1);
    }));

  it("is refused with another body or another action, and the first answer stays", () =>
    shared(async ({ platform, tenon }) => {
      const key = newKey();
      const first = await withKey(tenon, key);
      bad(await withKey(tenon, key, { ...create, title: "another" }), 409, "idempotency_conflict");
      bad(await withKey(tenon, key, { ...at, issue_number: 1, body: "x" }, "comments"), 409, "idempotency_conflict");
      expect(JSON.parse((await withKey(tenon, key)).text)).toEqual(asReplay(first.text));
      expect(writes(platform)).toHaveLength(1);
    }));

  it("says nothing about the same key of another caller", () => {
    return shared(async ({ platform, tenon }) => {
      const key = newKey();
      await withKey(tenon, key);
      const store = openSqliteAccounts(tenon.dataDir);
      const grant = { kind: "key", name: "n", grant: fullGrant, expiresAt: null } as const;
      const { secret } = await createCaller(store, deriveKeys(secretKey), grant);
      await store.close();
      const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json", "idempotency-key": key };
      const body = JSON.stringify({ entity: "issues", action: "create", params: { ...create, title: "of another" } });
      good(await tenon.send("POST", executePath, body, headers));
      expect(writes(platform)).toHaveLength(2);
    });
  });

  it.each([
    ["502 before", { kind: "gateway", status: 502 } as const, 502],
    ["502 after", { kind: "gateway", status: 502, effect: true } as const, 502],
    ["a reset before", { kind: "drop", when: "before" } as const, 502],
    ["a reset after", { kind: "drop", when: "after" } as const, 502],
  ])("whose fate is unknown after %s is in doubt for every repetition, and never sent again", (_title, fault, status) =>
    shared(async ({ platform, tenon }) => {
      const key = newKey();
      platform.fail(fault);
      bad(await withKey(tenon, key), status, "write_in_doubt");
      for (let count = 0; count < 3; count++) {
        const problem = bad(await withKey(tenon, key), 409, "in_doubt");
        expect(problem["retryable"]).toBe(false);
        expect(problem["detail"]).toMatch(/Read whether it was/);
      }
      expect(writes(platform)).toHaveLength(1);
      good(await withKey(tenon, newKey()));
    }),
  );

  it("is free again when the platform or the service refused it", () =>
    shared(async ({ tenon }) => {
      const key = newKey();
      bad(await withKey(tenon, key, { ...at, title: 5 }), 422, "invalid_request");
      bad(await withKey(tenon, key, { ...create, repo: "nowhere" }), 404, "not_found");
      good(await withKey(tenon, key, { ...create, title: "another after all" }));
    }));

  it("that a process was killed in is in doubt after the restart, and a finished one keeps its answer", () =>
    withProcesses(async ({ platform, start, folder }) => {
      const key = "key-of-the-operator-of-this-test";
      const env = { TENON_DATA_DIR: folder(), TENON_API_KEY: key, GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url };
      const call = async (url: string, idempotencyKey: string) => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": idempotencyKey };
        const body = JSON.stringify({ entity: "issues", action: "create", params: create });
        const response = await fetch(url + executePath, { method: "POST", headers, body });
        return { status: response.status, text: await response.text() };
      };
      const first = start(env);
      await first.told("ready");
      const url = await first.url();
      const done = await call(url, "finished");
      expect(done.status).toBe(200);
      platform.fail({ kind: "slow", ms: 60_000 });
      const arrived = platform.arrived;
      const lost = call(url, "killed").catch(() => "gone");
      await until(() => platform.arrived > arrived);
      first.child.kill("SIGKILL");
      expect(await lost).toBe("gone");
      const second = start(env);
      await second.told("ready");
      const again = await second.url();
      const replayed = await call(again, "finished");
      expect([replayed.status, JSON.parse(replayed.text)]).toEqual([200, asReplay(done.text)]);
      const doubtful = await call(again, "killed");
      expect([doubtful.status, JSON.parse(doubtful.text).code]).toEqual([409, "in_doubt"]);
    }));
});
