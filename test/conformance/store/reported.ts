import { expect } from "vitest";
import type { Store, StoreSearch } from "../../../runtime/store/store.ts";
import { type Case, checkpoint, collection, instance, kept, page, whole } from "./case.ts";

// What a search reports of the syncs of its collection.

async function syncOf(store: Store, query: Partial<StoreSearch> = {}) {
  const { sync } = await store.search(collection, { ...whole, ...query }, performance.now() + 100_000);
  return { ...sync, reported: sync.reported.map(({ scope, completedAt, problem }) => [scope, completedAt !== null, problem]) };
}

async function complete(store: Store, ...scopes: readonly string[]): Promise<void> {
  for (const scope of scopes) {
    await store.save({ ...collection, scope }, page("a"));
    await store.finish({ ...collection, scope }, checkpoint(1), kept);
  }
}

/** More scopes than a search reports. */
const many = Array.from({ length: 25 }, (_, index) => `repository=a/${index + 10}`);
const last = "repository=z/z";

/** Instead of waiting for two intervals: this one was over before it began. */
const over = -60;

export const reported: readonly Case[] = [
  [
    "reports the scopes that are not complete, that failed, or that are older than the schedule allows",
    async (store) => {
      const named = async (...scopes: string[]) => (await syncOf(store, { scopes })).reported;
      const { scope } = collection;
      // A failed call is all that there is of this scope: it has no record, so the entity may have no tables yet.
      await store.fail({ ...collection, scope: "Broken" }, "platform_unauthorized");
      const broken = ["Broken", false, "platform_unauthorized"];
      expect(await syncOf(store)).toEqual({ scopes: 1, reported: [broken], schedule: null, misfits: {} });
      await complete(store, scope);
      expect(await syncOf(store)).toEqual({ scopes: 2, reported: [broken], schedule: null, misfits: {} });
      expect(await named(scope.toUpperCase())).toEqual([[scope, true, null]]);
      expect(await named(scope, "Broken", "broken")).toEqual([broken, [scope, true, null]].sort());
      expect(await named("another")).toEqual([]);
      expect((await syncOf(store, { groupBy: ["id"] })).reported).toEqual([broken]);

      await store.forget(instance, "Broken");
      expect((await syncOf(store)).reported).toEqual([]);
      await store.setSchedule(collection, { scopes: [scope], minutes: 60 });
      expect(await syncOf(store)).toEqual({
        scopes: 1,
        reported: [],
        schedule: { scopes: [scope], minutes: 60, due: null },
        misfits: {},
      });
      await store.setSchedule(collection, { scopes: [scope], minutes: over });
      expect((await syncOf(store)).reported).toEqual([[scope, true, null]]);
    },
  ],
  [
    "reports the values that do not fit the spec, of the scopes that the search names or of all, until a sync finds none",
    async (store) => {
      const misfits = async (scopes?: readonly string[]) => (await syncOf(store, scopes === undefined ? {} : { scopes })).misfits;
      const [one = "", other = ""] = many;
      await complete(store, one, other);
      expect(await misfits()).toEqual({});
      await store.note({ ...collection, scope: one }, { misfits: { "number unexpected_type": 2, "title unexpected_type": 1 } });
      await store.note({ ...collection, scope: other }, { misfits: { "number unexpected_type": 3 } });
      await store.note({ ...collection, scope: other, entity: "another" }, { misfits: { "number unexpected_type": 9 } });
      expect(await misfits()).toEqual({ "number unexpected_type": 5, "title unexpected_type": 1 });
      expect(await misfits([other.toUpperCase()])).toEqual({ "number unexpected_type": 3 });
      expect(await misfits(["repository=none"])).toEqual({});
      await store.note({ ...collection, scope: other }, { misfits: null });
      expect(await misfits([other])).toEqual({});
    },
  ],
  [
    "reports an old scope only where it is on the schedule, and one without parameters always is",
    async (store) => {
      await complete(store, ...many, last);
      await store.setSchedule(collection, { scopes: ["repository=other/one"], minutes: over });
      expect((await syncOf(store)).reported).toEqual([]);
      await store.setSchedule(collection, { scopes: [last.toUpperCase()], minutes: over });
      expect((await syncOf(store)).reported).toEqual([[last, true, null]]);
      await store.fail({ ...collection, scope: last }, "platform_failed");
      expect((await syncOf(store)).reported).toEqual([[last, true, "platform_failed"]]);
      await complete(store, "all");
      expect((await syncOf(store)).reported).toEqual([
        [last, true, "platform_failed"],
        ["all", true, null],
      ]);
    },
  ],
  [
    "reports the scopes that failed before those that are incomplete, cut off or old, where there are too many",
    async (store) => {
      await complete(store, ...many.slice(0, 5));
      await store.setSchedule(collection, { scopes: many, minutes: over });
      for (const scope of many.slice(5, 15)) await store.save({ ...collection, scope }, page("a"));
      for (const scope of many.slice(15)) await store.fail({ ...collection, scope }, "shutting_down");
      await store.fail({ ...collection, scope: last }, "platform_failed");
      const all = (await syncOf(store)).reported;
      expect(all).toHaveLength(20);
      expect(all[0]).toEqual([last, false, "platform_failed"]);
      expect(all.filter(([, isComplete]) => isComplete)).toEqual([]);
    },
  ],
  [
    "takes the letters of ASCII alike in upper and lower case, and each other one as it is",
    async (store) => {
      const scope = "project=ÄRZTE";
      await complete(store, scope);
      const named = async (name: string) => (await syncOf(store, { scopes: [name] })).reported;
      expect(await named(scope)).toEqual([[scope, true, null]]);
      expect(await named("Project=Ärzte")).toEqual([[scope, true, null]]);
      expect(await named("project=ärzte")).toEqual([]);
      await store.setSchedule(collection, { scopes: ["project=Ärzte"], minutes: over });
      expect((await syncOf(store)).reported).toEqual([[scope, true, null]]);
    },
  ],
];
