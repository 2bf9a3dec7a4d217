import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../runtime/sql/index.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import type { Store } from "../../runtime/store/store.ts";
import type { SyncResult } from "../../runtime/sync/index.ts";
import { unpaced } from "../support/fake-instance.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { entities, instanceOn, newFolder, plansOf, recordsOf, syncWith } from "./support/cache.ts";
import { addIssue, keepFirst, removeIssue } from "./support/change.ts";
import { dump, faultsOf } from "./support/dump.ts";
import { byKey } from "./support/live.ts";
import { found, hello } from "./support/world.ts";

// Two workers share the scopes of one instance among them, and the entities of a scope. What they leave is what one worker alone leaves.

/** Scopes that have records in common: people are in several organizations, and own repositories. */
const scopes = [
  "repository=octocat/hello-world",
  "organization=tenon-labs",
  "organization=Paper-Guild",
  ...["octocat", "monalisa", "hubot", "defunkt"].map((login) => `user=${login}`),
];
const all = ["account", ...scopes].sort();
const one = "repository=octocat/hello-world";
/** The entities of that scope that only one worker may read at a time, and the first call for them. */
const syncGroup = ["issues", "pull_requests", "comments", "pr_comments", "reviews"];
const firstOfSyncGroup = "IssuesSync";

/** A place where stores are kept that share their records, as processes do. */
interface Place {
  open(): Promise<Store>;
  readonly file?: string;
  /** Ends the lease of the issues, as if their worker had been suspended for longer than it lasts. */
  expire(): Promise<void>;
  remove(): Promise<void>;
}

