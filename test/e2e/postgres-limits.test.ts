import { describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../runtime/accounts/postgres/postgres-account-store.ts";
import { sliceTime } from "../../runtime/fleet/index.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { sql } from "../../runtime/sql/index.ts";
import { hasServer } from "../support/postgres/server.ts";
import { authorized, executePath, pause, type Reply, type Tenon } from "./support/service.ts";
import { useServices } from "./support/services.ts";

// Limits that several services keep together over one PostgreSQL database.

const secretKey = ["canary-secret-key-of-the-limit-tests"];
const viewer = { entity: "viewer", action: "get" };

describe.skipIf(!hasServer)("three services over one database", () => {
  const running = useServices(3, secretKey);
  const ask = (index: number, headers: Readonly<Record<string, string>> = {}) => running.send(index, viewer, headers);
  const askAll = (count: number, headers: Readonly<Record<string, string>> = {}) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(index, headers)));
  const statuses = (replies: readonly Reply[], status: number) => replies.filter((reply) => reply.status === status).length;

  it("take what is left of the platform's budget, and ask for no more", async () => {
    running.platform.fail({ kind: "quota", remaining: 10 });
    const before = running.platform.arrived;
    const replies = await askAll(24);
    expect([statuses(replies, 200), statuses(replies, 429)]).toEqual([10, 14]);
    expect(running.platform.arrived - before).toBe(10);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.body["code"]).toBe("rate_limited");
    const rows = await running.database.query<{ readonly key: string; readonly state: string }>(
      sql`SELECT key, state FROM fleet_limits`,
    );
    expect(rows.filter(({ key }) => key.startsWith("credential "))).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(ownerToken);
  });

  it("keep the usual share of a caller of the platform's budget in sum", async () => {
    await running.database.run(sql`DELETE FROM fleet_limits`);
    running.platform.reset();
    const fresh = await Promise.all([0, 1].map(() => running.start()));
    try {
      const made = { kind: "key", name: "greedy", grant: fullGrant, expiresAt: null } as const;
      const { secret } = await createCaller(openPostgresAccounts(running.database), deriveKeys(secretKey), made);
      const headers = { ...authorized, authorization: `Bearer ${secret}` };
      running.platform.fail({ kind: "quota", remaining: 20 });
      const send = (tenon: Tenon, of = headers) => tenon.send("POST", executePath, JSON.stringify(viewer), of);
      const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => send(fresh[index % 2] as Tenon)));
      expect([statuses(replies, 200), statuses(replies, 429)]).toEqual([10, 30]);
      expect(replies.find(({ status }) => status === 429)?.body["code"]).toBe("too_many_requests");
      expect((await send(fresh[0] as Tenon, authorized)).status).toBe(200);
    } finally {
      await Promise.all(fresh.map(({ service }) => service.close()));
    }
  });

  it("keep the limits of a caller in sum, and tell it what is left", async () => {
    // The platform's budget, which is used up, would hold the caller back too.
    await running.database.run(sql`DELETE FROM fleet_limits`);
    running.platform.reset();
    const fresh = await Promise.all([0, 1, 2].map(() => running.start()));
    try {
      const grant = { ...fullGrant, limits: { requests: 20 } };
      const made = { kind: "key", name: "limited", grant, expiresAt: null } as const;
      const { secret } = await createCaller(openPostgresAccounts(running.database), deriveKeys(secretKey), made);
      const headers = { ...authorized, authorization: `Bearer ${secret}` };
      const send = (index: number) => (fresh[index % 3] as Tenon).send("POST", executePath, JSON.stringify(viewer), headers);
      const began = performance.now();
      const replies = await Promise.all(Array.from({ length: 45 }, (_, index) => send(index)));
      const allowed = () => replies.filter(({ text }) => !text.includes("too_many_requests")).length;
      // What a service was given and does not use goes back when its slice ends; others can use it then.
      for (let tries = 0; tries < 3 && allowed() < 20; tries++) {
        await pause(sliceTime);
        replies.push(...(await Promise.all([0, 1, 2].map(send))));
      }
      // The budget of requests fills again at 20 a minute.
      const filled = ((performance.now() - began) / 60_000) * 20;
      const refused = replies.filter(({ text }) => text.includes("too_many_requests"));
      expect(allowed()).toBeGreaterThanOrEqual(20);
      expect(allowed()).toBeLessThanOrEqual(20 + filled);
      for (const reply of refused) expect(reply.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      for (const index of [0, 1, 2]) {
        const { headers: told } = await send(index);
        expect(told.get("ratelimit-limit")).toBe("20");
        const left = ((performance.now() - began) / 60_000) * 20;
        expect(Number(told.get("ratelimit-remaining"))).toBeLessThanOrEqual(left);
      }
    } finally {
      await Promise.all(fresh.map(({ service }) => service.close()));
    }
  });

  it("leave what one of them held to the others as soon as it has ended", async () => {
    const grant = { ...fullGrant, limits: { concurrent: 1 } };
    const made = { kind: "key", name: "one at once", grant, expiresAt: null } as const;
    const { secret } = await createCaller(openPostgresAccounts(running.database), deriveKeys(secretKey), made);
    const ending = await running.start();
    const headers = { ...authorized, authorization: `Bearer ${secret}` };
    const body = JSON.stringify({ entity: "users", action: "context_store_search", params: { query: {} } });
    expect((await ending.send("POST", executePath, body, headers)).status).toBe(200);
    await ending.service.close();
    const [other] = running.all as [Tenon];
    expect((await other.send("POST", executePath, body, headers)).status).toBe(200);
  });

  it("keep the pause that the platform required of one of them", async () => {
    // The budget that is used up would hold them back too.
    await running.database.run(sql`DELETE FROM fleet_limits`);
    running.platform.reset();
    const fresh = await Promise.all([0, 1].map(() => running.start()));
    const [told, other] = fresh as [Tenon, Tenon];
    try {
      const send = ({ run }: Tenon) => run("viewer", "get");
      expect((await send(other)).status).toBe(200);
      running.platform.fail({ kind: "secondary-limit", status: 429, retryAfter: 60 });
      expect((await send(told)).status).toBe(429);
      await pause(sliceTime);
      const before = running.platform.arrived;
      const held = await send(other);
      expect([held.status, held.body["code"]]).toEqual([429, "rate_limited"]);
      expect(Number(held.headers.get("retry-after"))).toBeGreaterThan(20);
      expect(running.platform.arrived).toBe(before);
    } finally {
      await Promise.all(fresh.map(({ service }) => service.close()));
    }
  });
});
