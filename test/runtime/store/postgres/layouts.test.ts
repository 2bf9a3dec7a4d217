import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import type { Database } from "../../../../runtime/postgres/index.ts";
import { raw, sql } from "../../../../runtime/sql/index.ts";
import { PostgresStore, type PostgresStoreOptions } from "../../../../runtime/store/postgres/postgres-store.ts";
import { type Layout, layoutOf } from "../../../../runtime/store/postgres/tables/layout.ts";
import { fillSome } from "../../../../runtime/store/postgres/write/layout-copy.ts";
import { type MigrateTablesOptions, migrateTables } from "../../../../runtime/store/postgres/write/migrate-tables.ts";
import { hasServer, startOnServer } from "../../../support/postgres/server.ts";
import type { TestDatabase } from "../../../support/postgres/test-database.ts";

const id = { type: "string", index: "exact" } as const;
const title = { type: "string", index: "name", nullable: true } as const;
const body = { type: "string", index: "text", nullable: true } as const;
const oldPlan: StorePlan = { key: ["id"], fields: { id, body } };
const newPlan: StorePlan = { key: ["id"], fields: { id, body, title } };
const [oldLayout, newLayout] = [layoutOf("test", "things", oldPlan), layoutOf("test", "things", newPlan)];
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const checkpoint = { run: 1, full: true, step: 0 };

