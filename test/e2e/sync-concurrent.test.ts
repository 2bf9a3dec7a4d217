import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TenonError } from "../../runtime/base/errors.ts";
import type { Condition } from "../../runtime/search/index.ts";
import { forgetInstance } from "../../runtime/sync/index.ts";
import { startPlatform } from "../support/github/start.ts";
import { allScopes, type Cache, entities, hello, openCache, type Row } from "./support/cache.ts";
import { useCaches } from "./support/caches.ts";
import { removeIssue } from "./support/change.ts";
import { expectEqual } from "./support/live.ts";
import { hello as helloOf } from "./support/world.ts";

// Several instances, and several processes, that keep their records in one file.

const running = useCaches({ synced: { scopes: allScopes } });
const { open } = running;

/** Holds every call to the platform until `end`, so that a sync is certainly still running; `began` says that a first call is there. */
function gate(): { readonly began: Promise<void>; readonly end: () => void; readonly before: () => Promise<void> } {
  const first = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  return {
    began: first.promise,
    end: open.resolve,
    before: () => {
      first.resolve();
      return open.promise;
    },
  };
}

describe("two instances in one file", () => {
  it("do not see each other's records, words, counts, states and removals", async () => {
    const other = await startPlatform({ seed: 99 });
    other.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
    const some = ["comments", "labels"];
    const mine = [...some, "issues", "pull_requests"];
    try {
      const cache = await open();
      const before = Object.fromEntries(
        await Promise.all(entities.map(async (entity) => [entity, await cache.records(entity)] as const)),
      );
      const states = await cache.states();
      for (const issue of helloOf(other.world).issues) issue.title = "Zanzibar";
      const second = await openCache(other, { dataDir: cache.dataDir, name: "second" });
      onTestFinished(() => second.close());
      expect(await second.states()).toEqual([]);
      expect(await second.records("issues")).toEqual([]);
      expect((await second.sync([hello], { entities: some })).outcome).toBe("complete");
      await expectEqual(second, [hello], mine);
      expect(
        Object.fromEntries(await Promise.all(entities.map(async (entity) => [entity, await cache.records(entity)] as const))),
      ).toEqual(before);
      expect(await cache.states()).toEqual(states);
      // Filters that find records of one instance find none of the other, by whichever index.
      const title = (operator: string, operand: unknown) => ({ kind: "test", operator, field: "title", operand }) as Condition;
      const ways: Condition[] = [
        title("keyword", "zanzibar"),
        title("fuzzy", "zanzibra"),
        title("like", "Zan%"),
        title("like", "%anziba%"),
        title("eq", "Zanzibar"),
        title("in", ["Zanzibar", "x"]),
        title("gte", "Zanzibar"),
        { kind: "not", condition: { kind: "not", condition: title("eq", "Zanzibar") } },
        { kind: "or", conditions: [title("eq", "Zanzibar"), title("keyword", "zanzibar")] },
        { kind: "and", conditions: [title("keyword", "zanzibar"), title("eq", "Zanzibar")] },
      ];
      const collection = { connector: "github", entity: "issues" };
      const late = performance.now() + 20_000;
      const query = { limit: 10_000, fields: null, explain: false };
      for (const filter of ways)
        for (const sort of [[], [{ field: "updatedAt", direction: "desc" }], [{ field: "title", direction: "asc" }]] as const) {
          const titles = async ({ store }: Cache, instance: string) => {
            const { json } = await store.search({ ...collection, instance }, { ...query, filter, sort }, late);
            return (JSON.parse(new TextDecoder().decode(json)) as Row[]).map((row) => row["title"]);
          };
          expect((await titles(cache, "github")).filter((one) => one === "Zanzibar")).toEqual([]);
          const own = (await titles(second, "second")).filter((one) => one === "Zanzibar");
          expect(own.length).toBe(helloOf(other.world).issues.length);
        }
      // A removal in one instance removes nothing from the other.
      const made = helloOf(other.world);
      for (const issue of made.issues.slice(1)) removeIssue(made, issue);
      expect((await second.sync([hello], { entities: some, full: true, massDelete: true })).outcome).toBe("complete");
      await expectEqual(second, [hello], mine);
      expect(
        Object.fromEntries(await Promise.all(entities.map(async (entity) => [entity, await cache.records(entity)] as const))),
      ).toEqual(before);
      expect(await cache.states()).toEqual(states);
    } finally {
      await other.close();
    }
  });
});

describe("a second sync at the same time", () => {
  it("is refused, and the first one is not disturbed", async () => {
    const { began, end, before } = gate();
    const cache = await open({ before });
    const running = cache.sync();
    await began;
    await expect(cache.sync()).rejects.toMatchObject({ code: "sync_running" } satisfies Partial<TenonError>);
    const place = { connector: "github", instance: "github" };
    expect(await cache.store.leased(place)).toBe(true);
    end();
    expect((await running).outcome).toBe("complete");
    expect(await cache.store.leased(place)).toBe(false);
    expect((await cache.sync([hello], { entities: ["labels"] })).outcome).toBe("complete");
  });

  it("is refused to another process too, but not to another instance", async () => {
    const { began, end, before } = gate();
    const cache = await open({ before });
    const other = await open({ dataDir: cache.dataDir });
    const third = await open({ dataDir: cache.dataDir, name: "third" });
    const running = cache.sync();
    await began;
    await expect(other.sync()).rejects.toMatchObject({ code: "sync_running" });
    expect((await third.sync([hello], { entities: ["labels"] })).outcome).toBe("complete");
    end();
    expect((await running).outcome).toBe("complete");
    expect((await other.sync([hello], { entities: ["labels"] })).outcome).toBe("complete");
  });

  it("ends when another process removes the instance, stores nothing more, and none can begin after it", async () => {
    const { began, end, before } = gate();
    const cache = await open();
    await cache.sync([hello], { entities: ["labels"] });
    const held = await open({ dataDir: cache.dataDir, before });
    const remover = await open({ dataDir: cache.dataDir });
    const running = held.sync();
    await began;
    const place = { connector: "github", instance: "github" };
    const gone = { code: "unknown_connector", message: "This connector was removed." };
    await forgetInstance(place, remover.store, new AbortController().signal, async () => {
      expect(await remover.states()).toEqual([]);
      // While the removal is still under way.
      end();
      await expect(running).rejects.toMatchObject(gone);
    });
    await expect(cache.sync()).rejects.toMatchObject(gone);
    expect([await cache.states(), await cache.records("labels")]).toEqual([[], []]);
  });

  it("keeps an instance whose removal fails", async () => {
    const cache = await open();
    const place = { connector: "github", instance: "github" };
    const failing = forgetInstance(place, cache.store, new AbortController().signal, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect((await cache.sync([hello], { entities: ["labels"] })).outcome).toBe("complete");
  });

  it("may take over when the first one has died and its time is up", async () => {
    const cache = await open();
    const place = { connector: "github", instance: "github" };
    expect(await cache.store.lease(place, "one that died", 60)).not.toBeNull();
    await expect(cache.sync()).rejects.toMatchObject({ code: "sync_running" });
    const db = new Database(cache.file);
    db.prepare("UPDATE store_leases SET until = ?").run(Date.now() - 1);
    db.close();
    expect((await cache.sync([hello], { entities: ["labels"] })).outcome).toBe("complete");
  });
});