async function sqlite(): Promise<Place> {
  const dataDir = newFolder();
  const opened: Store[] = [];
  const file = join(dataDir, "context-store.sqlite");
  const closeAll = () => Promise.all(opened.splice(0).map((store) => store.close()));
  return {
    file,
    open: async () => {
      const store = new SqliteStore({ dataDir, plans: plansOf(unpaced), searchTime: 100_000 });
      opened.push(store);
      return store;
    },
    expire: async () => {
      const db = new Database(file);
      const { changes } = db.prepare("UPDATE store_leases SET until = 1 WHERE sync_group = 'issues' AND until > 1").run();
      db.close();
      expect(changes).toBe(1);
    },
    remove: async () => {
      await closeAll();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function postgres(): Promise<Place> {
  const place = await startOnServer();
  const opened: { close(): Promise<unknown> }[] = [];
  return {
    open: async () => {
      const database = place.open();
      const store = new PostgresStore({ database, plans: plansOf(unpaced), searchTime: 100_000 });
      opened.unshift(store);
      opened.push(database);
      return store;
    },
    expire: async () => {
      const database = place.open();
      expect(await database.run(sql`UPDATE store_leases SET until = 1 WHERE sync_group = 'issues' AND until > 1`)).toBe(1);
      await database.close();
    },
    remove: async () => {
      for (const one of opened) await one.close();
      await place.close();
    },
  };
}

let platform: Platform;
let places: Place[] = [];
/** Who reads what does not depend on how many threads there are. */
const shorten = () => keepFirst(hello(platform.world), 40, 10);
beforeAll(async () => {
  platform = await startPlatform();
  shorten();
});
afterEach(async () => {
  for (const place of places) await place.remove();
  places = [];
  platform.reset();
  shorten();
});
afterAll(() => platform.close());

const worker = async (place: Place, before: (operation: string) => unknown = () => undefined) => {
  const store = await place.open();
  await store.ready;
  const instance = instanceOn(platform, store, "github", unpaced, before);
  const sync = (startedAt: string, full: boolean, given: readonly string[] = scopes) =>
    syncWith(instance, store, given, { full, massDelete: true, scheduled: { startedAt, isCurrent: async () => true } });
  return { store, instance, sync };
};
const scopesOf = ({ entities: done }: SyncResult) => [...new Set(done.map(({ scope }) => scope))].sort();
/** The entities that syncs have read, each with its scope. */
const readBy = (...results: readonly SyncResult[]) =>
  results.flatMap(({ entities: done }) => done.map(({ scope, entity }) => `${scope} ${entity}`)).sort();

/** Holds calls of an operation, or all calls, until they may go on. */
function gate(held?: string) {
  const arrived = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const before = (operation: string) => {
    if (held !== undefined && operation !== held) return;
    arrived.resolve();
    return open.promise;
  };
  return { arrived: arrived.promise, open: open.resolve, before };
}

/** All records, and what is noted of each entity in each scope, without times. */
async function contents({ store, instance }: Awaited<ReturnType<typeof worker>>) {
  const records: Record<string, object> = {};
  for (const entity of entities) records[entity] = byKey(entity, await recordsOf(store, instance, entity));
  const states = await store.states({ connector: "github", instance: "github" });
  return {
    records,
    states: states.map(({ scope, entity, records: count, checkpoint, newest, problem }) => ({
      ...{ scope, entity, count, checkpoint, newest, problem },
    })),
  };
}

/** Changes the platform's data: records go out of one of their scopes, out of all of them, and new ones come. */
function change(): void {
  const { world } = platform;
  const repository = hello(world);
  removeIssue(repository, found(repository.issues[3]));
  addIssue(repository, "2026-01-01T00:00:00Z");
  const organization = found(world.organizations.find(({ login }) => login === "tenon-labs"));
  organization.memberships = organization.memberships.filter(({ user }) => user.login !== "monalisa");
  organization.teams.pop();
}

describe.each<[string, () => Promise<Place>]>([
  ["SQLite", sqlite],
  ...(hasServer ? ([["PostgreSQL", postgres]] as [string, () => Promise<Place>][]) : []),
])("two workers over %s", (_name, make) => {
  it("take different scopes of a scheduled sync, each once, and leave what one alone leaves", async () => {
    const [together, apart] = [await make(), await make()];
    places.push(together, apart);
    platform.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
    const { arrived, open, before } = gate();
    const first = await worker(together, before);
    const second = await worker(together);
    const alone = await worker(apart);
    // The first one is held in the middle of its scopes, of which it has at most four.
    const running = first.sync("sync 1", false);
    await arrived;
    const others = await second.sync("sync 1", false);
    expect(others.elsewhere.length).toBeGreaterThan(0);
    expect(others.entities.filter(({ outcome }) => outcome !== "complete")).toEqual([]);
    open();
    const own = await running;
    // All scopes of the scheduled sync are done, so a third one finds nothing to do.
    expect(await second.sync("sync 1", false)).toMatchObject({ entities: [], elsewhere: [] });
    const every = await alone.sync("sync 1", false);
    expect(scopesOf(every)).toEqual(all);
    expect(readBy(own, others)).toEqual(readBy(every));
    expect(await contents(second)).toEqual(await contents(alone));
    change();
    const both = await Promise.all([first.sync("sync 2", true), second.sync("sync 2", true)]);
    expect(readBy(...both)).toEqual(readBy(every));
    await alone.sync("sync 2", true);
    expect(await contents(first)).toEqual(await contents(alone));
    if (together.file !== undefined && apart.file !== undefined) {
      await Promise.all([first, second, alone].map(({ store }) => store.close()));
      expect(dump(together.file)).toEqual(dump(apart.file));
      expect(faultsOf(together.file)).toEqual([]);
    }
  });

  it("read entities of one scope at the same time, each once, and write nothing of those that another one has taken over", async () => {
    const [together, apart] = [await make(), await make()];
    places.push(together, apart);
    platform.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
    const gates = [gate(firstOfSyncGroup), gate(firstOfSyncGroup)];
    let turn = 0;
    const first = await worker(together, (operation) => gates[turn]?.before(operation));
    const second = await worker(together);
    const alone = await worker(apart);
    const every = await alone.sync("sync 1", false, [one]);
    const running = first.sync("sync 1", false, [one]);
    await gates[0]?.arrived;
    // The first one can go on with nothing of the scope, so the other one reads all that does not belong to the issues.
    const others = await second.sync("sync 1", false, [one]);
    expect(others.elsewhere).toEqual([one]);
    const left = readBy(every).filter((name) => !readBy(others).includes(name));
    expect(left.filter((name) => syncGroup.some((entity) => name === `${one} ${entity}`))).toHaveLength(syncGroup.length);
    expect(readBy(others).length).toBeGreaterThan(syncGroup.length);
    gates[0]?.open();
    const own = await running;
    expect(readBy(own, others)).toEqual(readBy(every));
    expect(await contents(second)).toEqual(await contents(alone));

    change();
    turn = 1;
    const suspended = first.sync("sync 2", true, [one]);
    await gates[1]?.arrived;
    await together.expire();
    const taken = await second.sync("sync 2", true, [one]);
    expect(taken.elsewhere).toEqual([]);
    expect(readBy(taken)).toEqual(expect.arrayContaining(syncGroup.map((entity) => `${one} ${entity}`)));
    await alone.sync("sync 2", true, [one]);
    // What the first one reads now is newer than what is stored.
    addIssue(hello(platform.world), "2026-02-01T00:00:00Z");
    gates[1]?.open();
    await expect(suspended).rejects.toMatchObject({ code: "sync_running" });
    expect(await contents(second)).toEqual(await contents(alone));
    if (together.file !== undefined && apart.file !== undefined) {
      await Promise.all([first, second, alone].map(({ store }) => store.close()));
      expect(dump(together.file)).toEqual(dump(apart.file));
      expect(faultsOf(together.file)).toEqual([]);
    }
  });

  it("refuse each other a scope that was named, and leave it other ones", async () => {
    const place = await make();
    places.push(place);
    const { arrived, open, before } = gate();
    const first = await worker(place, before);
    const second = await worker(place);
    const named = (one: typeof first, ...given: string[]) => syncWith(one.instance, one.store, given, { entities: ["users"] });
    const running = named(first, "user=octocat", "user=monalisa");
    await arrived;
    await expect(named(second, "user=hubot", "user=monalisa")).rejects.toMatchObject({ code: "sync_running" });
    const other = await named(second, "user=hubot");
    expect(other).toMatchObject({ outcome: "complete" });
    expect(other.entities.map(({ scope }) => scope)).toContain("user=hubot");
    open();
    expect((await running).outcome).toBe("complete");
    expect((await named(second, "user=monalisa")).outcome).toBe("complete");
  });
});

it("a worker alone makes the calls of a sync by hand, whether anything has changed or not", async () => {
  const made = [await sqlite(), await sqlite()];
  places.push(...made);
  platform.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
  const calls: [string[], string[]] = [[], []];
  const [byHand, alone] = await Promise.all(made.map((place, at) => worker(place, (operation) => calls[at]?.push(operation))));
  for (const at of ["sync 1", "sync 2"]) {
    if (byHand !== undefined) await syncWith(byHand.instance, byHand.store, [one]);
    await alone?.sync(at, false, [one]);
    expect(calls[1].sort()).toEqual(calls[0].sort());
  }
});
