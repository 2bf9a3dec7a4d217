import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import type { RecordObject } from "../../../../runtime/search/index.ts";
import { newLeaseOwner } from "../../../../runtime/store/lease.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import { Catalogue } from "../../../../runtime/store/sqlite/tables/catalogue.ts";
import { layoutOf } from "../../../../runtime/store/sqlite/tables/layout.ts";
import { Writer } from "../../../../runtime/store/sqlite/write/writer.ts";

// Many records are saved without indexes, which are made at the end. Whatever happens meanwhile, the file must end as if every record had
// been saved with all indexes.

const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    title: { type: "string", index: "name" },
    body: { type: "string", index: "text", nullable: true },
    state: { type: "string", index: "exact", values: ["open", "closed"] },
    at: { type: "timestamp", index: "exact" },
    labels: { type: "string", index: "name", list: {} },
  },
};
const plans = { test: { things: plan } };
const layout = layoutOf("test", "things", plan);
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const folder = mkdtempSync(join(tmpdir(), "tenon-bulk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

const checkpoint = (run: number, full = true) => ({ run, full, step: 0 });
const kept = { massDelete: true, parents: [] };

function thing(id: number, version: number): RecordObject {
  const words = ["alpha", "beta", "gamma", "delta", "epsilon"];
  const word = (at: number) => words[(id * 3 + version * 7 + at) % words.length] ?? "";
  return {
    id: `t${String(id).padStart(3, "0")}`,
    title: `${word(0)} ${word(1)} ${version}`,
    body: (id + version) % 4 === 0 ? null : textOf(id, word(2)),
    state: version % 2 === 0 ? "open" : "closed",
    at: new Date(1_700_000_000_000 + id * 1000 + version).toISOString(),
    labels: id % 3 === 0 ? [] : [word(3), `l${version}`],
  };
}

/** Texts whose words the engine finds by itself, and others: beyond ASCII, decomposed, too long, without words. */
function textOf(id: number, word: string): string {
  const texts = [
    `${word} text_of ${id}`,
    `The ${word.toUpperCase()}-Text of\0${id}, ${word}`,
    `Ein Wörterbuch für ${word} \u004f\u0308de ÀÉ`,
    `${word} ${"x".repeat(33_000)} ${"ab ".repeat(20)}`,
    "…, -- !",
    "-- !",
    "",
  ];
  return texts[id % texts.length] ?? "";
}

/** Everything that the file has of the entity: rows, items, words with their records, vocabularies, indexes. Ids stand for records. */
function contents(file: string): unknown {
  const db = new Database(file);
  const rows = db.prepare(`SELECT * FROM ${layout.narrow} ORDER BY k`).all() as { id: number; k: string }[];
  const keys = new Map(rows.map(({ id, k }) => [id, k]));
  const words = [...layout.columns.values()].flatMap(({ words: tables }) => (tables === undefined ? [] : [tables]));
  const indexed = words.map(({ index, field }, at) => {
    const name = index.slice(1, -1).replaceAll("'", "''");
    db.exec(`CREATE VIRTUAL TABLE temp.w${at} USING fts5vocab('main', '${name}', 'instance')`);
    const found = db.prepare(`SELECT term, doc FROM temp.w${at}`).all() as { term: string; doc: number }[];
    return [field, found.map(({ term, doc }) => `${term} ${keys.get(doc)}`).sort()];
  });
  const tables = [...layout.columns.values()].flatMap(({ items }) => (items === undefined ? [] : [items]));
  const all = {
    rows: rows.map(({ id: _, ...row }) => row),
    texts: db
      .prepare(`SELECT n.k, w.* FROM ${layout.wide} w JOIN ${layout.narrow} n ON n.id = w.id ORDER BY n.k`)
      .all()
      .map(withoutId),
    items: tables.map((items) => db.prepare(`SELECT * FROM ${items} ORDER BY v, k`).all().map(withoutId)),
    indexed,
    // A vocabulary may have words that no record has any longer. The index cuts words of more than 32,768 bytes.
    unlisted: words.map(({ vocabulary }, at) =>
      db.prepare(`SELECT term FROM temp.w${at} WHERE length(term) < 32768 EXCEPT SELECT word FROM ${vocabulary}`).pluck().all(),
    ),
    vocabularies: words.map(({ vocabulary }) => db.prepare(`SELECT word FROM ${vocabulary} ORDER BY word`).pluck().all()),
    indexes: db.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name").pluck().all(),
    entity: db.prepare("SELECT name, version, loading FROM store_entities").all(),
  };
  db.close();
  return all;
}

function withoutId(row: unknown): object {
  const { id: _, ...rest } = row as { id: unknown };
  return rest;
}

type Step = { readonly kind: "save"; readonly ids: readonly number[]; readonly version: number } | { readonly kind: "settle" };

/** Runs the steps. Both files get the same vocabulary only when no word was ever dropped, which no step does. */
function run(steps: readonly Step[], bulk: number): string {
  const file = join(folder, `${files++}.sqlite`);
  const writer = new Writer(file, new Catalogue(plans), () => undefined, { bulk });
  for (const step of steps) {
    if (step.kind === "settle") writer.settle(collection);
    else writer.save(collection, { records: step.ids.map((id) => thing(id, step.version)), checkpoint: checkpoint(1) });
  }
  // The last sync run sees only some records, and removes the others.
  writer.save(collection, { records: Array.from({ length: 30 }, (_, id) => thing(id * 2, 1)), checkpoint: checkpoint(2) });
  writer.finish(collection, checkpoint(2), kept);
  for (let rounds = 0; writer.settle(collection); rounds++) expect(rounds).toBeLessThan(100);
  writer.close();
  return file;
}

describe("loading in bulk", () => {
  it("ends in the file that saving with all indexes makes, whatever is saved and removed between its steps", () => {
    const save = fc.record({
      kind: fc.constant("save" as const),
      ids: fc.uniqueArray(fc.integer({ min: 0, max: 79 }), { minLength: 1, maxLength: 30 }),
      version: fc.integer({ min: 0, max: 5 }),
    });
    const step = fc.oneof({ weight: 2, arbitrary: save }, { weight: 1, arbitrary: fc.constant({ kind: "settle" as const }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const [bulk, whole] = [contents(run(steps, 10)), contents(run(steps, Number.POSITIVE_INFINITY))] as [
          { vocabularies: unknown },
          { vocabularies: unknown },
        ];
        // A record that is changed or removed before its words are written leaves none.
        expect({ ...bulk, vocabularies: [] }).toEqual({ ...whole, vocabularies: [] });
        expect(bulk).toMatchObject({ unlisted: [[], [], []] });
      }),
      { numRuns: 25, seed: 4 },
    );
  });

  it("drops the indexes only for a scope that is read for the first time and has most of the records", () => {
    const file = join(folder, `${files++}.sqlite`);
    const writer = new Writer(file, new Catalogue(plans), () => undefined, { bulk: 10 });
    const some = (from: number, count: number) => Array.from({ length: count }, (_, at) => thing(from + at, 0));
    writer.save(collection, { records: some(0, 9), checkpoint: checkpoint(1) });
    expect(writer.unsettled()).toEqual([]);
    // A small scope that is complete says nothing about the next one.
    expect(writer.settle(collection)).toBe(false);
    writer.save(collection, { records: some(9, 1), checkpoint: checkpoint(1) });
    expect(writer.unsettled()).toEqual([{ connector: "test", entity: "things" }]);
    while (writer.settle(collection));
    writer.save(collection, { records: some(10, 30), checkpoint: checkpoint(1) });
    expect(writer.unsettled()).toEqual([]);
    writer.close();
  });

  it("adds all words of large vocabularies, in several steps", () => {
    const file = join(folder, `${files++}.sqlite`);
    const writer = new Writer(file, new Catalogue(plans), () => undefined, { bulk: 10 });
    const many = (id: number, kind: string) => Array.from({ length: 600 }, (_, at) => `${kind}${id}x${at}`).join(" ");
    const save = (from: number, count: number) => {
      const records = Array.from({ length: count }, (_, at) => ({
        ...thing(from + at, 0),
        title: many(from + at, "t"),
        body: many(from + at, "b"),
      }));
      writer.save(collection, { records, checkpoint: checkpoint(1) });
    };
    save(0, 10);
    save(10, 20);
    const vocabulary = () => (contents(file) as { vocabularies: string[][] }).vocabularies.map(({ length }) => length);
    const sizes: (readonly number[])[] = [];
    while (writer.settle(collection)) sizes.push(vocabulary());
    // A step adds 5,000 words of one field.
    expect(sizes.some(([titles = 0]) => titles > 6_000 && titles < 18_000)).toBe(true);
    writer.close();
    expect(vocabulary()).toEqual([18_000, 18_000, expect.any(Number)]);
    expect(contents(file)).toMatchObject({ unlisted: [[], [], []], entity: [{ loading: null }] });
  });

  it("is ended by the next service when a process was killed meanwhile, and not while another process loads", async () => {
    const dataDir = mkdtempSync(join(folder, "killed-"));
    const file = join(dataDir, "context-store.sqlite");
    const writer = new Writer(file, new Catalogue(plans), () => undefined, { bulk: 10 });
    writer.save(collection, { records: Array.from({ length: 20 }, (_, id) => thing(id, 0)), checkpoint: checkpoint(1) });
    const owner = newLeaseOwner();
    const loading = () => (contents(file) as { entity: { loading: number | null }[] }).entity[0]?.loading;
    const served = async () => {
      const store = new SqliteStore({ dataDir, plans });
      await store.ready;
      await store.tidied;
      await store.close();
      return loading();
    };
    expect(writer.lease(collection, owner, 60)).not.toBeNull();
    expect(await served()).toBe(20);
    writer.lease(collection, owner, 0);
    expect(await served()).toBeNull();
    writer.close();
    expect((contents(file) as { indexes: string[] }).indexes).toEqual(
      expect.arrayContaining(layout.indexes.map(({ name }) => name.slice(1, -1))),
    );
  });
});

it("a load begins by dropping all indexes that only searches need, and no other", () => {
  const file = join(folder, `dropped-${files++}.sqlite`);
  const writer = new Writer(file, new Catalogue(plans), () => undefined, { bulk: 3 });
  const indexes = () => {
    const db = new Database(file, { readonly: true });
    const found = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL").pluck().all();
    db.close();
    return new Set(found);
  };
  writer.save(collection, { records: [thing(0, 0)], checkpoint: checkpoint(1) });
  const before = indexes();
  writer.save(collection, { records: [1, 2, 3, 4].map((id) => thing(id, 0)), checkpoint: checkpoint(1) });
  const dropped = [...before].filter((name) => !indexes().has(name));
  expect(layout.indexes.length).toBeGreaterThan(0);
  expect(dropped.toSorted()).toEqual(layout.indexes.map(({ name }) => name.slice(1, -1)).toSorted());
  writer.close();
});
