import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../runtime/postgres/index.ts";
import {
  interpretGroups,
  interpretQuery,
  positionOf,
  QueryParser,
  type RecordObject,
  type SearchQuery,
  type SortPosition,
} from "../../runtime/search/index.ts";
import { raw } from "../../runtime/sql/index.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { engines } from "../support/postgres/engines.ts";
import { clearRecords, type TestDatabase } from "../support/postgres/test-database.ts";
import { readQuery, searchQueries } from "../support/search-arbitraries.ts";
import { nameOfRecord, searchPlan, searchRecords } from "../support/search-records.ts";

// `store.test.ts` compares SQLite with the same interpreter on the same queries.

/** How many queries each set of records gets: few by default, because the machine of a newcomer may have PGlite alone. */
const queriesPerSet = Number(process.env["TENON_TEST_QUERIES"] ?? 100);
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const patiently = () => performance.now() + 100_000;

describe.each(engines)("the store in $name", ({ start }) => {
  let place: TestDatabase;
  let database: Database;
  let store: PostgresStore;
  let run = 0;
  beforeAll(async () => {
    place = await start();
    database = place.open();
    store = new PostgresStore({ database, plans: { test: { things: searchPlan } }, searchTime: 100_000 });
  });
  afterAll(async () => {
    await store.close();
    await database.close();
    await place.close();
  });

  /** Stores these records, and others of another instance, which nobody may see. */
  async function stored(records: readonly RecordObject[], others: readonly RecordObject[]): Promise<void> {
    await clearRecords(database);
    const checkpoint = { run: ++run, full: true, step: 0 };
    await store.save({ ...collection, instance: "two" }, { records: others, checkpoint });
    // Each record is another one first: what a change leaves behind would be found.
    const before = records.map((record, index) => changed(record, records[(index + 1) % records.length]));
    await store.save(collection, { records: before, checkpoint });
    await store.save(collection, { records, checkpoint });
    // With statistics, some words are common, and the engine may walk through the records in their order.
    await database.alone(raw("ANALYZE"));
  }

  async function found(query: SearchQuery) {
    const { json, more, last } = await store.search(collection, { ...query, fields: null, explain: false }, patiently());
    return { keys: (JSON.parse(Buffer.from(json).toString()) as RecordObject[]).map(nameOfRecord), more, last };
  }

  it.each([1, 2, 3])("finds what the interpreter finds, in the same order (set %i)", async (seed) => {
    const [records = [], others = []] = fc.sample(searchRecords(120), { seed, numRuns: 2 });
    await stored(records, others);
    for (const given of fc.sample(searchQueries(records), { seed: seed + 99, numRuns: queriesPerSet })) {
      const query = readQuery(given);
      const wanted = interpretQuery(records, query, searchPlan);
      const last = wanted.records.at(-1);
      expect(await found(query), JSON.stringify(given)).toEqual({
        keys: wanted.records.map(nameOfRecord),
        more: wanted.more,
        last: last === undefined ? undefined : positionOf(last, query.sort, searchPlan),
      });
    }
  });

  it("counts and groups what the interpreter counts and groups", async () => {
    const [records = [], others = []] = fc.sample(searchRecords(120), { seed: 4, numRuns: 2 });
    await stored(records, others);
    const fields = Object.keys(searchPlan.fields).filter((field) => {
      const parser = new QueryParser("things", searchPlan.fields);
      parser.groupBy([field], []);
      return parser.faults.length === 0;
    });
    const bys = fc.uniqueArray(fc.constantFrom(...fields), { minLength: 1, maxLength: 2 });
    for (const [given, by] of fc.sample(fc.tuple(searchQueries(records), bys), { seed: 5, numRuns: queriesPerSet / 2 })) {
      const { filter } = readQuery(given);
      const filtered = filter === undefined ? {} : { filter };
      const wanted = interpretGroups(records, { ...filtered, by }, searchPlan);
      const total = wanted.reduce((sum, { count }) => sum + count, 0);
      const search = { ...filtered, sort: [], fields: null, explain: false, count: true as const };
      const groups = await store.search(collection, { ...search, limit: 1000, groupBy: by }, patiently());
      expect(JSON.parse(Buffer.from(groups.json).toString()), JSON.stringify([given, by])).toEqual(
        wanted.map(({ values, count }) => ({ ...Object.fromEntries(by.map((field, at) => [field, values[at]])), count })),
      );
      expect([groups.total, groups.more]).toEqual([total, false]);
      expect((await store.search(collection, { ...search, limit: 1 }, patiently())).total).toBe(total);
    }
  });

  it("gives by cursor exactly what one big page has, while other records come, change and go", async () => {
    const [all = [], others = []] = fc.sample(searchRecords(120), { seed: 7, numRuns: 2 });
    const still = all.filter((_, index) => index % 3 > 0);
    const moving = all.filter((_, index) => index % 3 === 0);
    await stored(still, others);
    let turn = 0;
    const move = async () => {
      const some = moving.filter((_, index) => (index + turn) % 2 === 0);
      const next = some.map((record, index) => changed(record, all[(index * 7 + turn) % all.length]));
      const checkpoint = { run: ++run, full: true, step: 0 };
      turn++;
      await store.save(collection, { records: [...still, ...next], checkpoint });
      await store.finish(collection, checkpoint, { massDelete: true, parents: [] });
    };
    for (const given of fc.sample(searchQueries(still), { seed: 8, numRuns: 10 })) {
      const query = { ...readQuery(given), limit: 1000 };
      const wanted = interpretQuery(still, query, searchPlan).records.map(nameOfRecord);
      const standing = new Set(still.map(nameOfRecord));
      const walked: string[] = [];
      for (let after: SortPosition | undefined; ; ) {
        const page = await found({ ...query, limit: 17, ...(after === undefined ? {} : { after }) });
        walked.push(...page.keys.filter((key) => standing.has(key)));
        after = page.last;
        if (!page.more) break;
        await move();
      }
      expect(walked, JSON.stringify(given)).toEqual(wanted);
    }
  });

  it("answers after each change what the interpreter and SQLite answer, and the cursors of each go on in the other", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-property-"));
    const file = new SqliteStore({ dataDir: folder, plans: { test: { things: searchPlan } }, searchTime: 100_000 });
    try {
      const [all = [], others = []] = fc.sample(searchRecords(120), { seed: 17, numRuns: 2 });
      await clearRecords(database);
      await store.save({ ...collection, instance: "two" }, { records: others, checkpoint: { run: ++run, full: true, step: 0 } });
      let records: readonly RecordObject[] = [];
      /** Some records come, some change, and some go, in both stores. */
      const move = async (turn: number) => {
        const some = all.filter((_, index) => (index * 7 + turn) % 4 > 0);
        records = some.map((record, index) =>
          (index + turn) % 3 === 0 ? changed(record, all[(index + turn) % all.length]) : record,
        );
        const checkpoint = { run: ++run, full: true, step: 0 };
        for (const one of [store, file]) {
          await one.save(collection, { records, checkpoint });
          await one.finish(collection, checkpoint, { massDelete: true, parents: [] });
        }
      };
      const pageOf = async (one: PostgresStore | SqliteStore, query: SearchQuery) => {
        const { json, more, last } = await one.search(collection, { ...query, fields: null, explain: false }, patiently());
        return { keys: (JSON.parse(Buffer.from(json).toString()) as RecordObject[]).map(nameOfRecord), more, last };
      };
      for (let turn = 0; turn < 5; turn++) {
        await move(turn);
        for (const given of fc.sample(searchQueries(records), { seed: 30 + turn, numRuns: Math.ceil(queriesPerSet / 5) })) {
          const query = readQuery(given);
          const wanted = interpretQuery(records, query, searchPlan);
          const last = wanted.records.at(-1);
          const expected = {
            keys: wanted.records.map(nameOfRecord),
            more: wanted.more,
            last: last === undefined ? undefined : positionOf(last, query.sort, searchPlan),
          };
          expect([await pageOf(store, query), await pageOf(file, query)], JSON.stringify(given)).toEqual([expected, expected]);
        }
      }
      for (const given of fc.sample(searchQueries(records), { seed: 40, numRuns: 4 })) {
        const query = { ...readQuery(given), limit: 17 };
        let turn = 5;
        for (let after: SortPosition | undefined; ; await move(turn++)) {
          const from = { ...query, ...(after === undefined ? {} : { after }) };
          const [here, there] = [await pageOf(store, from), await pageOf(file, from)];
          expect(here, JSON.stringify(given)).toEqual(there);
          // The cursor of the one store, then that of the other.
          after = (turn % 2 === 0 ? here : there).last;
          if (!here.more) break;
        }
      }
    } finally {
      await file.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("answers with the records as they were saved, byte for byte", async () => {
    const [records = []] = fc.sample(searchRecords(80), { seed: 3, numRuns: 1 });
    const strange = [0, 1, 2, 3, 4].map((number) => ({
      ...records[0],
      repository: "strange",
      number,
      title: `a${String.fromCharCode(number)}\u0001\u0002\u0003\u0000b`,
      body: `\u0000${String.fromCharCode(number)}"\\\u2028`,
      extra: { z: 1e21, a: "\u0000", "1": [1.0, -0, 1e-7, "\u{1f600}"] },
    }));
    await stored([...records, ...strange], []);
    const fields = new Map([...Object.keys(searchPlan.fields), "extra"].map((name) => [name, null]));
    const { json } = await store.search(collection, { sort: [], limit: 1000, fields, explain: false }, patiently());
    const answered = JSON.parse(Buffer.from(json).toString()) as RecordObject[];
    const given = new Map([...records, ...strange].map((record) => [nameOfRecord(record), record]));
    expect(answered.length).toBe(given.size);
    for (const record of answered) {
      const own: RecordObject = given.get(nameOfRecord(record)) ?? {};
      const wanted = Object.fromEntries([...fields.keys()].map((name) => [name, own[name] ?? null]));
      expect(JSON.stringify(record)).toBe(JSON.stringify(wanted));
    }
  });
});

function changed(record: RecordObject, other: RecordObject | undefined): RecordObject {
  return { ...other, repository: record["repository"], number: record["number"] };
}
