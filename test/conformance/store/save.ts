import { expect } from "vitest";
import type { Store, StoreSearch } from "../../../runtime/store/store.ts";
import { type Case, checkpoint, collection, found, instance, kept, page, parts, records, whole } from "./case.ts";

// What a store keeps of the pages of a sync run.

export const save: readonly Case[] = [
  [
    "tells new, changed and unchanged records apart",
    async (store) => {
      expect(await store.save(collection, page("ab"))).toMatchObject({ inserted: 2, changed: 0, unchanged: 0 });
      const next = { records: [...records("a", "c"), { id: "b", title: "Another", size: 1 }], checkpoint: checkpoint(2) };
      expect(await store.save(collection, next)).toEqual({ inserted: 1, changed: 1, unchanged: 1, repeated: 0 });
      const text = { kind: "test", operator: "keyword", field: "title", operand: "another" } as const;
      expect(await found(store, { filter: text })).toBe("b");
    },
  ],
  [
    "counts a record once in a sync run, and tells when it came before with other content",
    async (store) => {
      const of = (...sizes: readonly number[]) => sizes.map((size) => ({ id: "a", title: "A", size }));
      const save = (run: number, sizes: readonly number[], parent = "") =>
        store.save(parts, { records: of(...sizes), parent, checkpoint: checkpoint(run) });
      const none = { inserted: 0, changed: 0, unchanged: 0, repeated: 0 };
      // On one page, on the next one, and below another parent.
      expect(await save(1, [1, 1, 2, 3])).toEqual({ ...none, inserted: 1, repeated: 2 });
      expect(await save(1, [3, 3])).toEqual(none);
      expect(await save(1, [4])).toEqual({ ...none, repeated: 1 });
      expect(await save(1, [4], "p")).toEqual({ ...none, unchanged: 1 });
      expect(await save(1, [5], "q")).toEqual({ ...none, repeated: 1 });
      expect(await store.states(instance)).toMatchObject([{ records: 1 }]);
      // The next sync run has not seen it.
      expect(await save(2, [6])).toEqual({ ...none, changed: 1 });
      expect(await save(2, [6], "p")).toEqual({ ...none, unchanged: 1 });
    },
  ],
  [
    "does not count what a record has only because of its places as other content",
    async (store) => {
      const people = { ...collection, entity: "people" };
      const save = (parent: string, teams: readonly string[], name = "A") =>
        store.save(people, { records: [{ id: "a", teams, name }], parent, checkpoint: checkpoint(1) });
      const none = { inserted: 0, changed: 0, unchanged: 0, repeated: 0 };
      expect(await save("p", ["red"])).toEqual({ ...none, inserted: 1 });
      expect(await save("q", ["blue"])).toEqual({ ...none, changed: 1 });
      expect(await save("q", ["blue"])).toEqual(none);
      expect(await save("r", ["blue"], "B")).toEqual({ ...none, repeated: 1 });
    },
  ],
  [
    "stores a record once, and counts it in each scope in which it was found",
    async (store) => {
      await store.save(collection, page("ab"));
      expect(await store.save({ ...collection, scope: "other" }, page("bc"))).toMatchObject({
        inserted: 1,
        changed: 0,
        unchanged: 1,
      });
      expect(await store.states(instance)).toMatchObject([
        { scope: "all", records: 2 },
        { scope: "other", records: 2 },
      ]);
      const { json, total } = await store.search(collection, { ...whole, count: true }, performance.now() + 100_000);
      expect([JSON.parse(Buffer.from(json).toString()).length, total]).toEqual([3, 3]);
    },
  ],
  [
    "counts a record once in a scope, below however many parents it was found",
    async (store) => {
      await store.save(parts, page("a", 1, { parent: "p" }));
      await store.save(parts, page("ab", 1, { parent: "q" }));
      expect(await store.states(instance)).toMatchObject([{ records: 2 }]);
    },
  ],
  [
    "saves a page of many lists as if each were a page of its own, also where a record comes twice",
    async (store) => {
      const below = (parent: string, ids: string, size = 1) => ({
        records: [...ids].map((id) => ({ id, title: `Title of ${id}`, size })),
        parent,
      });
      const many = Array.from({ length: 700 }, (_, at) => `m${String(at).padStart(3, "0")}`);
      const lists = [
        { ...below("p", "ab"), parentDone: { key: "p", marker: null } },
        { records: records(...many), parent: "q" },
        { ...below("q", "c"), parentDone: { key: "q", marker: null } },
        below("p", "b", 2),
      ];
      await store.save(collection, page("pqr"));
      expect(await store.save(parts, { records: [], others: lists, checkpoint: checkpoint(1) })).toEqual({
        inserted: 703,
        changed: 0,
        unchanged: 0,
        repeated: 1,
      });
      expect(await store.states(instance)).toMatchObject([{ records: 703, checkpoint: checkpoint(1) }, { records: 3 }]);
      const child = { entity: "parts", step: 0 };
      expect(await store.parents(collection, child, undefined, 3)).toMatchObject([{ run: 1 }, { run: 1 }, { run: null }]);
      // The next sync run reads the list of one parent, and what that list does not have any longer goes.
      const next = checkpoint(2, false);
      await store.save(parts, { records: records("c"), parent: "q", parentDone: { key: "q", marker: null }, checkpoint: next });
      expect(await store.finish(parts, next, { ...kept, massDelete: true, parents: ["things"] })).toMatchObject({
        removed: 700,
      });
      expect(await found(store, {}, parts)).toBe("abc");
    },
  ],
  [
    "gives a relation field the values of all places where the record was found",
    async (store) => {
      const person = (id: string, teams: readonly string[]) => ({ id, teams });
      const red = { ...collection, entity: "people", scope: "red" };
      const blue = { ...red, scope: "blue" };
      await store.save(red, { records: [person("a", ["red"]), person("b", ["red"])], checkpoint: checkpoint(1) });
      await store.save(blue, { records: [person("b", ["blue"]), person("c", [])], checkpoint: checkpoint(1) });
      const of = (operand: string | null) =>
        found(store, { filter: { kind: "test", operator: "eq", field: "teams", operand } }, red);
      expect([await of("red"), await of("blue"), await of(null)]).toEqual(["ab", "b", "c"]);
      expect(await teams(store)).toEqual({ a: ["red"], b: ["blue", "red"], c: [] });
      await store.save(red, { records: [person("a", ["red"])], checkpoint: checkpoint(2) });
      await store.finish(red, checkpoint(2), kept);
      expect(await teams(store)).toEqual({ a: ["red"], b: ["blue"], c: [] });
      expect([await of("red"), await of("blue")]).toEqual(["a", "b"]);
    },
  ],
  [
    "keeps values of another type than declared in the record, and no test finds them",
    async (store) => {
      const odd = { id: "a", body: { text: "x" }, size: "large", colours: "red", other: [1] };
      const right = { id: "b", body: "y", size: 1, colours: ["red"], other: null };
      const none = { id: "c", body: null, size: null, colours: [], other: { body: "in another field" } };
      const memos = { ...collection, entity: "memos" };
      await store.save(memos, { records: [odd, right, none], checkpoint: checkpoint(1) });
      const all = { ...whole, fields: new Map(["id", "body", "size", "colours", "other"].map((name) => [name, null])) };
      const read = async (query: StoreSearch) => {
        const { json } = await store.search(memos, query, performance.now() + 100_000);
        return JSON.parse(Buffer.from(json).toString()) as unknown;
      };
      expect(await read(all)).toEqual([odd, right, none]);
      const searchable = [odd, right, none].map(({ other: _, ...one }) => one);
      expect(await read(whole)).toEqual(searchable);
      const bySize = { ...whole, sort: [{ field: "size", direction: "asc" }] } as const;
      expect(await read(bySize)).toEqual([searchable[1], searchable[0], searchable[2]]);
      for (const field of ["body", "size", "colours"])
        expect(await found(store, { filter: { kind: "test", operator: "eq", field, operand: null } }, memos)).toBe("ac");
      expect(await found(store, { filter: { kind: "test", operator: "keyword", field: "body", operand: "y" } }, memos)).toBe("b");
      // The same again changes nothing.
      const again = await store.save(memos, { records: [odd, right, none], checkpoint: checkpoint(2) });
      expect(again).toMatchObject({ changed: 0, unchanged: 3 });
    },
  ],
  [
    "takes nothing from a sync run that a newer one has overtaken",
    async (store) => {
      await store.save(collection, page("a", 2));
      await expect(store.save(collection, page("b", 1))).rejects.toMatchObject({ code: "sync_running" });
      expect(await found(store)).toBe("a");
    },
  ],
  [
    "keeps keys and scopes with any characters, and keys of any length",
    async (store, another) => {
      const scope = "repository=a\0b\u0001\u0002\ud83d\ude00";
      const ids = [
        "\0",
        "a\0b",
        "a\u0001\u0002\u0002b",
        "\ud83d\ude00",
        `${"\u00e4".repeat(1_200)}1`,
        `${"\u00e4".repeat(1_200)}2`,
      ];
      const odd = { ...collection, scope };
      const records = ids.map((id) => ({ id, title: `of ${ids.indexOf(id)}` }));
      expect(await store.save(odd, { records, checkpoint: checkpoint(1) })).toMatchObject({
        inserted: 6,
        changed: 0,
        unchanged: 0,
      });
      expect(await store.save(odd, { records, checkpoint: checkpoint(2) })).toMatchObject({
        inserted: 0,
        changed: 0,
        unchanged: 6,
      });
      const next = await another();
      expect(await next.states(instance)).toMatchObject([{ scope, records: 6 }]);
      for (const operand of ids) {
        const { json } = await next.search(
          collection,
          { ...whole, filter: { kind: "test", operator: "eq", field: "id", operand } },
          performance.now() + 100_000,
        );
        expect(JSON.parse(Buffer.from(json).toString())).toEqual([{ id: operand, title: `of ${ids.indexOf(operand)}` }]);
      }
      // A lone surrogate is no character, so it is stored as U+FFFD.
      await next.save(odd, { records: [{ id: "x\ud800", title: null }], checkpoint: checkpoint(2) });
      await next.save(odd, { records: [{ id: "x\ufffd", title: null }], checkpoint: checkpoint(2) });
      expect(await next.states(instance)).toMatchObject([{ scope, records: 7 }]);
      expect(await next.forget(instance, scope)).toBe(7);
    },
  ],
  [
    "keeps what several stores write at once, each record once",
    async (store, another) => {
      const others = [store, await another(), await another()];
      const pages = Array.from({ length: 9 }, (_, at) =>
        Array.from({ length: 20 }, (_, one) => ({ id: `${String((at * 7 + one) % 60).padStart(2, "0")}`, title: `w${one}` })),
      );
      const saving = pages.map((records, at) =>
        others[at % 3]?.save({ ...collection, scope: `scope ${at % 2}` }, { records, checkpoint: checkpoint(1) }),
      );
      const saved = await Promise.all(saving);
      const distinct = new Set(pages.flat().map(({ id }) => id)).size;
      expect(saved.reduce((sum, one) => sum + (one?.inserted ?? 0), 0)).toBe(distinct);
      const { total } = await store.search(collection, { ...whole, count: true }, performance.now() + 100_000);
      expect(total).toBe(distinct);
      const counted = (at: number) =>
        new Set(pages.flatMap((page, index) => (index % 2 === at ? page : [])).map(({ id }) => id)).size;
      expect((await store.states(instance)).map(({ records }) => records)).toEqual([counted(0), counted(1)]);
    },
  ],
  [
    "keeps what it has acknowledged for the next store",
    async (store, another) => {
      await store.save(collection, page("ab"));
      await store.close();
      const next = await another();
      expect(await found(next)).toBe("ab");
      expect(await next.states(instance)).toMatchObject([{ checkpoint: checkpoint(1), records: 2 }]);
    },
  ],
];

/** The teams of all people, by their ids. */
async function teams(store: Store): Promise<Record<string, unknown>> {
  const { json } = await store.search({ ...collection, entity: "people" }, whole, performance.now() + 100_000);
  const all = JSON.parse(Buffer.from(json).toString()) as { id: string; teams: unknown }[];
  return Object.fromEntries(all.map((one) => [one.id, one.teams]));
}
