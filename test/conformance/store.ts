import { hostname } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import type { StorePlan } from "../../runtime/contract/index.ts";
import type { RecordObject } from "../../runtime/search/index.ts";
import { newLeaseOwner, removedOwner } from "../../runtime/store/lease.ts";
import type { ListPage, Page, ScopePlace, Store, StoreSearch, SyncPosition } from "../../runtime/store/store.ts";

// What every store must do, whatever it keeps its records in. What a search finds has cases of its own, in `search.ts`.

export type Plans = Readonly<Record<string, Readonly<Record<string, StorePlan>>>>;

/** The place of one case, in which several stores may be opened that share their data. */
export interface StorePlace {
  open(plans: Plans): Promise<Store>;
  /** Called when the stores are closed. */
  remove(): void | Promise<void>;
}

const things: StorePlan = {
  key: ["id"],
  fields: { id: { type: "string", index: "exact" }, title: { type: "string", index: "name", nullable: true } },
};
const lights: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    colour: { type: "string", index: "exact", nullable: true, values: ["red", "green"] },
  },
};
const people: StorePlan = {
  key: ["id"],
  fields: { id: { type: "string", index: "exact" }, teams: { type: "string", index: "name", list: { relation: true } } },
};
const chains: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    colours: { type: "string", index: "exact", values: ["red", "green"], list: { by: ["name"] } },
  },
};
const plans = { test: { things, parts: things, lights, chains, people } };
const instance = { connector: "test", instance: "one" };
const shelf = { ...instance, entity: "things", scope: "all" };
const parts = { ...shelf, entity: "parts" };
const whole: StoreSearch = { sort: [], limit: 100, fields: null, explain: false };
const kept = { massDelete: false, parents: [] };

function position(pass: number, full = true): SyncPosition {
  return { pass, full, step: 0 };
}

function records(...ids: readonly string[]): RecordObject[] {
  return ids.map((id) => ({ id, title: `Title of ${id}`, size: 1 }));
}

function page(ids: string, pass = 1, more: Partial<Page> = {}): Page {
  return { records: records(...ids), position: position(pass), ...more };
}

async function found(
  store: Store,
  query: Partial<StoreSearch> = {},
  on: typeof instance & { entity: string } = shelf,
): Promise<string> {
  const { json } = await store.search(on, { ...whole, ...query }, performance.now() + 100_000);
  return (JSON.parse(Buffer.from(json).toString()) as { id: string }[]).map(({ id }) => id).join("");
}

/** The teams of all people, by their ids. */
async function teams(store: Store): Promise<Record<string, unknown>> {
  const { json } = await store.search({ ...shelf, entity: "people" }, whole, performance.now() + 100_000);
  const all = JSON.parse(Buffer.from(json).toString()) as { id: string; teams: unknown }[];
  return Object.fromEntries(all.map((one) => [one.id, one.teams]));
}

type Case = readonly [title: string, check: (store: Store, another: () => Promise<Store>) => Promise<void>];

