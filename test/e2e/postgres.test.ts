import { describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant, revokeCaller } from "../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../runtime/accounts/postgres/postgres-account-store.ts";
import { hasServer, withoutConnections } from "../support/postgres/server.ts";
import { executePath, good, pause } from "./support/service.ts";
import { useServices } from "./support/services.ts";

// Two services that share everything they store in one PostgreSQL database.

const secretKey = ["canary-secret-key-of-the-postgres-tests"];
const keys = deriveKeys(secretKey);
const create = { entity: "issues", action: "create", params: { owner: "octocat", repo: "hello-world", title: "once" } };

describe.skipIf(!hasServer)("two services over one database", () => {
  const running = useServices(2, secretKey);
  const { send } = running;
  const made = () =>
    createCaller(openPostgresAccounts(running.database), keys, { kind: "key", name: "n", grant: fullGrant, expiresAt: null });

  it("admit the same callers, and refuse soon whom another process has revoked", async () => {
    const { caller, secret } = await made();
    const call = (index: number) =>
      send(index, { entity: "viewer", action: "get" }, { authorization: `Bearer ${secret}` }).then(({ status }) => status);
    expect([await call(0), await call(1)]).toEqual([200, 200]);
    await revokeCaller(openPostgresAccounts(running.database), "key", caller.id);
    const end = performance.now() + 5_000;
    for (const index of [0, 1])
      for (;;) {
        // A request that is slow may be admitted at its beginning and answered late.
        const asked = performance.now();
        if ((await call(index)) === 401) break;
        if (asked > end) throw new Error("It is still admitted.");
        await pause(50);
      }
  });

  it("do a write with a key once, whoever gets it", async () => {
    const headers = { "idempotency-key": "shared" };
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => send(index % 2, create, headers)));
    const answers = replies.map((reply) => good(reply));
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    // One of them was sent to the platform, the others repeat its response.
    expect(answers.filter(({ meta }) => JSON.stringify(meta).includes('"replayed":true'))).toHaveLength(replies.length - 1);
    expect(running.platform.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/issues"))).toHaveLength(1);
  });

  const search = (index: number) =>
    send(index, { entity: "users", action: "context_store_search", params: { query: {}, fields: ["login"] } }, {});

  it("find what one of them has synced, with the same answer", async () => {
    const path = executePath.replace("execute", "sync");
    const started = await running.all[0]?.send("POST", path, JSON.stringify({ scopes: ["user=octocat"] }));
    expect(started?.status, started?.text).toBe(202);
    const found = async (index: number) => {
      const { data, meta } = good(await search(index));
      return { data, synced_at: meta?.["synced_at"] };
    };
    await expect.poll(async () => (await found(1)).synced_at, { timeout: 60_000 }).not.toBeNull();
    expect(await found(1)).toMatchObject({ data: [{ login: "octocat" }] });
    expect(await found(0)).toEqual(await found(1));
  });

  it("say that the database is away, answer what needs no accounts, and go on when it is back", async () => {
    const { secret } = await made();
    const call = () => send(0, { entity: "viewer", action: "get" }, { authorization: `Bearer ${secret}` });
    const name = new URL(running.databaseUrl).pathname.slice(1);
    expect((await call()).status).toBe(200);
    await withoutConnections(name, async () => {
      await pause(2_100);
      const refused = await call();
      expect([refused.status, refused.body["code"], refused.headers.get("retry-after")]).toEqual([
        503,
        "database_unavailable",
        "1",
      ]);
      expect((await send(0, { entity: "viewer", action: "get" }, {})).status).toBe(200);
      const unsearched = await search(0);
      expect([unsearched.status, unsearched.headers.get("retry-after")]).toEqual([503, "1"]);
    });
    expect((await call()).status).toBe(200);
    good(await search(0));
    const told = (text: string) => running.all[0]?.log.filter((line) => line.includes(text)).length;
    expect(told("cannot be reached for the limits that processes share")).toBe(1);
    await expect.poll(() => told("the processes share their limits again"), { timeout: 10_000 }).toBe(1);
  });
});
