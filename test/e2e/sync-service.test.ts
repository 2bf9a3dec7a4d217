import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { shaped } from "../support/shaped.ts";
import { hello, newFolder, openCache } from "./support/cache.ts";
import { faultsOf } from "./support/dump.ts";
import { bad, good, type Options, pause, startTenon, type Tenon } from "./support/service.ts";
import { hello as helloOf } from "./support/world.ts";

// The state of the cache as the service reports it, and scheduled syncs.

const path = (id: string) => `/api/v1/integrations/connectors/${id}/sync`;

interface Told {
  readonly data: { readonly scope: string; readonly entity: string; readonly state: string; readonly records: number }[];
  readonly meta: { readonly running: boolean; readonly schedule: { readonly started_at: string | null } | null };
}

let platform: Platform;
let folders: string[] = [];
let running: Tenon[] = [];

beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(async () => {
  for (const { service } of running) await service.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  running = [];
  folders = [];
  platform.reset();
});
afterAll(() => platform.close());

function folder(): string {
  const made = newFolder();
  folders.push(made);
  return made;
}

async function serve(dataDir: string, options: Options = {}): Promise<Tenon> {
  const tenon = await startTenon(platform, { dataDir, ...options });
  running.push(tenon);
  return tenon;
}

const told = async (tenon: Tenon) => shaped<Told>(good(await tenon.send("GET", path("github"), undefined)));

async function until(tenon: Tenon, holds: (now: Told) => boolean): Promise<Told> {
  for (;;) {
    const now = await told(tenon);
    if (holds(now)) return now;
    await pause(10);
  }
}

const ended = ({ data, meta }: Told) => !meta.running && meta.schedule?.started_at !== null && data.length > 0;

/** Makes the store say that the last scheduled sync began long ago. */
function longAgo(dataDir: string): void {
  const db = new Database(join(dataDir, "context-store.sqlite"));
  db.prepare("UPDATE store_schedules SET started_at = '2020-01-01T00:00:00.000Z'").run();
  db.close();
}

const users = { syncScopes: ["user=octocat"], syncMinutes: 60 };

describe("the state of a sync", () => {
  it("is empty before the first one", async () => {
    const tenon = await serve(folder());
    expect(await told(tenon)).toEqual({ data: [], meta: { running: false, semantic: [], schedule: null } });
  });

  it("names every entity of every scope with its records, its times and its problem", async () => {
    const dataDir = folder();
    const cache = await openCache(platform, {
      dataDir,
      before: (operation) => void (operation === "TagsList" && platform.fail({ kind: "forbidden" })),
    });
    const end = new AbortController();
    await cache.sync([hello], { entities: ["labels", "tags"] });
    const stop = (entity: string) => void (entity === "commits" && end.abort());
    await cache.sync([hello], { entities: ["commits"], signal: end.signal, onProgress: ({ entity }) => stop(entity) });
    await cache.close();
    const { data, meta } = await told(await serve(dataDir));
    expect(meta).toEqual({ running: false, semantic: [], schedule: null });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const problem = (code: string, message: RegExp) => ({ code, message: expect.stringMatching(message) });
    const still = { position: null, next_sync_at: null, verification: null, misfits: {} };
    const never = { synced_at: null, full_sync_at: null, verified_at: null, ...still };
    expect(data).toEqual([
      {
        scope: hello,
        entity: "commits",
        state: "interrupted",
        records: 100,
        hidden: 0,
        repeated: 0,
        ...never,
        position: { full: true, step: 0, parent: null },
        calls: 1,
        points: 1,
        problem: problem("shutting_down", /was stopped.*next sync continues/),
      },
      {
        scope: hello,
        entity: "labels",
        state: "complete",
        records: 10,
        hidden: 0,
        repeated: 0,
        synced_at: time,
        full_sync_at: time,
        verified_at: time,
        ...still,
        calls: 1,
        points: 1,
        problem: null,
      },
      {
        scope: hello,
        entity: "tags",
        state: "failed",
        records: 0,
        hidden: 0,
        repeated: 0,
        ...never,
        calls: 1,
        points: 1,
        problem: problem("platform_forbidden", /token may not read.*permission/),
      },
    ]);
  });

  it("is refused without the key, for unknown connectors, and with a method that it does not take", async () => {
    const tenon = await serve(folder());
    bad(await tenon.send("GET", path("github"), undefined, {}), 401, "unauthorized");
    bad(
      await tenon.send("GET", path("github"), undefined, { authorization: "Bearer wrong-key-0000000000" }),
      401,
      "unauthorized",
    );
    bad(await tenon.send("GET", path("bitbucket"), undefined), 404, "unknown_connector");
    bad(await tenon.send("GET", path("__proto__"), undefined), 404, "unknown_connector");
    bad(await tenon.send("PUT", path("github"), "{}"), 405, "method_not_allowed");
  });
});

