import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { type Database, openDatabase } from "../../../../runtime/postgres/index.ts";
import { raw, sql } from "../../../../runtime/sql/index.ts";
import { PostgresStore, type PostgresStoreOptions } from "../../../../runtime/store/postgres/postgres-store.ts";
import { layoutOf } from "../../../../runtime/store/postgres/tables/layout.ts";
import { demandIndexes } from "../../../support/postgres/demand-indexes.ts";
import { hasServer, startOnServer } from "../../../support/postgres/server.ts";
import type { TestDatabase } from "../../../support/postgres/test-database.ts";

const id = { type: "string", index: "exact" } as const;
const state = { type: "string", index: "exact", values: ["closed", "open"] } as const;
const plan: StorePlan = { key: ["id"], fields: { id, number: { type: "integer", index: "exact" }, state } };
const more: StorePlan = { ...plan, fields: { ...plan.fields, title: { type: "string", index: "name", nullable: true } } };
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const checkpoint = { run: 1, full: true, step: 0 };
const records = Array.from({ length: 50 }, (_, at) => ({ id: `r${at}`, number: at, state: at % 3 === 0 ? "open" : "closed" }));

// PGlite has one session, in which nothing happens at the same time.
describe.skipIf(!hasServer)("an index that a search asks for", () => {
  let place: TestDatabase;
  let database: Database;
  const stores: PostgresStore[] = [];
  beforeAll(async () => {
    place = await startOnServer();
    database = place.open();
  });
  beforeEach(() => place.empty());
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
  });
  afterAll(async () => {
    await database.close();
    await place.close();
  });

  function open(of: StorePlan, options: Partial<PostgresStoreOptions> = {}): PostgresStore {
    const store = new PostgresStore({ database, plans: { test: { things: of } }, watchTime: 20, indexFrom: 50, ...options });
    stores.push(store);
    return store;
  }

  const nameIn = (of: StorePlan, demand: string) =>
    layoutOf("test", "things", of)
      .indexes.find((one) => one.demand === demand)
      ?.name.slice(1, -1) ?? "";

  async function has(of: StorePlan, demand: string): Promise<boolean> {
    const rows = await database.query(sql`SELECT 1 FROM pg_indexes WHERE indexname = ${nameIn(of, demand)}`);
    return rows.length > 0;
  }

  const search = (store: PostgresStore, operand = 7) =>
    store.search(
      collection,
      { sort: [], limit: 10, fields: null, explain: true, filter: { kind: "test", field: "number", operator: "eq", operand } },
      performance.now() + 30_000,
    );

  it("is made beside the running service, and in the tables of every later layout", async () => {
    const store = open(plan);
    await store.save(collection, { records, checkpoint });
    expect(await has(plan, "number")).toBe(false);
    await search(store);
    await expect.poll(() => has(plan, "number"), { timeout: 30_000 }).toBe(true);
    expect(await has(plan, "state")).toBe(false);
    const groups = { sort: [], limit: 10, fields: null, explain: false, groupBy: ["state"] };
    await store.search(collection, groups, performance.now() + 30_000);
    await expect.poll(() => has(plan, "state"), { timeout: 30_000 }).toBe(true);
    // Another process has it too, though no search of its own has asked for it.
    const next = open(more);
    await next.ready;
    expect([await has(more, "number"), await has(more, "title")]).toEqual([true, false]);
  });

  it("is not made for few records", async () => {
    const store = open(plan, { indexFrom: 51 });
    await store.save(collection, { records, checkpoint });
    await search(store);
    const asking = open(plan);
    await store.save({ ...collection, instance: "two" }, { records, checkpoint });
    const filter = { kind: "test", field: "state", operator: "gt", operand: "closed" } as const;
    const query = { sort: [], limit: 1, fields: null, explain: false, filter };
    await asking.search({ ...collection, instance: "two" }, query, performance.now() + 30_000);
    await expect.poll(() => has(plan, "state"), { timeout: 30_000 }).toBe(true);
    expect(await has(plan, "number")).toBe(false);
  });

  it("waits for the owner of the tables where the service may not make it", async () => {
    const mark = randomBytes(4).toString("hex");
    const owner = open(plan, { watchTime: 60_000 });
    await owner.save(collection, { records, checkpoint });
    await database.run(raw(`CREATE ROLE tenon_reader_${mark} LOGIN PASSWORD 'of-a-test'`));
    await database.run(raw(`GRANT USAGE ON SCHEMA public TO tenon_reader_${mark}`));
    await database.run(raw(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO tenon_reader_${mark}`));
    const url = new URL(place.url ?? "");
    url.username = `tenon_reader_${mark}`;
    url.password = "of-a-test";
    const few = openDatabase(url.href, { connections: 2 });
    const told: string[] = [];
    const service = open(plan, { database: few, tell: (text) => told.push(text) });
    await search(service);
    await expect.poll(() => told.join("\n"), { timeout: 30_000 }).toContain("`tenon store migrate`");
    expect(await has(plan, "number")).toBe(false);
    await service.close();
    await few.close();
    const next = open(plan);
    await expect.poll(() => has(plan, "number"), { timeout: 30_000 }).toBe(true);
    await next.close();
    await database.run(raw(`DROP OWNED BY tenon_reader_${mark}`));
    await database.run(raw(`DROP ROLE tenon_reader_${mark}`));
  });
});

// A long value of a field whose index has all of it.
describe.skipIf(!hasServer)("an unlisted value of an enumeration that is longer than an index takes", () => {
  it("is stored, found, sorted and tested like others", async () => {
    const place = await startOnServer();
    const database = place.open();
    const store = new PostgresStore({ database, plans: { test: { things: plan } } });
    try {
      await store.ready;
      await demandIndexes(database, { test: { things: plan } });
      const noise = randomBytes(3_000).toString("hex");
      await store.save(collection, { records: [...records, { id: "long", number: 99, state: `${noise}!` }], checkpoint });
      const found = async (operator: "eq" | "like", operand: string) => {
        const filter = { kind: "test", field: "state", operator, operand } as const;
        const query = { sort: [], limit: 10, fields: null, explain: false, filter };
        const { json } = await store.search(collection, query, performance.now() + 30_000);
        return (JSON.parse(Buffer.from(json).toString()) as { id: string }[]).map((one) => one.id);
      };
      expect(await found("eq", `${noise}!`)).toEqual(["long"]);
      expect(await found("eq", `${noise}?`)).toEqual([]);
      expect(await found("like", `%${noise.slice(-20)}!`)).toEqual(["long"]);
    } finally {
      await store.close();
      await database.close();
      await place.close();
    }
  });
});
