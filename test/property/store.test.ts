import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import {
  interpretGroups,
  interpretQuery,
  positionOf,
  QueryParser,
  type RecordObject,
  type SearchQuery,
  type SortPosition,
} from "../../runtime/search/index.ts";
import type { Preference } from "../../runtime/store/sqlite/search/finder.ts";
import { Reader } from "../../runtime/store/sqlite/search/reader.ts";
import { Catalogue } from "../../runtime/store/sqlite/tables/catalogue.ts";
import { Writer } from "../../runtime/store/sqlite/write/writer.ts";
import { readQuery, searchQueries } from "../support/search-arbitraries.ts";
import { nameOfRecord, searchPlan, searchRecords } from "../support/search-records.ts";

const queriesPerSet = 400;
const ways: readonly (Preference | undefined)[] = [undefined, "gather", "narrow", "walk", "probe"];

/** The reader that plans by itself, and in turns one of the others: the forced ways of planning, and a loading that was cut off. */
const inTurns = (readers: readonly Reader[], turn: number) =>
  [...readers.entries()].filter(([index]) => index === 0 || index === 1 + (turn % (readers.length - 1)));

const plans = { test: { things: searchPlan } };
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const folder = mkdtempSync(join(tmpdir(), "tenon-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

/** A store with these records, and others of another instance, which nobody may see. */
function stored(records: readonly RecordObject[], others: readonly RecordObject[]): Reader[] {
  const file = join(folder, `${files++}.sqlite`);
  const writer = new Writer(file, new Catalogue(plans), () => undefined);
  const checkpoint = { run: 1, full: true, step: 0 };
  writer.save({ ...collection, instance: "two" }, { records: others, checkpoint });
  // Each record is another one first: what a change leaves behind would be found.
  writer.save(collection, {
    records: records.map((record, index) => changed(record, records[(index + 1) % records.length])),
    checkpoint,
  });
  writer.save(collection, { records, checkpoint });
  writer.close();
  return [...ways.map((way) => new Reader(file, new Catalogue(plans), { prefer: way })), loading(records, others)];
}

/** The reader of a store whose loading was cut off, so that a part of the records has no words, and nothing has an index. */
function loading(records: readonly RecordObject[], others: readonly RecordObject[]): Reader {
  const file = join(folder, `${files++}.sqlite`);
  const writer = new Writer(file, new Catalogue(plans), () => undefined, { bulk: 1 });
  const checkpoint = { run: 1, full: true, step: 0 };
  const half = Math.ceil(records.length / 2);
  writer.save(collection, { records: records.slice(0, half).map((record) => changed(record, records.at(-1))), checkpoint });
  expect(writer.unsettled().length).toBe(1);
  writer.save({ ...collection, instance: "two" }, { records: others, checkpoint });
  writer.save(collection, { records, checkpoint });
  writer.close();
  return new Reader(file, new Catalogue(plans));
}

function changed(record: RecordObject, other: RecordObject | undefined): RecordObject {
  return { ...other, repository: record["repository"], number: record["number"] };
}

/** Which records are found is compared by their keys; a record has more than a hundred times as many bytes. */
const keyFields = new Map([
  ["repository", null],
  ["number", null],
]);

function found(reader: Reader, query: SearchQuery): { keys: string[]; more: boolean; last: SortPosition | undefined } {
  const answer = reader.search(collection, { ...query, fields: keyFields, explain: false }, Date.now() + 60_000);
  if (answer === undefined) throw new Error("nothing asked the search to give way");
  const { json, more, last } = answer;
  const records = JSON.parse(Buffer.from(json).toString()) as RecordObject[];
  return { keys: records.map(nameOfRecord), more, last };
}

describe("the store in SQLite", () => {
  // 8 sets of records, 400 queries each, two readers: 6,400 searches.
  it.each(Array.from({ length: 8 }, (_, index) => index))(
    "finds what the interpreter finds, in the same order (set %i)",
    (seed) => {
      const [records = [], others = []] = fc.sample(searchRecords(120), { seed: seed + 1, numRuns: 2 });
      const readers = stored(records, others);
      const queries = fc.sample(searchQueries(records), { seed: seed + 100, numRuns: queriesPerSet });
      for (const [turn, given] of queries.entries()) {
        const query = readQuery(given);
        const wanted = interpretQuery(records, query, searchPlan);
        const last = wanted.records.at(-1);
        const expected = {
          keys: wanted.records.map(nameOfRecord),
          more: wanted.more,
          last: last === undefined ? undefined : positionOf(last, query.sort, searchPlan),
        };
        for (const [index, reader] of inTurns(readers, turn))
          expect(found(reader, query), `${ways[index] ?? "as planned"}: ${JSON.stringify(given)}`).toEqual(expected);
      }
      for (const reader of readers) reader.close();
    },
  );

  it.each([1, 2, 3])("counts and groups what the interpreter counts and groups (set %i)", (seed) => {
    const [records = [], others = []] = fc.sample(searchRecords(120), { seed, numRuns: 2 });
    const readers = stored(records, others);
    const fields = Object.keys(searchPlan.fields).filter((field) => {
      const parser = new QueryParser("things", searchPlan.fields);
      parser.groupBy([field], []);
      return parser.faults.length === 0;
    });
    expect(fields.length).toBeGreaterThan(3);
    const bys = fc.sample(fc.uniqueArray(fc.constantFrom(...fields), { minLength: 1, maxLength: 2 }), { seed, numRuns: 200 });
    const queries = fc.sample(searchQueries(records), { seed: seed + 500, numRuns: 200 });
    for (const [index, given] of queries.entries()) {
      const { filter } = readQuery(given);
      const by = bys[index] ?? fields.slice(0, 1);
      const wanted = interpretGroups(records, { ...(filter === undefined ? {} : { filter }), by }, searchPlan);
      const total = wanted.reduce((sum, { count }) => sum + count, 0);
      const search = {
        ...(filter === undefined ? {} : { filter }),
        sort: [],
        fields: null,
        explain: false,
        count: true as const,
      };
      for (const [, reader] of inTurns(readers, index)) {
        const groups = reader.search(collection, { ...search, limit: 1000, groupBy: by }, Date.now() + 60_000);
        const said = `${JSON.stringify(given)} by ${by.join()}`;
        expect(JSON.parse(Buffer.from(groups?.json ?? []).toString()), said).toEqual(
          wanted.map(({ values, count }) => ({ ...Object.fromEntries(by.map((field, at) => [field, values[at]])), count })),
        );
        expect([groups?.total, groups?.more], said).toEqual([total, false]);
        expect(reader.search(collection, { ...search, limit: 1 }, Date.now() + 60_000)?.total, said).toBe(total);
      }
    }
    for (const reader of readers) reader.close();
  });

  it("finds each record once where many of its words fit, of one word or of several", () => {
    const [made = []] = fc.sample(searchRecords(150), { seed: 21, numRuns: 1 });
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const family = (at: number, begin: string) => [0, 5, 11].map((step) => begin + letters[(at * 7 + step) % letters.length]);
    const records = made.map((record, at) => ({
      ...record,
      title: [...family(at, "alpha"), ...(at % 3 === 0 ? [] : family(at, "omega"))].join(" "),
    }));
    const readers = stored(records, []);
    const title = (operator: string, text: string) => ({ [operator]: { title: text } });
    const filters = [
      title("fuzzy", "alpha"),
      title("fuzzy", "alpha omega"),
      title("fuzzy", "omega alpha"),
      title("like", "%lph%"),
      { and: [title("like", "%lph%"), title("like", "%meg%")] },
      { and: [title("fuzzy", "alphb omegc"), { neq: { state: "open" } }] },
      { or: [title("fuzzy", "omega"), title("keyword", "alphab alphac")] },
      { and: [title("fuzzy", "alpha omega"), { not: title("keyword", "alphad") }] },
    ];
    for (const filter of filters)
      for (const sort of [[], [{ createdAt: "desc" as const }], [{ body: "asc" as const }]])
        for (const limit of [5, 100]) {
          const query = readQuery({ filter, sort, limit });
          const wanted = interpretQuery(records, query, searchPlan).records.map(nameOfRecord);
          for (const [index, reader] of readers.entries())
            expect(found(reader, query).keys, `${ways[index] ?? "as planned"}: ${JSON.stringify({ filter, sort })}`).toEqual(
              wanted,
            );
        }
    for (const reader of readers) reader.close();
  });

  it("gives by cursor exactly what one big page has", () => {
    const [records = [], others = []] = fc.sample(searchRecords(150), { seed: 7, numRuns: 2 });
    const readers = stored(records, others);
    for (const given of fc.sample(searchQueries(records), { seed: 8, numRuns: 120 })) {
      const query = { ...readQuery(given), limit: 1000 };
      const all = interpretQuery(records, query, searchPlan).records.map(nameOfRecord);
      for (const reader of readers) {
        const walked: string[] = [];
        for (let after: SortPosition | undefined; ; ) {
          const page = found(reader, { ...query, limit: 17, ...(after === undefined ? {} : { after }) });
          walked.push(...page.keys);
          after = page.last;
          if (!page.more) break;
        }
        expect(walked, JSON.stringify(given)).toEqual(all);
      }
    }
    for (const reader of readers) reader.close();
  });

  it("answers with the records as they were saved", () => {
    const [records = []] = fc.sample(searchRecords(80), { seed: 3, numRuns: 1 });
    const [reader] = stored(records, []);
    const { json } =
      reader?.search(collection, { sort: [], limit: 1000, fields: null, explain: false }, Date.now() + 60_000) ?? {};
    const answered = JSON.parse(Buffer.from(json ?? []).toString()) as RecordObject[];
    const asJson = JSON.parse(JSON.stringify(records)) as RecordObject[];
    const saved = new Map(asJson.map((record) => [nameOfRecord(record), record]));
    for (const record of answered) {
      const given = saved.get(nameOfRecord(record)) ?? {};
      for (const name of Object.keys(searchPlan.fields)) expect(record[name], name).toEqual(given[name] ?? null);
    }
    expect(answered.length).toBe(records.length);
    reader?.close();
  });
});
