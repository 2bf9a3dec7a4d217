import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import type { Condition, RecordObject } from "../../../../runtime/search/index.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import { newFolder } from "../../../e2e/support/cache.ts";
import { faultsOf } from "../../../e2e/support/dump.ts";

// A spec changes while a file with records of its older version is there.

const place = { connector: "trial", instance: "one" };
const collection = { ...place, entity: "notes" };
const syncCollection = { ...collection, scope: "all" };
const other = { ...collection, entity: "things" };

const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    title: { type: "string", index: "name" },
    body: { type: "string", index: "text" },
  },
};
const things: StorePlan = { key: ["id"], fields: { id: { type: "string", index: "exact" } } };

const notes: readonly RecordObject[] = [
  { id: "a", title: "First things first", body: "A long text about oaks", size: 3, tags: ["x"] },
  { id: "b", title: "Second", body: "Nothing; % and _ and \\ and 🌍 é", size: 20, tags: [] },
  { id: "c", title: "", body: "oaks and elms", size: null, tags: null },
];

let folders: string[] = [];
let stores: SqliteStore[] = [];

afterEach(async () => {
  for (const store of stores) await store.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  stores = [];
  folders = [];
});

async function open(dataDir: string, notesPlan: StorePlan): Promise<{ store: SqliteStore; told: string[] }> {
  const told: string[] = [];
  const store = new SqliteStore({ dataDir, plans: { trial: { notes: notesPlan, things } }, tell: (text) => told.push(text) });
  stores.push(store);
  await store.ready;
  return { store, told };
}

/** A file in which both entities were synced completely. */
async function filled(): Promise<string> {
  const dataDir = newFolder();
  folders.push(dataDir);
  const { store, told } = await open(dataDir, plan);
  const checkpoint = { run: 1, full: true, step: 1, newest: "2024-01-01T00:00:00Z" };
  for (const [on, records] of [
    [syncCollection, notes],
    [{ ...other, scope: "all" }, [{ id: "t" }]],
  ] as const) {
    await store.save(on, { records, checkpoint, parent: "p", parentDone: { key: "p", marker: "m" } });
    await store.finish(on, checkpoint, { massDelete: false, parents: [] });
  }
  expect(told).toEqual(["made the tables of notes", "made the tables of things"]);
  await store.close();
  return dataDir;
}

const everything = ["id", "title", "body", "size", "tags"];

async function find(store: SqliteStore, filter?: Condition, fields: readonly string[] = everything): Promise<RecordObject[]> {
  const query = { ...(filter === undefined ? {} : { filter }), sort: [], limit: 100, explain: false };
  const answer = await store.search(
    collection,
    { ...query, fields: new Map(fields.map((name) => [name, null])) },
    performance.now() + 9000,
  );
  return JSON.parse(new TextDecoder().decode(answer.json));
}

const test = (operator: string, field: string, operand: unknown) => ({ kind: "test", operator, field, operand }) as Condition;
const ids = (records: readonly RecordObject[]) => records.map(({ id }) => id);

describe("a large file whose spec now has other fields", () => {
  it("says how far a large rebuild is, and leaves the process to its requests meanwhile", async () => {
    const dataDir = newFolder();
    folders.push(dataDir);
    const { store } = await open(dataDir, plan);
    const records = Array.from({ length: 20_000 }, (_, at) => ({ id: `n${at}`, title: `Note ${at}`, body: "oaks" }));
    for (let from = 0; from < records.length; from += 2_000)
      await store.save(syncCollection, {
        records: records.slice(from, from + 2_000),
        checkpoint: { run: 1, full: true, step: 0 },
      });
    await store.close();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const { told } = await open(dataDir, { ...plan, fields: { ...plan.fields, title: { type: "string", index: "text" } } });
    clearInterval(timer);
    expect(told).toEqual([
      "copied 10,000 records of notes to new tables",
      "copied 20,000 records of notes to new tables",
      "rebuilt the tables of notes",
    ]);
    expect(turns).toBeGreaterThan(10);
  });
});

describe("a file whose spec has not changed", () => {
  it("is opened unchanged", async () => {
    const dataDir = await filled();
    const { store, told } = await open(dataDir, plan);
    expect(await find(store)).toEqual(notes);
    expect(told).toEqual([]);
  });
});

