import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { createCaller, deriveKeys, fullGrant, type Grant, revokeCaller } from "../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../runtime/accounts/postgres/postgres-account-store.ts";
import { sliceTime } from "../../runtime/fleet/index.ts";
import type { Database } from "../../runtime/postgres/index.ts";
import { sql } from "../../runtime/sql/index.ts";
import { syncGroupsOf, syncOrder } from "../../runtime/sync/order.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import type { TestDatabase } from "../support/postgres/test-database.ts";
import { type Cache, entities, openCache, storedFields } from "./support/cache.ts";
import { addIssue } from "./support/change.ts";
import { type Fleet, startFleet } from "./support/fleet.ts";
import { byKey } from "./support/live.ts";
import { allActions, bodyOf, codeFor, foreign, grants, own, storeMatrix } from "./support/matrix.ts";
import type { Running } from "./support/process.ts";
import { authorized, executePath, expectNoSecret, good, list, pause, type Reply } from "./support/service.ts";
import { hello, organization } from "./support/world.ts";

// Four service processes and two workers over one PostgreSQL database do together what one process does. `TENON_TEST_FLEET=4` runs the
// whole authorization matrix on them (authorization.test.ts), and watches the schedule through three intervals.

const secret = "canary-secret-key-of-the-fleet-tests";
const keys = deriveKeys([secret]);
const base = "/api/v1/integrations/connectors";
/** More than one worker takes at the same time. */
const scopes = [
  "repository=octocat/hello-world",
  "organization=tenon-labs",
  ...["octocat", "monalisa", "hubot"].map((login) => `user=${login}`),
];
/** The entities of all scopes, each with its scope; and the same for the sync groups in which they are shared. */
const allEntities = named((kind) => syncOrder(github, kind));
const allSyncGroups = named((kind) => syncGroupsOf(github, kind).map(([syncGroup = ""]) => syncGroup));
const isLong = process.env["TENON_TEST_FLEET"] !== undefined;
function named(namesOf: (kind: string) => readonly string[]): string[] {
  return ["account", ...scopes].flatMap((scope) => namesOf(scope.split("=")[0] ?? "").map((name) => `${scope} ${name}`)).sort();
}
const bearer = (token: string) => ({ ...authorized, authorization: `Bearer ${token}` });

