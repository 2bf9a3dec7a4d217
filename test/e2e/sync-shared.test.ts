import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import type { Store } from "../../runtime/store/store.ts";
import type { SyncResult } from "../../runtime/sync/index.ts";
import { type Platform, startPlatform } from "../../spec/github/simulator/start.ts";
import { unpaced } from "../support/fake-instance.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { entities, instanceOn, newFolder, plansOf, recordsOf, syncWith } from "./support/cache.ts";
import { addIssue, removeIssue } from "./support/change.ts";
import { dump, faultsOf } from "./support/dump.ts";
import { byKey } from "./support/live.ts";
import { found, hello } from "./support/world.ts";

// Two workers share the scopes of one instance among them. What they leave is what one worker alone leaves.

/** Scopes that have records in common: people are in several organizations, and own repositories. */
const scopes = [
  "repository=octocat/hello-world",
  "organization=tenon-labs",
  "organization=Paper-Guild",
  ...["octocat", "monalisa", "hubot", "defunkt"].map((login) => `user=${login}`),
];
const all = ["account", ...scopes].sort();

/** A place where stores are kept that share their records, as processes do. */
interface Place {
  open(): Promise<Store>;
  readonly file?: string;
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
    remove: async () => {
      for (const one of opened) await one.close();
      await place.close();
    },
  };
}

let platform: Platform;
let places: Place[] = [];
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(async () => {
  for (const place of places) await place.remove();
  places = [];
  platform.reset();
});
afterAll(() => platform.close());

const worker = async (place: Place, before: () => unknown = () => undefined) => {
  const store = await place.open();
  await store.ready;
  const instance = instanceOn(platform, store, "github", unpaced, before);
  const sync = (run: string, full: boolean) =>
    syncWith(instance, store, scopes, { full, massDelete: true, scheduled: { run, isCurrent: async () => true } });
  return { store, instance, sync };
};
const scopesOf = ({ entities: done }: SyncResult) => [...new Set(done.map(({ scope }) => scope))].sort();

/** All records, and what is noted of each entity in each scope, without times. */
async function contents({ store, instance }: Awaited<ReturnType<typeof worker>>) {
  const records: Record<string, object> = {};
  for (const entity of entities) records[entity] = byKey(entity, await recordsOf(store, instance, entity));
  const states = await store.states({ connector: "github", instance: "github" });
  return {
    records,
    states: states.map(({ scope, entity, records: count, position, newest, problem }) => ({
      ...{ scope, entity, count, position, newest, problem },
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
  it("take different scopes of a run, each once, and leave what one alone leaves", async () => {
    const [together, apart] = [await make(), await make()];
    places.push(together, apart);
    platform.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
    const began = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const first = await worker(together, () => {
      began.resolve();
      return gate.promise;
    });
    const second = await worker(together);
    const alone = await worker(apart);
    // The first one is held in the middle of its scopes, of which it has at most four.
    const running = first.sync("run 1", false);
    await began.promise;
    const others = await second.sync("run 1", false);
    expect(others.elsewhere.length).toBeGreaterThan(0);
    expect(scopesOf(others).length).toBeGreaterThanOrEqual(all.length - 4);
    gate.resolve();
    const own = await running;
    expect([...scopesOf(own), ...scopesOf(others)].sort()).toEqual(all);
    // All scopes of the run are done, so a third one finds nothing to do.
    expect(await second.sync("run 1", false)).toMatchObject({ entities: [], elsewhere: [] });
    await alone.sync("run 1", false);
    expect(await contents(second)).toEqual(await contents(alone));
    change();
    const both = await Promise.all([first.sync("run 2", true), second.sync("run 2", true)]);
    expect(both.flatMap(scopesOf).sort()).toEqual(all);
    await alone.sync("run 2", true);
    expect(await contents(first)).toEqual(await contents(alone));
    if (together.file !== undefined && apart.file !== undefined) {
      await Promise.all([first, second, alone].map(({ store }) => store.close()));
      expect(dump(together.file)).toEqual(dump(apart.file));
      expect(faultsOf(together.file)).toEqual([]);
    }
  });

  it("refuse each other a scope that was named, and leave it other ones", async () => {
    const place = await make();
    places.push(place);
    const began = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const first = await worker(place, () => {
      began.resolve();
      return gate.promise;
    });
    const second = await worker(place);
    const named = (one: typeof first, ...given: string[]) => syncWith(one.instance, one.store, given, { entities: ["users"] });
    const running = named(first, "user=octocat", "user=monalisa");
    await began.promise;
    await expect(named(second, "user=hubot", "user=monalisa")).rejects.toMatchObject({ code: "sync_running" });
    const other = await named(second, "user=hubot");
    expect(other).toMatchObject({ outcome: "complete" });
    expect(other.entities.map(({ scope }) => scope)).toContain("user=hubot");
    gate.resolve();
    expect((await running).outcome).toBe("complete");
    expect((await named(second, "user=monalisa")).outcome).toBe("complete");
  });
});
