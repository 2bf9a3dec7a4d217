import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../../../runtime/postgres/index.ts";
import { join, raw, sql } from "../../../../runtime/sql/index.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { collection, embedAll, scope, semanticConformance, syncAll } from "../../../conformance/semantic.ts";
import { engines } from "../../../support/postgres/engines.ts";
import type { TestDatabase } from "../../../support/postgres/test-database.ts";
import {
  expectPlaces,
  expectSame,
  keysOf,
  others,
  plan,
  queryOf,
  searches,
  things,
  wanted,
} from "../../../support/semantic-records.ts";

const patiently = () => performance.now() + 100_000;
const crash = { prompt: "crash memory", dedup: "max", filter: undefined, minSimilarity: undefined } as const;

describe.each(engines)("search by meaning on $name", ({ start }) => {
  let place: TestDatabase;
  let database: Database;
  const stores: PostgresStore[] = [];
  beforeAll(async () => {
    place = await start();
    database = place.open();
  });
  beforeEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await place.empty();
  });
  afterAll(async () => {
    await database.close();
    await place.close();
  });

  function open(more: { readonly exactUpTo?: number } = {}): PostgresStore {
    const store = new PostgresStore({ database, plans: { test: { things: plan, others } }, searchTime: 100_000, ...more });
    stores.push(store);
    return store;
  }

  semanticConformance(() => ({
    store: open(),
    searcher: (exactUpTo) => {
      const store = open({ exactUpTo });
      return (query) => store.searchByMeaning(collection, query, patiently());
    },
    kept: async () => {
      const count = (table: string) => raw(`(SELECT count(*) FROM semantic_${table}) AS ${table}`);
      const tables = ["passages", "queue", "indexes", "models"] as const;
      const [rows] = await database.query<Record<(typeof tables)[number], number>>(sql`SELECT ${join(tables.map(count), ", ")}`);
      if (rows === undefined) throw new Error("there are no counts");
      return rows;
    },
  }));

  it("finds what the definition finds, exactly and by codes, in processes that have followed all changes and in new ones", async () => {
    const [records = []] = fc.sample(things(50), { seed: 1, numRuns: 1 });
    const writer = open();
    const followers = [open(), open({ exactUpTo: 1 })];
    const follow = async () => {
      for (const one of followers) await one.searchByMeaning(collection, queryOf(crash), patiently());
    };
    await syncAll(writer, [...records, { id: "gone", number: 1, state: "open", body: "crash memory leak" }]);
    await embedAll(writer);
    await follow();
    await syncAll(
      writer,
      records.map((record, index) => (index % 3 === 0 ? { ...record, body: `${String(record.body)} memory.` } : record)),
    );
    await embedAll(writer);
    await follow();
    await syncAll(writer, records);
    await syncAll(writer, [{ id: "foreign", number: 1, state: "open", body: "crash memory leak" }], {
      ...scope,
      instance: "two",
    });
    await embedAll(writer);
    // No index of PostgreSQL says by itself which records fulfil this one.
    const like = { ...crash, filter: { like: { body: "%crash%leak%" } } };
    expect(wanted(records, like).length).toBeLessThan(
      wanted(records, { ...crash, filter: { keyword: { body: "crash leak" } } }).length,
    );
    for (const given of [like, ...fc.sample(searches, { seed: 1, numRuns: 8 })])
      for (const store of [...followers, open(), open({ exactUpTo: 1 })]) {
        const contextSize = followers.includes(store) ? 2_000 : 200;
        const answer = await store.searchByMeaning(collection, queryOf(given, { contextSize }), patiently());
        const want = wanted(records, given, contextSize);
        expectPlaces(answer, records, contextSize);
        expect(answer.more).toBe(want.length > 100);
        expectSame(keysOf(answer), want.slice(0, 100), given.minSimilarity ?? -1);
      }
  });

  it.each([200, 600, 2_000])(
    "walks by cursor through all hits, each once, with a context of %i characters",
    async (contextSize) => {
      const [records = []] = fc.sample(things(60), { seed: 5, numRuns: 1 });
      const store = open();
      await syncAll(store, records);
      await embedAll(store);
      const given = { ...crash, dedup: "none" } as const;
      const all = keysOf(await store.searchByMeaning(collection, queryOf(given, { limit: 100, contextSize }), patiently()));
      const walked: unknown[] = [];
      for (let after: ReturnType<typeof queryOf>["after"]; walked.length < all.length; ) {
        const page = await store.searchByMeaning(
          collection,
          queryOf(given, { limit: 7, contextSize, ...(after === undefined ? {} : { after }) }),
          patiently(),
        );
        expect(keysOf(page).length).toBeLessThanOrEqual(7);
        expect(Object.keys(page.report?.times ?? {})).toEqual(["refresh", "filter", "candidates", "order", "hits"]);
        walked.push(...keysOf(page));
        after = page.last;
        if (!page.more) break;
      }
      expect(walked.slice(0, all.length)).toEqual(all);
    },
  );
});
