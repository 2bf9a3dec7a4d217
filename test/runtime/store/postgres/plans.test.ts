import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { conjuncts, interpret, wordsOf } from "../../../../runtime/search/index.ts";
import { raw, type Sql, sql, statementOf } from "../../../../runtime/sql/index.ts";
import { largestAnswer } from "../../../../runtime/store/answer.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { keyOf } from "../../../../runtime/store/postgres/rows/rows.ts";
import { planOf } from "../../../../runtime/store/postgres/search/explain.ts";
import { statementsOf } from "../../../../runtime/store/postgres/search/find-statement.ts";
import { sortColumns } from "../../../../runtime/store/postgres/search/order.ts";
import { whereOfAll } from "../../../../runtime/store/postgres/search/where.ts";
import { type Column, layoutOf } from "../../../../runtime/store/postgres/tables/layout.ts";
import { wordToken } from "../../../../runtime/store/postgres/words/word-tokens.ts";
import { WordList } from "../../../../runtime/store/words/word-list.ts";
import { demandIndexes } from "../../../support/postgres/demand-indexes.ts";
import { usePglite } from "../../../support/postgres/use-pglite.ts";
import { readQuery, searchQueries, searchTests } from "../../../support/search-arbitraries.ts";
import { searchPlan, searchRecords } from "../../../support/search-records.ts";

const layout = layoutOf("test", "things", searchPlan);
const [records = []] = fc.sample(searchRecords(60), { seed: 1, numRuns: 1 });

const listed = ["parser", "parsers", "map", "mapping"];

/**
 * Whether an index is asked for the instance: as its first column, or by tokens of an array, each of which is one of the instance.
 *
 * @param words that the search may ask for. In another instance, they have other tokens
 */
