import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../runtime/accounts/postgres/postgres-account-store.ts";
import { sliceTime } from "../../runtime/fleet/index.ts";
import type { Database } from "../../runtime/postgres/index.ts";
import { sql } from "../../runtime/postgres/index.ts";
import { type Platform, startPlatform } from "../../spec/github/simulator/start.ts";
import { ownerToken } from "../../spec/github/simulator/tokens.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import type { TestDatabase } from "../support/postgres/test-database.ts";
import { authorized, executePath, pause, type Reply, startTenon, type Tenon } from "./support/service.ts";

// Limits that several services keep together over one PostgreSQL database.

const secretKey = ["canary-secret-key-of-the-limit-tests"];
const viewer = JSON.stringify({ entity: "viewer", action: "get" });

describe.skipIf(!hasServer)("three services over one database", () => {
  let place: TestDatabase;
  let database: Database;
  let platform: Platform;
  let services: Tenon[];
  beforeAll(async () => {
    [place, platform] = await Promise.all([startOnServer(), startPlatform()]);
    database = place.open();
    const options = { secretKey, databaseUrl: place.url ?? "" };
    // The first call makes the platform read its schema. A service would give up a call that takes so long, and send it again.
    const headers = { authorization: `Bearer ${ownerToken}` };
    await fetch(platform.graphqlUrl, { method: "POST", headers, body: JSON.stringify({ query: "{ viewer { login } }" }) });
    platform.reset();
    services = await Promise.all(Array.from({ length: 3 }, () => startTenon(platform, options)));
  });
  afterAll(async () => {
    await Promise.all(services.map(({ service }) => service.close()));
    await platform.close();
    await database.close();
    await place.close();
  });
  const ask = (index: number, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
    services[index % services.length]?.send("POST", executePath, viewer, { ...authorized, ...headers }) ?? Promise.reject();
  const askAll = (count: number, headers: Readonly<Record<string, string>> = {}) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(index, headers)));
  const statuses = (replies: readonly Reply[], status: number) => replies.filter((reply) => reply.status === status).length;

  it("take what is left of the platform's budget, and ask for no more", async () => {
    platform.fail({ kind: "quota", remaining: 10 });
    const before = platform.arrived;
    const replies = await askAll(24);
    expect([statuses(replies, 200), statuses(replies, 429)]).toEqual([10, 14]);
    expect(platform.arrived - before).toBe(10);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.body["code"]).toBe("rate_limited");
    const rows = await database.query<{ readonly key: string; readonly state: string }>(sql`SELECT key, state FROM fleet_limits`);
    expect(rows.filter(({ key }) => key.startsWith("credential "))).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(ownerToken);
  });

  it("keep the limits of a caller in sum, and tell it what is left", async () => {
    const grant = { ...fullGrant, limits: { requests: 20 } };
    const made = { kind: "key", name: "limited", grant, expiresAt: null } as const;
    const { secret } = await createCaller(openPostgresAccounts(database), deriveKeys(secretKey), made);
    const headers = { authorization: `Bearer ${secret}` };
    const began = performance.now();
    const replies = await askAll(45, headers);
    // The budget of requests fills again at 20 a minute.
    const filled = ((performance.now() - began) / 60_000) * 20;
    const refused = replies.filter(({ text }) => text.includes("too_many_requests"));
    expect(replies.length - refused.length).toBeGreaterThanOrEqual(20);
    expect(replies.length - refused.length).toBeLessThanOrEqual(20 + filled);
    for (const reply of refused) expect(reply.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    for (const index of [0, 1, 2]) {
      const { headers: told } = await ask(index, headers);
      expect(told.get("ratelimit-limit")).toBe("20");
      const left = ((performance.now() - began) / 60_000) * 20;
      expect(Number(told.get("ratelimit-remaining"))).toBeLessThanOrEqual(left);
    }
  });

  it("leave what one of them held to the others as soon as it has ended", async () => {
    const grant = { ...fullGrant, limits: { concurrent: 1 } };
    const made = { kind: "key", name: "one at once", grant, expiresAt: null } as const;
    const { secret } = await createCaller(openPostgresAccounts(database), deriveKeys(secretKey), made);
    const ending = await startTenon(platform, { secretKey, databaseUrl: place.url ?? "" });
    const headers = { ...authorized, authorization: `Bearer ${secret}` };
    const body = JSON.stringify({ entity: "users", action: "context_store_search", params: { query: {} } });
    expect((await ending.send("POST", executePath, body, headers)).status).toBe(200);
    await ending.service.close();
    const [other] = services as [Tenon];
    expect((await other.send("POST", executePath, body, headers)).status).toBe(200);
  });

  it("keep the pause that one of them was told", async () => {
    // The budget that is used up would hold them back too.
    await database.run(sql`DELETE FROM fleet_limits`);
    platform.reset();
    const fresh = await Promise.all([0, 1].map(() => startTenon(platform, { secretKey, databaseUrl: place.url ?? "" })));
    const [told, other] = fresh as [Tenon, Tenon];
    try {
      const send = ({ send }: Tenon) => send("POST", executePath, viewer, authorized);
      expect((await send(other)).status).toBe(200);
      platform.fail({ kind: "secondary-limit", status: 429, retryAfter: 60 });
      expect((await send(told)).status).toBe(429);
      await pause(sliceTime);
      const before = platform.arrived;
      const held = await send(other);
      expect([held.status, held.body["code"]]).toEqual([429, "rate_limited"]);
      expect(Number(held.headers.get("retry-after"))).toBeGreaterThan(20);
      expect(platform.arrived).toBe(before);
    } finally {
      await Promise.all(fresh.map(({ service }) => service.close()));
    }
  });
});