describe("a scheduled sync", () => {
  it("begins with the service, shows in the state, and fills the cache", async () => {
    const tenon = await serve(folder(), users);
    const { data, meta } = await until(tenon, ended);
    expect(meta).toEqual({
      running: false,
      semantic: [],
      schedule: { scopes: ["user=octocat"], every_minutes: 60, started_at: expect.stringMatching(/^\d{4}-/) },
    });
    expect(data.map(({ scope, entity, state }) => [scope, entity, state])).toEqual([
      ["account", "viewer", "complete"],
      ["account", "viewer_repositories", "complete"],
      ["user=octocat", "organizations", "complete"],
      ["user=octocat", "repositories", "complete"],
      ["user=octocat", "users", "complete"],
    ]);
    const found = good(
      await tenon.run("users", "context_store_search", { query: { filter: { eq: { login: "octocat" } } }, fields: ["login"] }),
    );
    expect(found["data"]).toEqual([{ login: "octocat" }]);
  });

  it("does not begin again when the service is restarted within the interval, but does afterwards", async () => {
    const dataDir = folder();
    const first = await serve(dataDir, users);
    const before = await until(first, ended);
    await first.service.close();
    const calls = platform.requests.length;
    const second = await serve(dataDir, users);
    await pause(300);
    expect(await told(second)).toEqual(before);
    expect(platform.requests.length).toBe(calls);
    await second.service.close();
    longAgo(dataDir);
    const third = await serve(dataDir, users);
    await until(third, (now) => ended(now) && platform.requests.length > calls);
  });

  it("no longer shows in the state after it was removed from the settings", async () => {
    const dataDir = folder();
    const first = await serve(dataDir, users);
    await until(first, ended);
    await first.service.close();
    expect((await told(await serve(dataDir))).meta.schedule).toBe(null);
  });

  it("ends in order with the service, and goes on as soon as the next one has started", async () => {
    const dataDir = folder();
    const options = { syncScopes: [hello], syncMinutes: 60 };
    // It cannot come to its end before the service does.
    const held = Promise.withResolvers<void>();
    platform.fail({ kind: "held", until: held.promise, skip: 12, times: Number.POSITIVE_INFINITY });
    const first = await serve(dataDir, options);
    const during = await until(
      first,
      ({ data, meta }) => meta.running && data.some(({ entity, records }) => entity === "comments" && records > 50),
    );
    expect(during.data.find(({ entity }) => entity === "comments")?.state).toBe("running");
    expect(await first.service.close()).toBe(true);
    held.resolve();
    expect(faultsOf(join(dataDir, "context-store.sqlite"))).toEqual([]);
    // The interval has not passed, and a sync that was cut off does not wait for it.
    const second = await serve(dataDir, options);
    const after = await until(second, ({ data, meta }) => !meta.running && data.every(({ state }) => state === "complete"));
    const comments = [...helloOf(platform.world).issues, ...helloOf(platform.world).pullRequests].flatMap(
      (thread) => thread.comments,
    );
    expect(after.data.find(({ entity }) => entity === "comments")?.records).toBe(comments.length);
  });

  it("with invalid scopes prevents the service from starting, with a helpful message", async () => {
    const start = serve(folder(), { syncScopes: ["repositry=a/b"], syncMinutes: 60 });
    await expect(start).rejects.toThrow(/"repositry".*Did you mean "repository"/);
  });
});
