import { expect } from "vitest";
import type { ChangesQuery } from "../../../runtime/store/change-log.ts";
import type { Store } from "../../../runtime/store/store.ts";
import { type Case, checkpoint, collection, instance, kept, page, parts, records } from "./case.ts";

// The change log, and the records that it names.

/** The changes of an instance as texts: number, entity, kind, key, and what changed. */
async function logged(store: Store, query: Partial<ChangesQuery> = {}): Promise<string[]> {
  const { changes } = await store.changes(instance, { from: 0, limit: 10_000, entities: null, ...query });
  return changes.map(({ sequence, entity, kind, key, fields }) => [sequence, entity, kind, key, ...fields].join(" "));
}

const retitled = (id: string, title: string | null) => ({ id, title, size: 1 });

export const changes: readonly Case[] = [
  [
    "says what each sync run created, updated and deleted",
    async (store) => {
      await store.save(collection, page("ab"));
      await store.save(collection, page("ab", 2));
      await store.save(collection, { records: [retitled("a", "New"), { id: "b", size: 2 }], checkpoint: checkpoint(3) });
      await store.save(collection, { records: [retitled("a", "New")], checkpoint: checkpoint(4) });
      await store.finish(collection, checkpoint(4), kept);
      expect(await logged(store)).toEqual([
        "0 things created a",
        "1 things created b",
        "2 things updated a title",
        "3 things updated b title size",
        "4 things deleted b",
      ]);
      const { changes, ...slice } = await store.changes(instance, { from: 4, limit: 10, entities: null });
      expect(slice).toEqual({ log: expect.stringMatching(/^\w{12}$/), first: 0, next: 5, position: 5 });
      expect(changes[0]).toMatchObject({ scope: "all", at: expect.any(Number) });
    },
  ],
  [
    "has a record once for each transaction, as it is at its end",
    async (store) => {
      await store.save(collection, { records: [retitled("a", "One"), retitled("a", "Two")], checkpoint: checkpoint(1) });
      const both = [retitled("a", "Three"), { id: "a", title: "Three", size: 2 }];
      await store.save(collection, { records: both, checkpoint: checkpoint(2) });
      expect(await logged(store)).toEqual(["0 things created a", "1 things updated a title size"]);
    },
  ],
  [
    "names the fields that a record has because of the places where it was found",
    async (store) => {
      const people = { ...collection, entity: "people" };
      const one = (teams: string, run: number) => ({ records: [{ id: "a", teams: [teams] }], checkpoint: checkpoint(run) });
      await store.save({ ...people, scope: "x" }, one("red", 1));
      await store.save({ ...people, scope: "y" }, one("blue", 1));
      await store.forget(instance, "x");
      expect(await logged(store)).toEqual(["0 people created a", "1 people updated a teams", "2 people updated a teams"]);
    },
  ],
  [
    "has nothing of what was rolled back, refused, or the same as before",
    async (store) => {
      await store.save(collection, page("abc"));
      await store.save(collection, page("a", 2));
      expect(await store.finish(collection, checkpoint(2), kept)).toMatchObject({ refused: true });
      await expect(store.save(collection, page("xyz", 1))).rejects.toMatchObject({ code: "sync_running" });
      await expect(store.save({ ...collection, fencingToken: 7 }, page("xyz", 3))).rejects.toMatchObject({
        code: "sync_running",
      });
      expect(await logged(store)).toHaveLength(3);
    },
  ],
  [
    "has what goes with a parent and with a scope",
    async (store) => {
      await store.save(collection, page("ab"));
      await store.save(parts, page("xy", 1, { parent: "a" }));
      await store.save(parts, page("x", 2, { parent: "a", parentDone: { key: "a", marker: "m" } }));
      await store.finish(parts, checkpoint(2, false), { massDelete: false, parents: ["things"] });
      await store.forget(instance, "all");
      expect((await logged(store, { from: 4 })).sort()).toEqual([
        "4 parts deleted y",
        "5 things deleted a",
        "6 things deleted b",
        "7 parts deleted x",
      ]);
    },
  ],
  [
    "is read in parts, of some entities, from any place",
    async (store) => {
      const ids = Array.from({ length: 450 }, (_, at) => `t${at}`);
      await store.save(collection, { records: records(...ids), checkpoint: checkpoint(1) });
      await store.save(parts, page("xyz"));
      const read: string[] = [];
      for (let from = 0; ; ) {
        const slice = await store.changes(instance, { from, limit: 130, entities: null });
        expect(slice.changes.length).toBeLessThanOrEqual(130);
        expect(slice.changes.map(({ sequence }) => sequence)).toEqual(slice.changes.map((_, at) => from + at));
        read.push(...slice.changes.map(({ key }) => key));
        if (slice.position === slice.next) break;
        from = slice.position;
      }
      expect(read).toEqual([...ids, "x", "y", "z"]);
      expect(await logged(store, { entities: ["parts"], limit: 2 })).toEqual(["450 parts created x", "451 parts created y"]);
      expect(await store.changes(instance, { from: 0, limit: 2, entities: ["parts"] })).toMatchObject({ position: 452 });
      expect(await store.changes(instance, { from: 0, limit: 5, entities: ["lights"] })).toMatchObject({ position: 453 });
      expect(await store.changes({ ...instance, instance: "two" }, { from: 0, limit: 5, entities: null })).toEqual({
        log: "",
        first: 0,
        next: 0,
        changes: [],
        position: 0,
      });
    },
  ],
  [
    "keeps every key as it is",
    async (store) => {
      const keys = ["it's", '"', "\\", "é\u{1f600}", "a\u0000b", "new\nline"];
      await store.save(collection, { records: records(...keys), checkpoint: checkpoint(1) });
      const { changes } = await store.changes(instance, { from: 0, limit: 10, entities: null });
      expect(changes.map(({ key }) => key)).toEqual(keys);
      const now = await store.current(collection, keys);
      expect(now.map(({ key }) => key).sort()).toEqual(keys.sort());
    },
  ],
  [
    "begins anew, under another name, for an instance that was removed",
    async (store) => {
      await store.save(collection, page("ab"));
      const { log } = await store.changes(instance, { from: 0, limit: 1, entities: null });
      await store.seize(instance, "removed", 0);
      expect(await store.changes(instance, { from: 0, limit: 1, entities: null })).toMatchObject({ log: "", next: 0 });
      await store.save(collection, page("cd"));
      const after = await store.changes(instance, { from: 0, limit: 9, entities: null });
      expect([after.log === log, after.changes.map(({ key }) => key)]).toEqual([false, ["c", "d"]]);
    },
  ],
];

export const current: readonly Case[] = [
  [
    "gives whole records as they are now, and nothing of those that are not there",
    async (store) => {
      expect(await store.current(collection, ["a"])).toEqual([]);
      await store.save(collection, page("ab"));
      await store.save(collection, { records: [retitled("a", null)], checkpoint: checkpoint(2) });
      const found = await store.current(collection, ["a", "b", "c"]);
      expect(new Map(found.map(({ key, json }) => [key, JSON.parse(json)]))).toEqual(
        new Map([
          ["a", retitled("a", null)],
          ["b", retitled("b", "Title of b")],
        ]),
      );
      expect(await store.current({ ...collection, instance: "two" }, ["a"])).toEqual([]);
    },
  ],
];