describe.each<[string, StorePlan, Condition, string[]]>([
  [
    "another index of a field",
    { ...plan, fields: { ...plan.fields, title: { type: "string", index: "text" }, body: { type: "string", index: "name" } } },
    test("like", "body", "a long%"),
    ["a"],
  ],
  [
    "a field that is new to search",
    { ...plan, fields: { ...plan.fields, size: { type: "integer", index: "exact", nullable: true } } },
    test("gt", "size", 3),
    ["b"],
  ],
  [
    "a field that is no longer searchable",
    { ...plan, fields: { id: { type: "string", index: "exact" }, title: { type: "string", index: "name" } } },
    test("keyword", "title", "first"),
    ["a"],
  ],
])("a file whose spec now has %s", (_title, next, filter, wanted) => {
  it("is rebuilt from its own records, which is reported once, and is searched like a new file", async () => {
    const dataDir = await filled();
    const { store, told } = await open(dataDir, next);
    expect(told).toEqual(["rebuilt the tables of notes"]);
    expect(await find(store)).toEqual(notes);
    expect(ids(await find(store, filter))).toEqual(wanted);
    expect(ids(await find(store, test("keyword", "title", "second")))).toEqual(["b"]);
    await store.close();
    expect(faultsOf(join(dataDir, "context-store.sqlite"))).toEqual([]);
    const again = await open(dataDir, next);
    expect(again.told).toEqual([]);
    expect(ids(await find(again.store, filter))).toEqual(wanted);
  });

  it("is read again by the next sync, as its states show at once; other entities are not", async () => {
    const dataDir = await filled();
    const { store } = await open(dataDir, next);
    const [ofNotes, ofThings] = await store.states(place);
    expect(ofNotes).toMatchObject({ entity: "notes", records: 3, newest: null, fullAt: null, completedAt: expect.any(String) });
    expect(ofThings).toMatchObject({ entity: "things", records: 1, newest: "2024-01-01T00:00:00Z", fullAt: expect.any(String) });
    const markers = async (entity: string) =>
      (await store.parents({ ...other, scope: "all" }, { entity, step: 1 }, undefined, 10)).map(({ marker }) => marker);
    expect(await markers("notes")).toEqual([null]);
  });

  it("accepts changes of its records afterwards", async () => {
    const dataDir = await filled();
    const { store } = await open(dataDir, next);
    const checkpoint = { run: 2, full: true, step: 1 };
    const changed = { id: "a", title: "Beeches", body: "Nothing of the kind", size: 99, tags: [] };
    expect(await store.save(syncCollection, { records: [changed, notes[1] ?? {}], checkpoint })).toMatchObject({ inserted: 0 });
    expect(await store.finish(syncCollection, checkpoint, { massDelete: false, parents: [] })).toEqual({
      removed: 1,
      refused: false,
      of: 3,
    });
    expect(await find(store)).toEqual([changed, notes[1]]);
    expect(ids(await find(store, test("keyword", "title", "first")))).toEqual([]);
    expect(ids(await find(store, test("keyword", "title", "beeches")))).toEqual(["a"]);
  });
});

describe("a file whose spec now has another key", () => {
  const next: StorePlan = { ...plan, key: ["id", "title"] };

  it("is emptied, which is reported, and counts as not synced", async () => {
    const dataDir = await filled();
    const { store, told } = await open(dataDir, next);
    expect(told).toEqual(["emptied the tables of notes"]);
    expect(await find(store)).toEqual([]);
    const [ofNotes, ofThings] = await store.states(place);
    expect(ofNotes).toMatchObject({
      entity: "notes",
      records: 0,
      checkpoint: null,
      newest: null,
      fullAt: null,
      completedAt: null,
    });
    expect(ofThings).toMatchObject({ entity: "things", records: 1 });
    const query = { sort: [], limit: 1, fields: null, explain: false };
    expect((await store.search(collection, query, performance.now() + 9000)).syncedAt).toBe(null);
  });

  it("is filled by the next sync and searched", async () => {
    const dataDir = await filled();
    const { store } = await open(dataDir, next);
    const checkpoint = { run: 2, full: true, step: 1 };
    expect(await store.save(syncCollection, { records: notes, checkpoint })).toMatchObject({ inserted: 3 });
    await store.finish(syncCollection, checkpoint, { massDelete: false, parents: [] });
    expect(ids(await find(store, test("keyword", "body", "oaks")))).toEqual(["a", "c"]);
    await store.close();
    expect(faultsOf(join(dataDir, "context-store.sqlite"))).toEqual([]);
  });
});