/** At least one case for each member of the contract. */
const cases = {
  ready: [
    [
      "resolves, and the store can be used",
      async (store) => {
        await store.ready;
        expect(await found(store)).toBe("");
      },
    ],
  ],
  healthy: [
    [
      "is true while nothing is wrong",
      async (store) => {
        expect(store.healthy).toBe(true);
        await store.ready;
        expect(store.healthy).toBe(true);
      },
    ],
  ],
  search: [
    [
      "finds nothing where nothing was saved",
      async (store) => {
        const answer = await store.search(shelf, whole, performance.now() + 100_000);
        expect({ ...answer, json: Buffer.from(answer.json).toString() }).toEqual({
          json: "[]",
          more: false,
          last: undefined,
          syncedAt: null,
          unlisted: [],
        });
      },
    ],
    [
      "says whether there is more, where the last record stands, and goes on behind that",
      async (store) => {
        await store.save(shelf, page("abc"));
        const sort = [{ field: "title", direction: "desc" }] as const;
        const first = await store.search(shelf, { ...whole, sort, limit: 2 }, performance.now() + 100_000);
        expect(first).toMatchObject({ more: true, last: ["Title of b", "b"] });
        expect(await found(store, { sort, limit: 2, ...(first.last === undefined ? {} : { after: first.last }) })).toBe("a");
      },
    ],
    [
      "gives the searchable fields, or those that were asked for",
      async (store) => {
        await store.save(shelf, page("a"));
        const answered = async (fields: StoreSearch["fields"]) => {
          const { json } = await store.search(shelf, { ...whole, fields }, performance.now() + 100_000);
          return JSON.parse(Buffer.from(json).toString());
        };
        expect(await answered(null)).toEqual([{ id: "a", title: "Title of a" }]);
        expect(await answered(new Map([["size", null]]))).toEqual([{ size: 1 }]);
      },
    ],
    [
      "counts all records that match, and groups them, the largest group first",
      async (store) => {
        const on = { ...shelf, entity: "lights" };
        const light = (id: string, colour: string | null) => ({ id, colour });
        const colours = ["green", "red", "red", null, "green", null];
        await store.save(on, { records: colours.map((colour, at) => light(`${at}`, colour)), position: position(1) });
        const asked = async (query: Partial<StoreSearch>) => {
          const { json, total, more } = await store.search(on, { ...whole, count: true, ...query }, performance.now() + 100_000);
          return { data: JSON.parse(Buffer.from(json).toString()), total, more };
        };
        const filter = { kind: "test", operator: "eq", field: "colour", operand: "red" } as const;
        expect(await asked({ limit: 1 })).toMatchObject({ total: 6, more: true });
        expect(await asked({ limit: 1, filter })).toMatchObject({ total: 2, more: true });
        expect(await asked({ groupBy: ["colour"] })).toEqual({
          data: [
            { colour: "green", count: 2 },
            { colour: "red", count: 2 },
            { colour: null, count: 2 },
          ],
          total: 6,
          more: false,
        });
        expect(await asked({ groupBy: ["colour", "id"], filter, limit: 1 })).toEqual({
          data: [{ colour: "red", id: "1", count: 1 }],
          total: 2,
          more: true,
        });
      },
    ],
    [
      "gives no groups where there are more than a thousand, and says so",
      async (store) => {
        const ids = Array.from({ length: 1001 }, (_, at) => `${at}`);
        await store.save(shelf, { records: records(...ids), position: position(1) });
        const answer = await store.search(shelf, { ...whole, groupBy: ["id"] }, performance.now() + 100_000);
        expect([Buffer.from(answer.json).toString(), answer.tooManyGroups]).toEqual(["[]", true]);
      },
    ],
    [
      "names the values of its records that an enumeration does not list, as long as records have them",
      async (store) => {
        const on = { ...shelf, entity: "lights" };
        const light = (id: string, colour: string | null) => ({ id, colour });
        const unlisted = async (query: Partial<StoreSearch> = {}) =>
          (await store.search(on, { ...whole, ...query }, performance.now() + 100_000)).unlisted;
        await store.save(on, { records: [light("a", "red"), light("b", null)], position: position(1) });
        expect(await unlisted()).toEqual([]);
        await store.save(on, { records: [light("c", "blue"), light("d", "amber")], position: position(1) });
        expect(await unlisted()).toEqual([
          { field: "colour", value: "amber" },
          { field: "colour", value: "blue" },
        ]);
        expect(await unlisted({ limit: 3 })).toEqual([{ field: "colour", value: "blue" }]);
        expect(await unlisted({ fields: new Map([["id", null]]) })).toEqual([]);
        await store.save(on, { records: [light("c", "green"), light("d", "green")], position: position(1) });
        expect(await unlisted()).toEqual([]);
      },
    ],
    [
      "names such values of the elements of lists too",
      async (store) => {
        const on = { ...shelf, entity: "chains" };
        const chain = (id: string, ...colours: readonly string[]) => ({ id, colours: colours.map((name) => ({ name })) });
        const unlisted = async (query: Partial<StoreSearch> = {}) =>
          (await store.search(on, { ...whole, ...query }, performance.now() + 100_000)).unlisted;
        await store.save(on, { records: [chain("a", "red", "green"), chain("b")], position: position(1) });
        expect(await unlisted()).toEqual([]);
        await store.save(on, { records: [chain("c", "green", "blue"), chain("d", "amber", "blue")], position: position(1) });
        expect(await unlisted()).toEqual([
          { field: "colours", value: "amber" },
          { field: "colours", value: "blue" },
        ]);
        expect(await unlisted({ limit: 3 })).toEqual([{ field: "colours", value: "blue" }]);
        expect(await unlisted({ fields: new Map([["id", null]]) })).toEqual([]);
        await store.save({ ...on, instance: "two" }, { records: [chain("e", "grey")], position: position(1) });
        expect((await unlisted()).length).toBe(2);
        await store.save(on, { records: [chain("c", "red"), chain("d")], position: position(1) });
        expect(await unlisted()).toEqual([]);
      },
    ],
    [
      "finds no record of another instance or entity",
      async (store) => {
        await store.save(shelf, page("a"));
        await store.save({ ...shelf, instance: "two" }, page("b"));
        await store.save(parts, page("c"));
        expect(await found(store)).toBe("a");
        expect(await found(store, {}, { ...shelf, instance: "three" })).toBe("");
      },
    ],
    [
      "says how old its answer is: null until every scope was complete once",
      async (store) => {
        const age = async () => (await store.search(shelf, whole, performance.now() + 100_000)).syncedAt;
        await store.save(shelf, page("a"));
        expect(await age()).toBeNull();
        await store.finish(shelf, position(1), kept);
        expect(Date.parse((await age()) ?? "")).toBeLessThanOrEqual(Date.now());
        await store.save({ ...shelf, scope: "other" }, page("b"));
        expect(await age()).toBeNull();
      },
    ],
    [
      "tells its plan when asked",
      async (store) => {
        await store.save(shelf, page("a"));
        const { plan } = await store.search(shelf, { ...whole, explain: true }, performance.now() + 100_000);
        expect(plan).toMatchObject({ driver: expect.any(String), indexes: expect.any(Array), steps: expect.any(Array) });
      },
    ],
    [
      "ends at its deadline, and when its caller has gone",
      async (store) => {
        await expect(store.search(shelf, whole, performance.now() - 1)).rejects.toMatchObject({ code: "search_timeout" });
        const gone = store.search(shelf, whole, performance.now() + 100_000, AbortSignal.abort());
        await expect(gone).rejects.toMatchObject({ code: "search_timeout" });
      },
    ],
  ],
  save: [
    [
      "tells new, changed and unchanged records apart",
      async (store) => {
        expect(await store.save(shelf, page("ab"))).toEqual({ inserted: 2, changed: 0, unchanged: 0 });
        const next = { records: [...records("a", "c"), { id: "b", title: "Another", size: 1 }], position: position(1) };
        expect(await store.save(shelf, next)).toEqual({ inserted: 1, changed: 1, unchanged: 1 });
        const text = { kind: "test", operator: "keyword", field: "title", operand: "another" } as const;
        expect(await found(store, { filter: text })).toBe("b");
      },
    ],
    [
      "stores a record once, and counts it in each scope in which it was found",
      async (store) => {
        await store.save(shelf, page("ab"));
        expect(await store.save({ ...shelf, scope: "other" }, page("bc"))).toEqual({ inserted: 1, changed: 0, unchanged: 1 });
        expect(await store.states(instance)).toMatchObject([
          { scope: "all", records: 2 },
          { scope: "other", records: 2 },
        ]);
        const { json, total } = await store.search(shelf, { ...whole, count: true }, performance.now() + 100_000);
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
          { ...below("p", "ab"), parentDone: { key: "p", mark: null } },
          { records: records(...many), parent: "q" },
          { ...below("q", "c"), parentDone: { key: "q", mark: null } },
          below("p", "b", 2),
        ];
        await store.save(shelf, page("pqr"));
        expect(await store.save(parts, { records: [], others: lists, position: position(1) })).toEqual({
          inserted: 703,
          changed: 1,
          unchanged: 0,
        });
        expect(await store.states(instance)).toMatchObject([{ records: 703, position: position(1) }, { records: 3 }]);
        const child = { entity: "parts", step: 0 };
        expect(await store.parents(shelf, child, undefined, 3)).toMatchObject([{ pass: 1 }, { pass: 1 }, { pass: null }]);
        // The next pass reads the list of one parent, and what that list does not have any longer goes.
        const next = position(2, false);
        await store.save(parts, { records: records("c"), parent: "q", parentDone: { key: "q", mark: null }, position: next });
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
        const red = { ...shelf, entity: "people", scope: "red" };
        const blue = { ...red, scope: "blue" };
        await store.save(red, { records: [person("a", ["red"]), person("b", ["red"])], position: position(1) });
        await store.save(blue, { records: [person("b", ["blue"]), person("c", [])], position: position(1) });
        const of = (operand: string | null) =>
          found(store, { filter: { kind: "test", operator: "eq", field: "teams", operand } }, red);
        expect([await of("red"), await of("blue"), await of(null)]).toEqual(["ab", "b", "c"]);
        expect(await teams(store)).toEqual({ a: ["red"], b: ["blue", "red"], c: [] });
        await store.save(red, { records: [person("a", ["red"])], position: position(2) });
        await store.finish(red, position(2), kept);
        expect(await teams(store)).toEqual({ a: ["red"], b: ["blue"], c: [] });
        expect([await of("red"), await of("blue")]).toEqual(["a", "b"]);
      },
    ],
    [
      "takes nothing from a pass that a newer one has overtaken",
      async (store) => {
        await store.save(shelf, page("a", 2));
        await expect(store.save(shelf, page("b", 1))).rejects.toMatchObject({ code: "sync_running" });
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
        const odd = { ...shelf, scope };
        const records = ids.map((id) => ({ id, title: `of ${ids.indexOf(id)}` }));
        expect(await store.save(odd, { records, position: position(1) })).toEqual({ inserted: 6, changed: 0, unchanged: 0 });
        expect(await store.save(odd, { records, position: position(1) })).toEqual({ inserted: 0, changed: 0, unchanged: 6 });
        const next = await another();
        expect(await next.states(instance)).toMatchObject([{ scope, records: 6 }]);
        for (const operand of ids) {
          const { json } = await next.search(
            shelf,
            { ...whole, filter: { kind: "test", operator: "eq", field: "id", operand } },
            performance.now() + 100_000,
          );
          expect(JSON.parse(Buffer.from(json).toString())).toEqual([{ id: operand, title: `of ${ids.indexOf(operand)}` }]);
        }
        // A lone surrogate is no character, so it is stored as U+FFFD.
        await next.save(odd, { records: [{ id: "x\ud800", title: null }], position: position(1) });
        await next.save(odd, { records: [{ id: "x\ufffd", title: null }], position: position(1) });
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
          others[at % 3]?.save({ ...shelf, scope: `scope ${at % 2}` }, { records, position: position(1) }),
        );
        const saved = await Promise.all(saving);
        const distinct = new Set(pages.flat().map(({ id }) => id)).size;
        expect(saved.reduce((sum, one) => sum + (one?.inserted ?? 0), 0)).toBe(distinct);
        const { total } = await store.search(shelf, { ...whole, count: true }, performance.now() + 100_000);
        expect(total).toBe(distinct);
        const counted = (at: number) =>
          new Set(pages.flatMap((page, index) => (index % 2 === at ? page : [])).map(({ id }) => id)).size;
        expect((await store.states(instance)).map(({ records }) => records)).toEqual([counted(0), counted(1)]);
      },
    ],
    [
      "keeps what it has acknowledged for the next store",
      async (store, another) => {
        await store.save(shelf, page("ab"));
        await store.close();
        const next = await another();
        expect(await found(next)).toBe("ab");
        expect(await next.states(instance)).toMatchObject([{ position: position(1), records: 2 }]);
      },
    ],
  ],
  parents: [
    [
      "gives records in the order of their keys, behind a key, no more than asked for",
      async (store) => {
        await store.save(shelf, page("cabd"));
        const keys = async (after: string | undefined, limit: number) =>
          (await store.parents(shelf, { entity: "parts", step: 0 }, after, limit)).map(({ key }) => key).join("");
        expect(await keys(undefined, 3)).toBe("abc");
        expect(await keys("b", 3)).toBe("cd");
      },
    ],
    [
      "gives the whole record, and mark and pass of each parent whose children were read to their end",
      async (store) => {
        await store.save(shelf, page("ab"));
        await store.save(parts, page("x", 1, { parent: "a", parentDone: { key: "a", mark: "m1" } }));
        const found = await store.parents(shelf, { entity: "parts", step: 0 }, undefined, 10);
        expect(found).toEqual([
          { key: "a", record: records("a")[0], mark: "m1", pass: 1 },
          { key: "b", record: records("b")[0], mark: null, pass: null },
        ]);
      },
    ],
  ],
  finish: [
    [
      "removes what a full pass has not seen, and notes that it was complete",
      async (store) => {
        await store.save(shelf, page("abc"));
        expect(await store.finish(shelf, position(1), kept)).toEqual({ removed: 0, refused: false, of: 3 });
        await store.save(shelf, page("ab", 2));
        expect(await store.finish(shelf, position(2), kept)).toEqual({ removed: 1, refused: false, of: 3 });
        expect(await found(store)).toBe("ab");
        const [state] = await store.states(instance);
        expect(state).toMatchObject({ records: 2, position: null, problem: null, fullAt: expect.any(String) });
      },
    ],
    [
      "removes what is gone of each parent whose page was saved together with others",
      async (store) => {
        const list = (parent: string, ids: string) => ({
          records: records(...ids),
          parent,
          parentDone: { key: parent, mark: "m" },
        });
        const together = (pass: number, [first, ...others]: readonly [ListPage, ...ListPage[]]): Page => ({
          ...first,
          others,
          position: position(pass, pass === 1),
        });
        expect(await store.save(parts, together(1, [list("p", "ab"), list("q", "cd"), list("r", "")]))).toEqual({
          inserted: 4,
          changed: 0,
          unchanged: 0,
        });
        await store.finish(parts, position(1), kept);
        await store.save(parts, together(2, [list("p", "a"), list("r", "e")]));
        expect(await store.finish(parts, position(2, false), kept)).toMatchObject({ removed: 1, of: 5 });
        expect(await found(store, {}, parts)).toBe("acde");
      },
    ],
    [
      "removes in another pass only what it has not seen of parents that it has read",
      async (store) => {
        const of = (parent: string, pass: number, ids: string): Page => ({
          ...page(ids, pass),
          parent,
          parentDone: { key: parent, mark: `${pass}` },
          position: position(pass, pass === 1),
        });
        await store.save(parts, of("p", 1, "ab"));
        await store.save(parts, of("q", 1, "cd"));
        await store.finish(parts, position(1), kept);
        await store.save(parts, of("p", 2, "a"));
        expect(await store.finish(parts, position(2, false), kept)).toMatchObject({ removed: 1 });
        expect(await found(store, {}, parts)).toBe("acd");
      },
    ],
    [
      "leaves what is below a hidden parent, of which the full pass could see nothing, and counts such parents",
      async (store) => {
        const of = (parent: string, pass: number, ids: string, hidden?: true): ListPage => ({
          records: records(...ids),
          parent,
          parentDone: { key: parent, mark: `${pass}`, ...(hidden === undefined ? {} : { hidden }) },
        });
        const save = (pass: number, [first, ...others]: readonly [ListPage, ...ListPage[]], full = true) =>
          store.save(parts, { ...first, others, position: position(pass, full) });
        const hidden = async () => (await store.states(instance)).find(({ entity }) => entity === "parts")?.hidden;
        const marks = async () =>
          (await store.parents(shelf, { entity: "parts", step: 0 }, undefined, 10)).map(({ mark, pass }) => [mark, pass]);
        await store.save(shelf, page("pq"));
        await save(1, [of("p", 1, "abc"), of("q", 1, "def")]);
        await store.finish(parts, position(1), kept);
        expect(await hidden()).toBe(0);
        await save(2, [of("p", 2, "a", true), of("q", 2, "de")]);
        expect(await store.finish(parts, position(2), kept)).toMatchObject({ removed: 1 });
        expect([await found(store, {}, parts), await hidden()]).toEqual(["abcde", 1]);
        // The mark of a hidden parent is kept as that of another one.
        expect(await marks()).toEqual([
          ["2", 2],
          ["2", 2],
        ]);
        await save(3, [of("p", 3, "", true), of("q", 3, "d")], false);
        expect(await store.finish(parts, position(3, false), kept)).toMatchObject({ removed: 1 });
        expect(await found(store, {}, parts)).toBe("abcd");
        await save(4, [of("p", 4, "ab"), of("q", 4, "d")]);
        expect(await store.finish(parts, position(4), kept)).toMatchObject({ removed: 1 });
        expect([await found(store, {}, parts), await hidden()]).toEqual(["abd", 0]);
      },
    ],
    [
      "empties the marks of hidden parents too when a pass is incomplete, and removes with a parent what is below it",
      async (store) => {
        await store.save(shelf, page("p"));
        await store.save(parts, page("a", 1, { parent: "p", parentDone: { key: "p", mark: "m", hidden: true } }));
        await store.abandon(parts, "partial_results");
        const [parent] = await store.parents(shelf, { entity: "parts", step: 0 }, undefined, 10);
        expect(parent).toMatchObject({ mark: "", pass: 1 });
        await store.save(shelf, { records: [], position: position(2) });
        await store.finish(shelf, position(2), { ...kept, massDelete: true });
        await store.save(parts, { records: [], position: position(2, false) });
        await store.finish(parts, position(2, false), { massDelete: true, parents: ["things"] });
        expect([await found(store, {}, parts), (await store.states(instance))[0]?.hidden]).toEqual(["", 0]);
      },
    ],
    [
      "removes what has lost its parent, unless it is below another one too",
      async (store) => {
        await store.save(shelf, page("pq"));
        await store.save({ ...shelf, scope: "other" }, page("gone"));
        await store.save(parts, page("abd", 1, { parent: "p" }));
        await store.save(parts, page("cd", 1, { parent: "gone" }));
        expect(await store.finish(parts, position(1), { massDelete: false, parents: ["things"] })).toMatchObject({ removed: 1 });
        expect(await found(store, {}, parts)).toBe("abd");
      },
    ],
    [
      "leaves a record that another scope has",
      async (store) => {
        const other = { ...shelf, scope: "other" };
        await store.save(shelf, page("abc"));
        await store.save(other, page("c"));
        await store.save(shelf, page("ab", 2));
        expect(await store.finish(shelf, position(2), kept)).toEqual({ removed: 1, refused: false, of: 3 });
        expect(await found(store)).toBe("abc");
        await store.save(other, page("", 2));
        await store.finish(other, position(2), { ...kept, massDelete: true });
        expect(await found(store)).toBe("ab");
        expect((await store.states(instance)).map(({ records }) => records)).toEqual([2, 0]);
      },
    ],
    [
      "removes more than half only where that is allowed",
      async (store) => {
        await store.save(shelf, page("abc"));
        await store.finish(shelf, position(1), kept);
        await store.save(shelf, page("a", 2));
        expect(await store.finish(shelf, position(2), kept)).toEqual({ removed: 0, refused: true, of: 3 });
        expect(await found(store)).toBe("abc");
        expect(await store.states(instance)).toMatchObject([{ problem: "mass_delete_refused", position: null, fullAt: null }]);
        await store.save(shelf, page("a", 3));
        expect(await store.finish(shelf, position(3), { ...kept, massDelete: true })).toMatchObject({ removed: 2 });
        expect(await found(store)).toBe("a");
      },
    ],
    [
      "takes nothing from a pass that a newer one has overtaken",
      async (store) => {
        await store.save(shelf, page("a", 2));
        await expect(store.finish(shelf, position(1), kept)).rejects.toMatchObject({ code: "sync_running" });
      },
    ],
  ],
  fail: [
    [
      "notes a problem and keeps the position",
      async (store) => {
        await store.save(shelf, page("a"));
        await store.fail(shelf, "rate_limited");
        expect(await store.states(instance)).toMatchObject([{ problem: "rate_limited", position: position(1) }]);
        await store.finish(shelf, position(1), kept);
        expect(await store.states(instance)).toMatchObject([{ problem: null }]);
      },
    ],
    [
      "notes a problem of an entity that was never read",
      async (store) => {
        await store.fail(shelf, "not_found");
        expect(await store.states(instance)).toMatchObject([
          { problem: "not_found", pass: 0, completedAt: null, position: null },
        ]);
      },
    ],
  ],
  confirm: [
    [
      "notes when nothing has changed since the last complete pass, and not before the first one",
      async (store) => {
        await store.save(shelf, page("a"));
        await store.confirm(shelf);
        expect(await store.states(instance)).toMatchObject([{ completedAt: null }]);
        await store.finish(shelf, position(1), kept);
        const [before] = await store.states(instance);
        // The next look at the clock must show another millisecond.
        await new Promise((resolve) => setTimeout(resolve, 5));
        await store.confirm(shelf);
        const [after] = await store.states(instance);
        expect(Date.parse(after?.completedAt ?? "")).toBeGreaterThan(Date.parse(before?.completedAt ?? ""));
        expect(after?.fullAt).toBe(before?.fullAt);
      },
    ],
  ],
  note: [
    [
      "keeps what is noted, beside what was noted before",
      async (store) => {
        await store.save(shelf, page("a"));
        await store.note(shelf, { spent: { calls: 1, points: 2 } });
        await store.note(shelf, {});
        expect(await store.states(instance)).toMatchObject([{ notes: { spent: { calls: 1, points: 2 } }, records: 1 }]);
        await store.note(shelf, { spent: null });
        expect((await store.states(instance))[0]?.notes).toEqual({});
      },
    ],
  ],
  abandon: [
    [
      "notes a problem and drops the position; the parents of the pass are to be read again",
      async (store) => {
        await store.save(shelf, page("a"));
        await store.save(parts, page("x", 1, { parent: "a", parentDone: { key: "a", mark: "m1" } }));
        await store.abandon(parts, "partial_results");
        const states = await store.states(instance);
        expect(states.find(({ entity }) => entity === "parts")).toMatchObject({ problem: "partial_results", position: null });
        const [parent] = await store.parents(shelf, { entity: "parts", step: 0 }, undefined, 1);
        expect(parent?.mark).not.toBe("m1");
      },
    ],
  ],
  forget: [
    [
      "removes a scope with what belongs to it alone",
      async (store) => {
        const other = { ...shelf, scope: "other" };
        await store.save(shelf, page("ab"));
        await store.save(other, page("bc"));
        await store.save({ ...parts, scope: "other" }, page("x", 1, { parent: "b", parentDone: { key: "b", mark: "m" } }));
        expect(await store.forget(instance, "other")).toBe(2);
        expect([await found(store), await found(store, {}, parts)]).toEqual(["ab", ""]);
        expect(await store.states(instance)).toMatchObject([{ scope: "all", entity: "things", records: 2 }]);
        expect(await store.forget(instance, "other")).toBeNull();
        expect(await store.forget({ ...instance, instance: "two" }, "all")).toBeNull();
        const { total } = await store.search(shelf, { ...whole, count: true }, performance.now() + 100_000);
        expect(total).toBe(2);
      },
    ],
    [
      "removes large scopes whole",
      async (store) => {
        const ids = Array.from({ length: 4_500 }, (_, at) => `${at}`);
        await store.save(shelf, { records: records(...ids), position: position(1) });
        expect(await store.forget(instance, "all")).toBe(4_500);
        expect([await found(store), await store.states(instance)]).toEqual(["", []]);
      },
    ],
  ],
  states: [
    [
      "are of one scope where one is named",
      async (store) => {
        await store.save(shelf, page("a"));
        await store.save({ ...shelf, scope: "other" }, page("b"));
        const scopes = async (scope?: string) =>
          (await store.states({ ...instance, ...(scope === undefined ? {} : { scope }) })).map((state) => state.scope);
        expect(await scopes()).toEqual(["all", "other"]);
        expect(await scopes("other")).toEqual(["other"]);
        expect(await scopes("none")).toEqual([]);
      },
    ],
    [
      "are those of the instance, by scope and entity",
      async (store) => {
        for (const on of [
          { ...shelf, scope: "b" },
          { ...shelf, scope: "a" },
          { ...parts, scope: "a" },
        ])
          await store.save(on, page("x"));
        await store.save({ ...shelf, instance: "two" }, page("x"));
        expect((await store.states(instance)).map(({ scope, entity }) => `${scope} ${entity}`)).toEqual([
          "a parts",
          "a things",
          "b things",
        ]);
      },
    ],
    [
      "tell the newest value and the spec of the last complete pass",
      async (store) => {
        const by = { ...position(1), source: "digest", newest: "2024-01-01T00:00:00Z" };
        await store.save(shelf, { ...page("a"), position: by });
        await store.finish(shelf, by, kept);
        expect(await store.states(instance)).toMatchObject([{ pass: 1, source: "digest", newest: "2024-01-01T00:00:00Z" }]);
      },
    ],
  ],
  lease: [
    [
      "belongs to one owner until it runs out or is given back",
      async (store) => {
        const [one, other] = [newLeaseOwner(), newLeaseOwner()];
        const fence = await store.lease(instance, one, 60);
        expect(fence).toEqual(expect.any(Number));
        expect(await store.lease(instance, one, 60)).toBe(fence);
        expect(await store.lease(instance, other, 60)).toBeNull();
        expect(await store.lease({ ...instance, instance: "two" }, other, 60)).toEqual(expect.any(Number));
        await store.lease(instance, one, 0);
        expect(await store.lease(instance, other, 60)).toBeGreaterThan(Number(fence));
      },
    ],
    [
      "passes to the next owner when its process has ended, on this machine",
      async (store) => {
        // No system gives out this number.
        const [dead, elsewhere] = [`${hostname()}:999999999:x`, "elsewhere:999999999:x"];
        const fence = await store.lease(instance, dead, 60);
        expect(await store.lease(instance, elsewhere, 60)).toBeGreaterThan(Number(fence));
        expect(await store.lease(instance, newLeaseOwner(), 60)).toBeNull();
      },
    ],
    [
      "of a scope leaves other scopes to others, and is not held together with that of the instance",
      async (store) => {
        const [one, other] = [newLeaseOwner(), newLeaseOwner()];
        const [first, second] = [
          { ...instance, scope: "first" },
          { ...instance, scope: "second" },
        ];
        const fences = [await store.lease(first, one, 60), await store.lease(second, other, 60)];
        expect(new Set(fences).size).toBe(2);
        expect(await store.lease(first, other, 60)).toBeNull();
        expect(await store.lease(instance, newLeaseOwner(), 60)).toBeNull();
        expect([await store.leased(first), await store.leased({ ...instance, scope: "third" })]).toEqual([true, false]);
        await store.lease(first, one, 0);
        await store.lease(second, other, 0);
        expect(await store.leased(instance)).toBe(false);
        expect(await store.lease(instance, one, 60)).toEqual(expect.any(Number));
        expect(await store.lease(second, other, 60)).toBeNull();
        expect(await store.leased(second)).toBe(true);
      },
    ],
    [
      "of a scope lets nobody write to another one, and ends with a lease of the instance, and the other way round",
      async (store) => {
        const scope = { ...instance, scope: shelf.scope };
        // A lease that has run out: its process was suspended.
        const early = Number(await store.lease(scope, newLeaseOwner(), 0.001));
        await expect(store.save({ ...shelf, scope: "other", fence: early }, page("a"))).rejects.toMatchObject({
          code: "sync_running",
        });
        await store.save({ ...shelf, fence: early }, page("a"));
        const owner = newLeaseOwner();
        const take = (place: ScopePlace) => expect.poll(() => store.lease(place, owner, 0.001), { interval: 5 });
        await take(instance).toEqual(expect.any(Number));
        await expect(store.save({ ...shelf, fence: early }, page("b"))).rejects.toMatchObject({ code: "sync_running" });
        const whole = Number(await store.lease(instance, owner, 0.001));
        await store.save({ ...shelf, fence: whole }, page("b"));
        await expect.poll(() => store.lease(scope, newLeaseOwner(), 60), { interval: 5 }).toEqual(expect.any(Number));
        await expect(store.save({ ...shelf, fence: whole }, page("c"))).rejects.toMatchObject({ code: "sync_running" });
      },
    ],
    [
      "for a run of the schedule is given for each scope until it was synced in that run",
      async (store) => {
        const scope = { ...instance, scope: "first" };
        const [one, other] = [newLeaseOwner(), newLeaseOwner()];
        expect(await store.lease(scope, one, 60, "run 1")).toEqual(expect.any(Number));
        // Its sync was cut off.
        await store.lease(scope, one, 0);
        expect(await store.lease(scope, other, 60, "run 1")).toEqual(expect.any(Number));
        await store.lease(scope, other, 0, "run 1");
        expect(await store.lease(scope, one, 60, "run 1")).toBeNull();
        expect(await store.leased(scope)).toBe(false);
        expect(await store.lease({ ...scope, scope: "second" }, one, 60, "run 1")).toEqual(expect.any(Number));
        expect(await store.lease(scope, one, 60)).toEqual(expect.any(Number));
        await store.lease(scope, one, 0);
        expect(await store.lease(scope, one, 60, "run 2")).toEqual(expect.any(Number));
      },
    ],
    [
      "lets nobody write who had it before another owner, also not after taking it back",
      async (store) => {
        const [one, other] = [newLeaseOwner(), newLeaseOwner()];
        const fence = Number(await store.lease(instance, one, 60));
        const early = { ...shelf, fence };
        await store.save(early, page("a"));
        await store.lease(instance, one, 0);
        await store.lease(instance, other, 60);
        await store.lease(instance, other, 0);
        const later = Number(await store.lease(instance, one, 60));
        expect(later).toBeGreaterThan(fence + 1);
        const before = await store.states(instance);
        const writes = [
          () => store.save(early, page("b")),
          () => store.finish(early, position(1), kept),
          () => store.fail(early, "rate_limited"),
          () => store.abandon(early, "rate_limited"),
          () => store.confirm(early),
          () => store.note(early, { probe: "x" }),
          () => store.forget({ ...instance, fence }, "all"),
        ];
        for (const write of writes) await expect(write()).rejects.toMatchObject({ code: "sync_running" });
        expect([await found(store), await store.states(instance)]).toEqual(["a", before]);
        await store.save({ ...shelf, fence: later }, page("b"));
        expect(await found(store)).toBe("ab");
      },
    ],
  ],
  seize: [
    [
      "takes the lease from its owner, who then writes nothing more",
      async (store) => {
        const [one, other] = [newLeaseOwner(), newLeaseOwner()];
        const fence = Number(await store.lease(instance, one, 60));
        await store.save({ ...shelf, fence }, page("a"));
        const later = await store.seize(instance, other, 60);
        expect(later).toBeGreaterThan(fence);
        expect(await store.lease(instance, one, 60)).toBeNull();
        await expect(store.save({ ...shelf, fence }, page("b"))).rejects.toMatchObject({ code: "sync_running" });
        await store.save({ ...shelf, fence: later }, page("c"));
        expect([await found(store), await store.seize(instance, other, 60)]).toEqual(["ac", later]);
      },
    ],
    [
      "leaves the lease of an instance that was removed to nobody",
      async (store) => {
        const one = newLeaseOwner();
        const fence = Number(await store.lease(instance, one, 60));
        await store.save({ ...shelf, fence }, page("a"));
        await store.seize(instance, removedOwner, 0);
        const gone = { code: "unknown_connector" };
        await expect(store.save({ ...shelf, fence }, page("b"))).rejects.toMatchObject(gone);
        for (const owner of [one, newLeaseOwner()]) await expect(store.lease(instance, owner, 60)).rejects.toMatchObject(gone);
        expect([await found(store), await store.leased(instance)]).toEqual(["a", false]);
        expect(await store.seize({ ...instance, instance: "first of its kind" }, one, 60)).toEqual(expect.any(Number));
      },
    ],
  ],
  leased: [
    [
      "is true while somebody has the lease",
      async (store) => {
        const owner = newLeaseOwner();
        expect(await store.leased(instance)).toBe(false);
        await store.lease(instance, owner, 60);
        expect(await store.leased(instance)).toBe(true);
        await store.lease(instance, owner, 0);
        expect(await store.leased(instance)).toBe(false);
        await store.lease(instance, `${hostname()}:999999999:x`, 60);
        expect(await store.leased(instance)).toBe(false);
        await store.lease(instance, "elsewhere:999999999:x", 60);
        expect(await store.leased(instance)).toBe(true);
      },
    ],
  ],
  schedule: [["is null where none was set", async (store) => expect(await store.schedule(instance)).toBeNull()]],
  setSchedule: [
    [
      "keeps a schedule until it is changed or taken away",
      async (store) => {
        await store.setSchedule(instance, { scopes: ["a", "b"], minutes: 5 });
        expect(await store.schedule(instance)).toEqual({ scopes: ["a", "b"], minutes: 5, startedAt: null });
        expect(await store.schedule({ ...instance, instance: "two" })).toBeNull();
        await store.setSchedule(instance, null);
        expect(await store.schedule(instance)).toBeNull();
      },
    ],
  ],
  started: [
    [
      "notes when, and a change of the schedule keeps that",
      async (store) => {
        await store.setSchedule(instance, { scopes: ["a"], minutes: 5 });
        const startedAt = await store.started(instance, null);
        expect(Date.parse(startedAt ?? "")).toBeLessThanOrEqual(Date.now());
        await store.setSchedule(instance, { scopes: ["b"], minutes: 7 });
        expect(await store.schedule(instance)).toEqual({ scopes: ["b"], minutes: 7, startedAt });
      },
    ],
    [
      "is noted by one process only, and not where there is no schedule",
      async (store) => {
        expect(await store.started(instance, null)).toBeNull();
        await store.setSchedule(instance, { scopes: ["a"], minutes: 5 });
        const [one, other] = await Promise.all([store.started(instance, null), store.started(instance, null)]);
        const first = one ?? other;
        expect([one, other].filter((at) => at === null)).toHaveLength(1);
        expect(await store.started(instance, null)).toBeNull();
        expect(await store.started(instance, first)).toEqual(expect.any(String));
      },
    ],
  ],
  close: [
    [
      "ends everything; what comes later is refused",
      async (store) => {
        await store.save(shelf, page("a"));
        expect(await store.close()).toBe(true);
        const refused = { code: "shutting_down" };
        await expect(store.search(shelf, whole, performance.now() + 100_000)).rejects.toMatchObject(refused);
        await expect(store.states(instance)).rejects.toMatchObject(refused);
      },
    ],
    [
      "finishes the changes that have begun",
      async (store, another) => {
        await store.ready;
        const saving = store.save(shelf, page("ab"));
        expect(await store.close()).toBe(true);
        expect(await saving).toMatchObject({ inserted: 2 });
        expect(await found(await another())).toBe("ab");
      },
    ],
  ],
} satisfies { readonly [Member in keyof Store]: readonly Case[] };

/** Registers the cases for one kind of store. @param make makes a new, empty place */
export function storeConformance(name: string, make: () => StorePlace): void {
  describe(`${name}, by the contract of a store`, () => {
    let clear: () => Promise<void> = async () => undefined;
    afterEach(() => clear());

    describe.each(Object.entries<readonly Case[]>(cases))("%s", (_member, own) => {
      it.each(own)("%s", async (_title, check) => {
        const place = make();
        const opened: Store[] = [];
        clear = async () => {
          for (const store of opened) await store.close();
          await place.remove();
        };
        const another = async () => {
          const store = await place.open(plans);
          opened.push(store);
          return store;
        };
        await check(await another(), another);
      });
    });
  });
}