function isByInstance(condition: string, words: readonly string[]): boolean {
  if (/\(inst = 1\)|&& '\{"?1[:",}]/.test(condition)) return true;
  const tokens = new Set([...listed, ...words].map((word) => String(wordToken(1, word))));
  const asked = [...condition.matchAll(/&& '\{([-\d,]+)\}'::bigint\[\]/g)].flatMap(([, list = ""]) => list.split(","));
  return asked.length > 0 && asked.every((token) => tokens.has(token));
}

/** The words that a field has in the records. */
function wordsOfRecords({ field, words: own }: Column): WordList | undefined {
  if (own === undefined) return undefined;
  const words = new WordList(() => undefined);
  words.add([...new Set(records.flatMap((record) => wordsIn(record[field])))]);
  return words;
}

function wordsIn(value: unknown): string[] {
  if (typeof value === "string") return wordsOf(value);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(wordsIn) : [];
}

describe("the plans of searches in PostgreSQL", () => {
  const place = usePglite();
  beforeAll(async () => {
    const plans = { test: { things: searchPlan } };
    const store = new PostgresStore({ database: place.database, plans });
    await store.ready;
    await demandIndexes(place.database, plans);
    const checkpoint = { run: 1, full: true, step: 0 };
    await store.save({ connector: "test", instance: "one", entity: "things", scope: "all" }, { records, checkpoint });
    await store.close();
  });

  /** The nodes that read a table or an index. A small table is read whole unless that is forbidden. */
  function reads(statement: Sql) {
    return place.database.transaction(async (queries) => {
      await queries.run(sql`SET LOCAL enable_seqscan = off`);
      const nodes = await planOf(queries, statement);
      return nodes.filter((node) => node["Relation Name"] !== undefined || node["Index Name"] !== undefined);
    });
  }

  it("read no record of another instance", async () => {
    const words = new WordList(() => undefined);
    words.add(listed);
    const indexes = new Set<string>();
    for (const given of fc.sample(searchQueries(records), { seed: 3, numRuns: 80 })) {
      const query = readQuery(given);
      const conditions = conjuncts(query.filter);
      const where = whereOfAll(conditions, layout, {
        inst: 1,
        words: ({ words: own }) => (own === undefined ? undefined : words),
        counts: () => ({ ofAny: (tokens) => (tokens.includes(wordToken(1, "map")) ? 50 : 5) }),
      });
      const sort = sortColumns(layout, query.sort);
      const wanted = { layout, conditions, where, sort, after: undefined, need: 10, bytes: largestAnswer, whole: false };
      const ways = where.count === undefined ? [false] : [false, true];
      const statements = ways.flatMap((byWords) => statementsOf({ ...wanted, byWords }, undefined, 10));
      for (const node of (await Promise.all(statements.map(reads))).flat()) {
        const name = node["Index Name"];
        // A bitmap of an index is joined with the table; the indexes are nodes of their own.
        if (node["Node Type"] === "Bitmap Heap Scan") continue;
        expect(name, JSON.stringify([given, node])).toBeDefined();
        expect(isByInstance(node["Index Cond"] ?? "", wordsIn(given)), JSON.stringify([given, node])).toBe(true);
        indexes.add(String(name));
      }
    }
    expect(indexes.size).toBeGreaterThan(5);
  });

  it("begin every key and index with the instance, or with an array whose tokens begin with it", async () => {
    const rows = await place.database.query<{ name: string; definition: string }>(
      sql`SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'tenon_versions'`,
    );
    // These tables have no rows of an instance.
    const general = /^(store_instances|store_entities|store_layouts|store_users|store_indexes|semantic_models)_/;
    const own = rows.filter(({ name }) => !general.test(name));
    expect(own.length).toBeGreaterThan(30);
    for (const { name, definition } of own) expect(definition, name).toMatch(/USING (btree \(inst[,)]|gin \()/);
  });

  it("find the same records, whether these are looked up by their words or not", async () => {
    const found = { records: 0, changed: 0 };
    const tests = searchTests(records, "string").filter((one) => /^(eq|keyword|like|fuzzy)$/.test(Object.keys(one)[0] ?? ""));
    for (const filter of fc.sample(tests, { seed: 5, numRuns: 200 })) {
      const given = { filter, sort: [], limit: 1 };
      const conditions = conjuncts(readQuery(given).filter);
      const holds = interpret({ kind: "and", conditions }, searchPlan.fields);
      const wanted = records.filter(holds).map((record) => keyOf(layout, record));
      const texts = new Set<string>();
      for (const byWords of [undefined, true, false]) {
        const context = { inst: 1, words: wordsOfRecords, counts: () => undefined };
        const where = whereOfAll(conditions, layout, byWords === undefined ? context : { ...context, byWords });
        texts.add(statementOf(where.sql).text);
        const rows = await place.database.query<{ k: string }>(sql`SELECT n.k FROM ${raw(layout.records)} n WHERE ${where.sql}`);
        const keys = new Set(rows.map(({ k }) => k));
        expect([...keys], JSON.stringify(given)).toEqual(expect.arrayContaining(wanted));
        if (where.exact) expect(keys.size, JSON.stringify(given)).toBe(wanted.length);
      }
      found.records += wanted.length;
      found.changed += texts.size > 1 ? 1 : 0;
    }
    expect(found.records).toBeGreaterThan(200);
    expect(found.changed).toBeGreaterThan(20);
  });

  it("pages by time of a state need no sort", async () => {
    const conditions = conjuncts(readQuery({ filter: { eq: { state: "open" } }, sort: [], limit: 1 }).filter);
    const where = whereOfAll(conditions, layout, { inst: 1, words: () => undefined, counts: () => undefined });
    const sort = sortColumns(layout, [{ field: "createdAt", direction: "asc" }]);
    const wanted = {
      layout,
      conditions,
      where,
      sort,
      after: [0, "x"] as const,
      need: 10,
      bytes: largestAnswer,
      whole: false,
      byWords: false,
    };
    const [statement = raw("")] = statementsOf(wanted, wanted.after, 10);
    const [first] = await reads(statement);
    expect(first?.["Index Name"]).toMatch(/state\+createdAt/);
  });
});
