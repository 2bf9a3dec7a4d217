import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchField, StorePlan } from "../../../../runtime/contract/index.ts";
import { QueryParser, type RecordObject } from "../../../../runtime/search/index.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { engines } from "../../../support/postgres/engines.ts";
import type { TestDatabase } from "../../../support/postgres/test-database.ts";

// PostgreSQL cuts a name off behind 63 bytes.

const text: SearchField = { type: "string", index: "name" };
const long = ["one", "two"].map((end) => `${"long".repeat(20)}${end}`);
/** A cut at any byte would be inside a letter of some of these. */
const wide = ["", "x", "xx"].map((begin) => `${begin}${"\u20ac".repeat(25)}`);
const names = [...long, ...wide, 'with "quotes" and spaces'];
const plan: StorePlan = { key: ["id"], fields: { id: text, ...Object.fromEntries(names.map((name) => [name, text])) } };

describe.each(engines)("names of fields on $name", ({ start }) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await start();
  });
  afterAll(() => place.close());

  it("may be longer than names of the database, also of an entity with a long name", async () => {
    const entity = "things".repeat(12);
    const collection = { connector: "test", instance: "one", entity, scope: "all" };
    const store = new PostgresStore({ database: place.open(), plans: { test: { [entity]: plan } }, searchTime: 100_000 });
    const record = (id: string): RecordObject => ({ id, ...Object.fromEntries(names.map((name) => [name, `${name} ${id}`])) });
    await store.save(collection, { records: [record("a"), record("b")], checkpoint: { run: 1, full: true, step: 0 } });
    for (const name of names)
      for (const filter of [{ eq: { [name]: `${name} b` } }, { like: { [name]: "% b" } }]) {
        const condition = new QueryParser(entity, plan.fields).filter(filter, []);
        if (condition === undefined) throw new Error(`there is no condition of ${name}`);
        const query = { filter: condition, sort: [], limit: 10, fields: null, explain: false };
        const { json } = await store.search(collection, query, performance.now() + 100_000);
        expect(JSON.parse(Buffer.from(json).toString()), name).toEqual([record("b")]);
      }
    await store.close();
  });
});
