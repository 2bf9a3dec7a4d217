import { expect } from "vitest";
import type { ListPage, Page } from "../../../runtime/store/store.ts";
import { type Case, checkpoint, collection, found, instance, kept, page, parts, records } from "./case.ts";

// What the end of a sync run removes.

export const finish: readonly Case[] = [
  [
    "removes what a full sync run has not seen, and notes that it was complete",
    async (store) => {
      await store.save(collection, page("abc"));
      expect(await store.finish(collection, checkpoint(1), kept)).toEqual({ removed: 0, refused: false, of: 3 });
      await store.save(collection, page("ab", 2));
      expect(await store.finish(collection, checkpoint(2), kept)).toEqual({ removed: 1, refused: false, of: 3 });
      expect(await found(store)).toBe("ab");
      const [state] = await store.states(instance);
      expect(state).toMatchObject({ records: 2, checkpoint: null, problem: null, fullAt: expect.any(String) });
    },
  ],
  [
    "counts as complete when it began where it went on with a sync run that was cut off, until another one is complete",
    async (store) => {
      const began = Date.parse("2026-01-01T00:00:00Z");
      await store.save(collection, page("abc"));
      await store.finish(collection, { ...checkpoint(1), began }, { ...kept, resumed: true });
      const completed = async () => (await store.states(instance))[0]?.completedAt ?? "";
      expect(await completed()).toBe("2026-01-01T00:00:00.000Z");
      await store.finish(collection, { ...checkpoint(2, false), began }, kept);
      expect(Date.parse(await completed())).toBeGreaterThan(began);
    },
  ],
  [
    "removes what is gone of each parent whose page was saved together with others",
    async (store) => {
      const list = (parent: string, ids: string) => ({
        records: records(...ids),
        parent,
        parentDone: { key: parent, marker: "m" },
      });
      const together = (run: number, [first, ...others]: readonly [ListPage, ...ListPage[]]): Page => ({
        ...first,
        others,
        checkpoint: checkpoint(run, run === 1),
      });
      expect(await store.save(parts, together(1, [list("p", "ab"), list("q", "cd"), list("r", "")]))).toEqual({
        inserted: 4,
        changed: 0,
        unchanged: 0,
        repeated: 0,
      });
      await store.finish(parts, checkpoint(1), kept);
      await store.save(parts, together(2, [list("p", "a"), list("r", "e")]));
      expect(await store.finish(parts, checkpoint(2, false), kept)).toMatchObject({ removed: 1, of: 5 });
      expect(await found(store, {}, parts)).toBe("acde");
    },
  ],
  [
    "removes in another sync run only what it has not seen of parents that it has read",
    async (store) => {
      const of = (parent: string, run: number, ids: string): Page => ({
        ...page(ids, run),
        parent,
        parentDone: { key: parent, marker: `${run}` },
        checkpoint: checkpoint(run, run === 1),
      });
      await store.save(parts, of("p", 1, "ab"));
      await store.save(parts, of("q", 1, "cd"));
      await store.finish(parts, checkpoint(1), kept);
      await store.save(parts, of("p", 2, "a"));
      expect(await store.finish(parts, checkpoint(2, false), kept)).toMatchObject({ removed: 1 });
      expect(await found(store, {}, parts)).toBe("acd");
    },
  ],
  [
    "leaves what is below a hidden parent, of which the full sync run could see nothing, and counts such parents",
    async (store) => {
      const of = (parent: string, run: number, ids: string, hidden?: true): ListPage => ({
        records: records(...ids),
        parent,
        parentDone: { key: parent, marker: `${run}`, ...(hidden === undefined ? {} : { hidden }) },
      });
      const save = (run: number, [first, ...others]: readonly [ListPage, ...ListPage[]], full = true) =>
        store.save(parts, { ...first, others, checkpoint: checkpoint(run, full) });
      const hidden = async () => (await store.states(instance)).find(({ entity }) => entity === "parts")?.hidden;
      const markers = async () =>
        (await store.parents(collection, { entity: "parts", step: 0 }, undefined, 10)).map(({ marker, run }) => [marker, run]);
      await store.save(collection, page("pq"));
      await save(1, [of("p", 1, "abc"), of("q", 1, "def")]);
      await store.finish(parts, checkpoint(1), kept);
      expect(await hidden()).toBe(0);
      await save(2, [of("p", 2, "a", true), of("q", 2, "de")]);
      expect(await store.finish(parts, checkpoint(2), kept)).toMatchObject({ removed: 1 });
      expect([await found(store, {}, parts), await hidden()]).toEqual(["abcde", 1]);
      // The marker of a hidden parent is kept as that of another one.
      expect(await markers()).toEqual([
        ["2", 2],
        ["2", 2],
      ]);
      await save(3, [of("p", 3, "", true), of("q", 3, "d")], false);
      expect(await store.finish(parts, checkpoint(3, false), kept)).toMatchObject({ removed: 1 });
      expect(await found(store, {}, parts)).toBe("abcd");
      await save(4, [of("p", 4, "ab"), of("q", 4, "d")]);
      expect(await store.finish(parts, checkpoint(4), kept)).toMatchObject({ removed: 1 });
      expect([await found(store, {}, parts), await hidden()]).toEqual(["abd", 0]);
    },
  ],
  [
    "empties the markers of hidden parents too when a sync run is incomplete, and removes with a parent what is below it",
    async (store) => {
      await store.save(collection, page("p"));
      await store.save(parts, page("a", 1, { parent: "p", parentDone: { key: "p", marker: "m", hidden: true } }));
      await store.abandon(parts, "partial_results");
      const [parent] = await store.parents(collection, { entity: "parts", step: 0 }, undefined, 10);
      expect(parent).toMatchObject({ marker: "", run: 1 });
      await store.save(collection, { records: [], checkpoint: checkpoint(2) });
      await store.finish(collection, checkpoint(2), { ...kept, massDelete: true, children: ["parts"] });
      await store.save(parts, { records: [], checkpoint: checkpoint(2, false) });
      await store.finish(parts, checkpoint(2, false), { massDelete: true, parents: ["things"] });
      expect([await found(store, {}, parts), (await store.states(instance))[0]?.hidden]).toEqual(["", 0]);
    },
  ],
  [
    "drops what is noted of the children of a removed record, and of no other entity that has a parent with the same key",
    async (store) => {
      const below = (entity: string) => ({ ...collection, entity });
      const done = page("x", 1, { parent: "b", parentDone: { key: "b", marker: "m" } });
      await store.save(collection, page("abc"));
      for (const entity of ["parts", "lights"]) await store.save(below(entity), done);
      await store.save(collection, page("ac", 2));
      await store.finish(collection, checkpoint(2), { ...kept, children: ["parts"] });
      await store.save(collection, page("abc", 3));
      const markerOf = async (entity: string) =>
        (await store.parents(collection, { entity, step: 0 }, undefined, 10)).find(({ key }) => key === "b")?.marker;
      expect([await markerOf("parts"), await markerOf("lights")]).toEqual([null, "m"]);
    },
  ],
  [
    "removes what has lost its parent, unless it is below another one too",
    async (store) => {
      await store.save(collection, page("pq"));
      await store.save({ ...collection, scope: "other" }, page("gone"));
      await store.save(parts, page("abd", 1, { parent: "p" }));
      await store.save(parts, page("cd", 1, { parent: "gone" }));
      expect(await store.finish(parts, checkpoint(1), { massDelete: false, parents: ["things"] })).toMatchObject({ removed: 1 });
      expect(await found(store, {}, parts)).toBe("abd");
    },
  ],
  [
    "leaves a record that another scope has",
    async (store) => {
      const other = { ...collection, scope: "other" };
      await store.save(collection, page("abc"));
      await store.save(other, page("c"));
      await store.save(collection, page("ab", 2));
      expect(await store.finish(collection, checkpoint(2), kept)).toEqual({ removed: 1, refused: false, of: 3 });
      expect(await found(store)).toBe("abc");
      await store.save(other, page("", 2));
      await store.finish(other, checkpoint(2), { ...kept, massDelete: true });
      expect(await found(store)).toBe("ab");
      expect((await store.states(instance)).map(({ records }) => records)).toEqual([2, 0]);
    },
  ],
  [
    "removes more than half only where that is allowed",
    async (store) => {
      await store.save(collection, page("abc"));
      await store.finish(collection, checkpoint(1), kept);
      await store.save(collection, page("a", 2));
      expect(await store.finish(collection, checkpoint(2), kept)).toEqual({ removed: 0, refused: true, of: 3 });
      expect(await found(store)).toBe("abc");
      expect(await store.states(instance)).toMatchObject([{ problem: "mass_delete_refused", checkpoint: null, fullAt: null }]);
      await store.save(collection, page("a", 3));
      expect(await store.finish(collection, checkpoint(3), { ...kept, massDelete: true })).toMatchObject({ removed: 2 });
      expect(await found(store)).toBe("a");
    },
  ],
  [
    "takes nothing from a sync run that a newer one has overtaken",
    async (store) => {
      await store.save(collection, page("a", 2));
      await expect(store.finish(collection, checkpoint(1), kept)).rejects.toMatchObject({ code: "sync_running" });
    },
  ],
];