describe.skipIf(!hasServer)("four services and two workers over one database", () => {
  let place: TestDatabase;
  let database: Database;
  let platform: Platform;
  let fleet: Fleet;
  let cache: Cache;
  /** Those that run. */
  let workers: readonly Running[] = [];
  /** Lets the calls go on that the platform holds. */
  const gate = Promise.withResolvers<void>();

  beforeAll(async () => {
    [place, platform] = await Promise.all([startOnServer(), startPlatform()]);
    database = place.open();
    letAllThrough();
    // The first sync is held in the middle of its first scope.
    platform.fail({ kind: "held", until: gate.promise, skip: callsBeforeHold, times: Number.POSITIVE_INFINITY });
    const env = { TENON_SYNC_SCOPES: scopes.join(), TENON_SYNC_MINUTES: "60" };
    const databaseUrl = place.url ?? "";
    fleet = await startFleet(platform, { services: 4, workers: 1, databaseUrl, secretKey: secret, env });
  });
  afterAll(async () => {
    gate.resolve();
    await fleet.close();
    await cache?.close();
    await platform.close();
    await database.close();
    await place.close();
    expectNoSecret(fleet.written());
    expect(fleet.written()).not.toContain(secret);
    expect(fleet.written()).not.toContain(new URL(place.url ?? "").password);
  });

  const callsBeforeHold = 4;
  /** Ends all faults of the platform. Its data stay, because a sync may be reading them. */
  const letAllThrough = () => {
    platform.recover();
    platform.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
  };
  const callers = () => openPostgresAccounts(database);
  const makeKey = (grant: Partial<Grant>) =>
    createCaller(callers(), keys, { kind: "key", name: "n", grant: { ...fullGrant, ...grant }, expiresAt: null });
  /** The same request to each of the services, so many times, all at once. */
  const askAll = (times: number, body: string, headers: Readonly<Record<string, string>>, id = "github"): Promise<Reply[]> => {
    const all = Array.from({ length: times }, () => fleet.services).flat();
    return Promise.all(all.map(({ send }) => send("POST", `${base}/${id}/execute`, body, headers)));
  };
  const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status);

  const leases = () =>
    database.query<{ scope: string; syncGroup: string; owner: string; scheduledAt: string | null }>(
      sql`SELECT scope, sync_group AS "syncGroup", owner, scheduled_at AS "scheduledAt" FROM store_leases WHERE scope <> '' AND (until > 0 OR scheduled_at IS NOT NULL)`,
    );
  const holds = async ({ child }: Running) => (await leases()).some(({ owner }) => owner.split(":")[1] === String(child.pid));
  const started = async () => {
    const [row] = await database.query<{ at: string | null }>(sql`SELECT started_at AS at FROM store_schedules`);
    return row?.at ?? null;
  };
  /** Waits until everything was synced in the scheduled sync that began last. */
  const ended = async (after: string | null) => {
    await expect
      .poll(
        async () => {
          const startedAt = await started();
          const done = (await leases())
            .filter((one) => one.scheduledAt === startedAt)
            .map(({ scope, syncGroup }) => `${scope} ${syncGroup}`);
          return startedAt === after ? [] : done.sort();
        },
        { timeout: 100_000, interval: 100 },
      )
      .toEqual(allSyncGroups);
    return started();
  };
  const endWorkers = async () => {
    for (const { child } of workers) child.kill("SIGTERM");
    for (const { exit } of workers) expect(await exit).toBe(0);
  };
  /** What the workers that run have synced, by their logs. */
  const synced = () => {
    const lines = workers.flatMap(({ log }) => log()).filter(({ msg }) => String(msg) === "synced");
    return lines.map(({ scope, entity }) => `${scope} ${entity}`).sort();
  };

  /** All services have the records that one process alone has after the same syncs. */
  async function expectAsOne(): Promise<void> {
    cache ??= await openCache(platform);
    expect((await cache.sync(scopes)).outcome).toBe("complete");
    for (const entity of entities) {
      const expected = byKey(entity, await cache.records(entity));
      const params = { query: {}, limit: 10_000, fields: storedFields(entity) };
      const body = JSON.stringify({ entity, action: "context_store_search", params });
      for (const reply of await askAll(1, body, authorized)) {
        expect(byKey(entity, list(good(reply)["data"]))).toEqual(expected);
      }
    }
    const states = async () => (await cache.states()).map(({ scope, entity, records }) => [scope, entity, "complete", records]);
    for (const { send } of fleet.services) {
      const told = list((await send("GET", `${base}/github/sync`, undefined)).body["data"]);
      expect(told.map(({ scope, entity, state, records }) => [scope, entity, state, records])).toEqual(await states());
    }
  }

  it("lose a worker by kill -9 while the platform has its call, and go on with another one", async () => {
    const [first] = fleet.workers;
    if (first === undefined) throw new Error("no worker was started");
    await expect.poll(() => platform.arrived, { timeout: 60_000 }).toBe(callsBeforeHold + 1);
    const second = fleet.startWorker();
    await expect.poll(() => holds(second), { timeout: 60_000 }).toBe(true);
    expect(await holds(first)).toBe(true);
    first.child.kill("SIGKILL");
    await first.exit;
    // As whatever keeps the processes running would do.
    workers = [second, fleet.startWorker()];
    // The call that it had counts as under way for 15 seconds more.
    if (!isLong) await database.run(sql`DELETE FROM fleet_limits`);
    gate.resolve();
    letAllThrough();
  });

  it("allow and refuse the same on each of the four", async () => {
    const some = grants.filter((_, index) => index % 3 === Math.floor(index / 3) % 3);
    const tokens = await storeMatrix(callers(), keys, platform, some);
    const wrong: unknown[] = [];
    let tried = 0;
    for (const [place, [grant, token]] of [...tokens].entries()) {
      const here = allActions.filter(({ id }, index) => (id === own || id === foreign) && index % 12 === place % 12);
      // One after the other: a caller may have few requests under way.
      for (const one of here)
        for (const { status, body } of await askAll(1, bodyOf(one), bearer(token), one.id)) {
          tried++;
          const [code, expected] = [String(body["code"]), codeFor(grant, one)];
          if (code !== expected) wrong.push([grant.rights, grant.entities, one, status, code, expected]);
        }
    }
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(100);
  });

  it("keep the limits of a caller in sum", async () => {
    const { secret: limited } = await makeKey({ limits: { requests: 40 } });
    const body = JSON.stringify({ entity: "users", action: "context_store_search", params: { query: {}, limit: 1 } });
    const began = performance.now();
    const replies = await askAll(30, body, bearer(limited));
    const served = () => statuses(replies).filter((status) => status === 200).length;
    // What a service was given and does not use goes back when its slice ends; others can use it then.
    for (let tries = 0; tries < 3 && served() < 40; tries++) {
      await pause(sliceTime);
      replies.push(...(await askAll(1, body, bearer(limited))));
    }
    // The budget fills again at 40 a minute.
    const filled = ((performance.now() - began) / 60_000) * 40;
    expect(served()).toBeGreaterThanOrEqual(40);
    expect(served()).toBeLessThanOrEqual(40 + filled);
    for (const { status, body: problem } of replies)
      if (status !== 200) expect([status, problem["code"]]).toEqual([429, "too_many_requests"]);
  });

  it("keep what a caller may have under way at once in sum", async () => {
    const { secret: limited } = await makeKey({ limits: { concurrent: 3 } });
    const held = Promise.withResolvers<void>();
    platform.fail({ kind: "held", until: held.promise, times: Number.POSITIVE_INFINITY });
    let refused = 0;
    const body = JSON.stringify({ entity: "viewer", action: "get" });
    const asking = Array.from({ length: 3 }, () => fleet.services)
      .flat()
      .map(async ({ send }) => {
        const reply = await send("POST", executePath, body, bearer(limited));
        if (reply.status === 429) refused++;
        return reply;
      });
    try {
      await expect.poll(() => refused, { timeout: 15_000 }).toBe(9);
    } finally {
      held.resolve();
      letAllThrough();
    }
    expect(statuses(await Promise.all(asking)).sort()).toEqual([...Array(3).fill(200), ...Array(9).fill(429)]);
  });

  it("refuse everywhere within five seconds whom one command has revoked", async () => {
    const { caller, secret: token } = await makeKey({});
    const body = JSON.stringify({ entity: "users", action: "context_store_search", params: { query: {}, limit: 1 } });
    expect(statuses(await askAll(1, body, bearer(token)))).toEqual([200, 200, 200, 200]);
    await revokeCaller(callers(), "key", caller.id);
    const revoked = performance.now();
    for (const { send } of fleet.services)
      for (;;) {
        // A request that is slow may be admitted at its beginning and answered late.
        const asked = performance.now();
        if ((await send("POST", executePath, body, bearer(token))).status === 401) break;
        expect(asked - revoked).toBeLessThan(5_000);
        await pause(50);
      }
  });

  it("have synced what one process alone would have, once", async () => {
    const startedAt = await ended(null);
    await expectAsOne();
    // A worker that comes now finds nothing to do, and neither do those that are there.
    const before = platform.arrived;
    await fleet.startWorker().told("The worker syncs");
    await pause(500);
    expect([await started(), platform.arrived]).toEqual([startedAt, before]);
  });

  it("sync each entity of each scope once when the next scheduled sync is due, whoever begins it", async () => {
    await endWorkers();
    const { world } = platform;
    addIssue(hello(world), "2026-01-01T00:00:00Z");
    const labs = organization(world, "tenon-labs");
    labs.memberships = labs.memberships.filter(({ user }) => user.login !== "monalisa");
    const earlier = new Date(Date.parse((await started()) ?? "") - 3_600_000).toISOString();
    await database.run(sql`UPDATE store_schedules SET started_at = ${earlier}`);
    workers = [fleet.startWorker(), fleet.startWorker()];
    await ended(earlier);
    await expect.poll(synced, { timeout: 30_000 }).toEqual(allEntities);
    await expectAsOne();
  });

  it.runIf(isLong)(
    "sync each entity of each scope once in each of three intervals",
    async () => {
      await endWorkers();
      const startTimes = new Set([await started()]);
      workers = [0, 1].map(() => fleet.startWorker({ TENON_SYNC_MINUTES: "1" }));
      while (startTimes.size < 4) {
        await pause(200);
        startTimes.add(await started());
      }
      await ended([...startTimes].at(-2) ?? null);
      await expect.poll(synced, { timeout: 30_000 }).toEqual(allEntities.flatMap((name) => [name, name, name]));
    },
    400_000,
  );

  it("do a write once that all four get at once, and give all callers the same response", async () => {
    const params = { owner: "octocat", repo: "hello-world", title: "once" };
    const body = JSON.stringify({ entity: "issues", action: "create", params });
    const replies = await askAll(5, body, { ...authorized, "idempotency-key": "shared" });
    const answers = replies.map((reply) => good(reply));
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    // One of them was sent to the platform, the others repeat its response.
    expect(answers.filter(({ meta }) => JSON.stringify(meta).includes('"replayed":true'))).toHaveLength(replies.length - 1);
    expect(hello(platform.world).issues.filter(({ title }) => title === "once")).toHaveLength(1);
  });
});
