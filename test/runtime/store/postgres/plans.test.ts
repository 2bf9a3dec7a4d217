import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, raw, type Sql, sql } from "../../../../runtime/postgres/index.ts";
import { conjuncts } from "../../../../runtime/search/index.ts";
import { planOf } from "../../../../runtime/store/postgres/explain.ts";
import { statementsOf } from "../../../../runtime/store/postgres/find-statement.ts";
import { layoutOf } from "../../../../runtime/store/postgres/layout.ts";
import { sortColumns } from "../../../../runtime/store/postgres/order.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { whereOfAll } from "../../../../runtime/store/postgres/where.ts";
import { WordList } from "../../../../runtime/store/word-list.ts";
import { startPglite } from "../../../support/postgres/pglite.ts";
import type { TestDatabase } from "../../../support/postgres/test-database.ts";
import { readQuery, searchPlan, searchQueries, searchRecords } from "../../../support/search-arbitraries.ts";

const layout = layoutOf("test", "things", searchPlan);
const [records = []] = fc.sample(searchRecords(60), { seed: 1, numRuns: 1 });

/** What an index is asked for, where it begins with the instance: as its first column, or in every token of an array. */
const byInstance = /\(inst = \d+\)|&& '\{"?1[:",}]/;

describe("the plans of searches in PostgreSQL", () => {
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await startPglite();
    database = place.open();
    const store = new PostgresStore({ database, plans: { test: { things: searchPlan } } });
    const position = { pass: 1, full: true, step: 0 };
    await store.save({ connector: "test", instance: "one", entity: "things", scope: "all" }, { records, position });
    await store.close();
  });
  afterAll(() => place.close());

  /** The nodes that read a table or an index. A small table is read whole unless that is forbidden. */
  function reads(statement: Sql) {
    return database.transaction(async (queries) => {
      await queries.run(sql`SET LOCAL enable_seqscan = off`);
      const nodes = await planOf(queries, statement);
      return nodes.filter((node) => node["Relation Name"] !== undefined || node["Index Name"] !== undefined);
    });
  }

  it("read no record of another instance", async () => {
    const words = new WordList(() => undefined);
    words.add(["parser", "parsers", "map", "mapping"]);
    const indexes = new Set<string>();
    for (const given of fc.sample(searchQueries(records), { seed: 3, numRuns: 80 })) {
      const query = readQuery(given);
      const conditions = conjuncts(query.filter);
      const where = whereOfAll(conditions, layout, {
        inst: 1,
        words: ({ words: own }) => (own === undefined ? undefined : words),
        counts: () => ({ ofAny: (tokens) => (tokens.includes("1:map") ? 50 : 5) }),
      });
      const sort = sortColumns(layout, query.sort);
      const wanted = { layout, conditions, where, sort, after: undefined, need: 10, whole: false };
      const ways = where.count === undefined ? [false] : [false, true];
      const statements = ways.flatMap((byWords) => statementsOf({ ...wanted, byWords }, undefined, 10));
      for (const node of (await Promise.all(statements.map(reads))).flat()) {
        const name = node["Index Name"];
        // A bitmap of an index is joined with the table; the indexes are nodes of their own.
        if (node["Node Type"] === "Bitmap Heap Scan") continue;
        expect(name, JSON.stringify([given, node])).toBeDefined();
        expect(node["Index Cond"], JSON.stringify([given, node])).toMatch(byInstance);
        indexes.add(String(name));
      }
    }
    expect(indexes.size).toBeGreaterThan(5);
  });

  it("begin every key and index with the instance, or with an array whose tokens begin with it", async () => {
    const rows = await database.query<{ name: string; definition: string }>(
      sql`SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'tenon_versions'`,
    );
    // These tables have no rows of an instance.
    const general = /^(store_instances|store_entities|semantic_models)_/;
    const own = rows.filter(({ name }) => !general.test(name));
    expect(own.length).toBeGreaterThan(30);
    for (const { name, definition } of own) expect(definition, name).toMatch(/USING (btree \(inst[,)]|gin \()/);
  });

  it("pages by time of a state need no sort", async () => {
    const conditions = conjuncts(readQuery({ filter: { eq: { state: "open" } }, sort: [], limit: 1 }).filter);
    const where = whereOfAll(conditions, layout, { inst: 1, words: () => undefined, counts: () => undefined });
    const sort = sortColumns(layout, [{ field: "createdAt", direction: "asc" }]);
    const wanted = { layout, conditions, where, sort, after: [0, "x"] as const, need: 10, whole: false, byWords: false };
    const [statement = raw("")] = statementsOf(wanted, wanted.after, 10);
    const [first] = await reads(statement);
    expect(first?.["Index Name"]).toMatch(/state\+createdAt/);
  });
});