// PGlite has one session, in which nothing happens at the same time.
describe.skipIf(!hasServer)("two versions of a spec over one database", () => {
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

  function open(plan: StorePlan, options: Partial<PostgresStoreOptions> = {}): PostgresStore {
    const store = new PostgresStore({ database, plans: { test: { things: plan } }, watchTime: 20, ...options });
    stores.push(store);
    return store;
  }

  const things = (from: number, to: number, text = "number") =>
    Array.from({ length: to - from }, (_, at) => ({
      id: `r${from + at}`,
      title: `Title ${from + at}`,
      body: `${text}${from + at} body`,
    }));

  const save = (store: PostgresStore, records: readonly object[], run = 1) =>
    store.save(collection, { records: records.map((one) => ({ ...one })), checkpoint: { ...checkpoint, run } });

  /** The ids of the records whose body has a word. */
  async function found(store: PostgresStore, word: string): Promise<string[]> {
    const filter = { kind: "test", field: "body", operator: "keyword", operand: word } as const;
    const query = { sort: [], limit: 10, fields: new Map([["id", null]]), explain: false, filter };
    const { json } = await store.search(collection, query, performance.now() + 30_000);
    const rows: { id: string }[] = JSON.parse(Buffer.from(json).toString());
    return rows.map((row) => row.id);
  }

  async function migrated(plan: StorePlan, options: Partial<MigrateTablesOptions> = {}): Promise<unknown> {
    const all = { connectors: [], signal: new AbortController().signal, tell: () => undefined, ...options };
    const results = await migrateTables(database, { test: { things: plan } }, all);
    return results.map((one) => [one.entity, one.version, one.done]);
  }

  const tables = async ({ records, vocabulary }: Layout) => {
    const names = [records, vocabulary].map((name) => name.slice(1, -1));
    return (await database.query(sql`SELECT 1 FROM pg_tables WHERE tablename = ANY (${names}::text[])`)).length;
  };

  it("searches both while syncs write, loses no write of the build, and lets only the newer one sync", async () => {
    const old = open(oldPlan);
    await save(old, things(0, 1_700));
    // The build is cut off in its middle, as by a kill.
    const begun = open(newPlan, { database: failingAfter(database, 4) });
    await expect(begun.ready).rejects.toThrow("cut off");
    await begun.close();
    expect(await tables(newLayout)).toBe(2);
    // A record before the place that the copy has reached, a new one, and a removed one.
    await save(
      old,
      things(0, 1_699).with(3, { id: "r3", title: "Title 3", body: "changed body" }).concat(things(1_700, 1_701)),
      2,
    );
    await old.finish(collection, { ...checkpoint, run: 2 }, { massDelete: true, parents: [] });
    const next = open(newPlan);
    await next.ready;
    for (const store of [old, next]) {
      expect(await found(store, "changed")).toEqual(["r3"]);
      expect(await found(store, "number3")).toEqual([]);
      expect(await found(store, "number1699")).toEqual([]);
      expect(await found(store, "number1700")).toEqual(["r1700"]);
    }
    await expect(save(old, things(0, 1))).rejects.toMatchObject({ code: "store_unusable" });
    // What the newer process writes reaches the older one.
    await save(next, [{ id: "r5", title: "Title 5", body: "fresh body" }], 3);
    await expect.poll(() => found(old, "fresh"), { timeout: 30_000 }).toEqual(["r5"]);
    expect(await found(old, "number5")).toEqual([]);
    expect((await next.states(collection))[0]).toMatchObject({ records: 1_700 });
  });

  it("makes the tables of an entity when its first record comes, and none for entities without records", async () => {
    const store = open(newPlan, { plans: { test: { things: newPlan, others: newPlan }, unused: { things: newPlan } } });
    await store.ready;
    const made = async () => {
      const rows = await database.query<{ name: string }>(
        sql`SELECT DISTINCT split_part(tablename, ':', 1) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename ~ ':'`,
      );
      return rows.map(({ name }) => name).sort();
    };
    expect(await made()).toEqual([]);
    await save(store, things(0, 1));
    expect(await made()).toEqual(["test_things"]);
  });

  it("keeps the layout when somebody creates a schema that comes first in the search path", async () => {
    const older = open(oldPlan);
    await save(older, things(0, 3));
    await older.close();
    const [own] = await database.query<{ name: string }>(sql`SELECT current_user::text AS name`);
    await database.run(raw(`CREATE SCHEMA "${own?.name}"`));
    try {
      const newer = open(newPlan);
      await save(newer, things(1, 3), 2);
      const removal = await newer.finish(collection, { ...checkpoint, run: 2 }, { massDelete: false, parents: [] });
      expect([removal, await found(newer, "body")]).toEqual([{ removed: 1, refused: false, of: 3 }, ["r1", "r2"]]);
    } finally {
      await database.run(raw(`DROP SCHEMA "${own?.name}" CASCADE`));
    }
  });

  it("describes every table of records, and every column of them", async () => {
    const store = open({ ...newPlan, fields: { ...newPlan.fields, labels: { ...id, list: {} } } });
    await save(store, things(0, 1));
    const bare = await database.query<{ name: string }>(
      sql`SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'tenon_versions'
          AND coalesce(obj_description(c.oid, 'pg_class'), '') = ''
        UNION ALL SELECT a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relname LIKE 'test_things:record@%' AND c.relkind = 'r' AND a.attnum > 0 AND coalesce(col_description(c.oid, a.attnum), '') = ''`,
    );
    expect(bare).toEqual([]);
  });

  it("goes back to the older one only when that is asked for, while the newer one searches on", async () => {
    const old = open(oldPlan);
    await save(old, things(0, 10));
    const next = open(newPlan);
    await next.ready;
    await old.close();
    // Its tables are still there: a process of the older version may search them, but does not take over.
    const again = open(oldPlan);
    await again.ready;
    expect(await found(again, "number1")).toEqual(["r1"]);
    await expect(save(again, things(0, 1))).rejects.toMatchObject({ code: "store_unusable" });
    expect(await migrated(oldPlan, { replaceNewer: true })).toEqual([["test_things", oldLayout.version, "rebuilt"]]);
    const back = open(oldPlan);
    await save(back, [{ id: "r1", title: "Title 1", body: "back body" }], 2);
    await expect.poll(() => found(next, "back"), { timeout: 30_000 }).toEqual(["r1"]);
    await expect(save(next, things(0, 1))).rejects.toMatchObject({ code: "store_unusable" });
  });

  it("drops tables that no process uses, and refuses the version whose tables are gone", async () => {
    const old = open(oldPlan);
    await save(old, things(0, 10));
    expect(await migrated(newPlan, { dropOld: true })).toContainEqual(["test_things", oldLayout.version, "kept"]);
    expect(await tables(oldLayout)).toBe(2);
    await old.close();
    const next = open(newPlan, { leaseTime: 200 });
    await next.ready;
    await expect.poll(() => tables(oldLayout), { timeout: 30_000 }).toBe(0);
    const again = open(oldPlan);
    await expect(again.ready).rejects.toMatchObject({
      code: "store_unusable",
      message: expect.stringContaining("tenon store migrate --replace-newer"),
    });
    expect(await migrated(oldPlan, { replaceNewer: true })).toEqual([["test_things", oldLayout.version, "rebuilt"]]);
    const back = open(oldPlan);
    expect(await found(back, "number1")).toEqual(["r1"]);
  });

  it("ends a process that was away until its tables were dropped", async () => {
    const outdated = Promise.withResolvers<Error>();
    const old = open(oldPlan, { onNewer: outdated.resolve });
    await save(old, things(0, 10));
    const next = open(newPlan);
    await next.ready;
    expect(await found(old, "number1")).toEqual(["r1"]);
    await database.run(sql`UPDATE store_layouts SET state = 'left' WHERE version = ${oldLayout.version}`);
    await expect(outdated.promise).resolves.toMatchObject({ code: "store_unusable" });
    expect(old.healthy).toBe(false);
    await expect(found(old, "number1")).rejects.toMatchObject({ code: "store_unusable" });
  });

  it("keeps no lock between two steps of a build", async () => {
    const old = open(oldPlan);
    await save(old, things(0, 600));
    const begun = open(newPlan, { database: failingAfter(database, 2) });
    await expect(begun.ready).rejects.toThrow("cut off");
    const words = new Map();
    expect(await fillSome(database, collection, newLayout, words)).toBe(500);
    await save(old, [{ id: "r1", title: "Title 1", body: "between body" }], 2);
    expect(await fillSome(database, collection, newLayout, words)).toBe(100);
    expect(await fillSome(database, collection, newLayout, words)).toBeUndefined();
    const rows = await database.query(sql`SELECT k FROM store_changes`);
    expect(rows).toEqual([{ k: "r1" }]);
    expect(await database.query(sql`SELECT 1 FROM ${raw(newLayout.records)}`)).toHaveLength(600);
  });
});

/** The database, of which the copying of records to new tables fails after so many steps. */
function failingAfter(database: Database, steps: number): Database {
  let done = 0;
  return {
    connections: database.connections,
    query: (...args) => database.query(...args),
    run: (...args) => database.run(...args),
    alone: (...args) => database.alone(...args),
    close: () => database.close(),
    transaction: (work, options) =>
      database.transaction((queries) => {
        const run: typeof queries.run = (statement) => {
          if (statement.texts[0]?.startsWith("UPDATE store_layouts SET at_inst") && done++ === steps - 1)
            throw new Error("cut off");
          return queries.run(statement);
        };
        return work({ query: (statement) => queries.query(statement), each: (...args) => queries.each(...args), run });
      }, options),
  };
}
