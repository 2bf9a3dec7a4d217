import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TenonError } from "../../../../runtime/base/errors.ts";
import { type StorePlan, tableOf } from "../../../../runtime/contract/index.ts";
import type { Database } from "../../../../runtime/postgres/index.ts";
import { raw, sql } from "../../../../runtime/sql/index.ts";
import { parseStatement } from "../../../../runtime/statement/index.ts";
import { PostgresStore, type PostgresStoreOptions } from "../../../../runtime/store/postgres/postgres-store.ts";
import { recording } from "../../../bench/postgres-plans.ts";
import { instance, page, plans, whole } from "../../../conformance/store/case.ts";
import { engines } from "../../../support/postgres/engines.ts";
import { startPglite } from "../../../support/postgres/pglite.ts";
import type { TestDatabase } from "../../../support/postgres/test-database.ts";

describe.each(engines)("a role for SQL, on $name", ({ start }) => {
  const role = `tenon-sql_${process.pid}`;
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await start();
    database = place.open();
    await database.run(raw(`CREATE ROLE "${role}" NOLOGIN`));
    await database.run(raw(`GRANT USAGE ON SCHEMA public TO "${role}"`));
  });
  afterAll(async () => {
    await database.run(raw(`DROP OWNED BY "${role}"`));
    await database.run(raw(`DROP ROLE "${role}"`));
    await database.close();
    await place.close();
  });

  async function opened(sqlRole: string, more: Partial<PostgresStoreOptions> = {}) {
    const told: string[] = [];
    const tell = (text: string) => told.push(text);
    const store = new PostgresStore({ database, plans, sqlRole, closeTime: 60_000, tell, ...more });
    await store.ready;
    const ask = async (text = "SELECT count(*) AS n FROM things") => {
      const statement = await parseStatement(text, [tableOf("things", plans.test.things)]);
      const { json } = await store.runStatement(instance, { statement, limit: 9 }, performance.now() + 100_000);
      return Buffer.from(json).toString();
    };
    return { store, ask, told: told.filter((text) => text.includes("SQL of callers")) };
  }

  const readable = async () => {
    const rows = await database.query<{ relname: string }>(
      sql`SELECT relname FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = 'public'::regnamespace AND has_table_privilege(${role}, oid, 'SELECT') ORDER BY 1`,
    );
    return rows.map(({ relname }) => relname.replace(/@.*/, ""));
  };

  it("sees only views, of the entities that a statement needs, with the rows of one instance", async () => {
    const { store, ask, told } = await opened(role);
    expect(told).toEqual([]);
    await store.save({ ...instance, entity: "things", scope: "all" }, page("ab"));
    await store.save({ ...instance, entity: "lights", scope: "all" }, page("a"));
    await store.save({ ...instance, instance: "two", entity: "things", scope: "all" }, page("xyz"));
    expect(await readable()).toEqual([]);
    expect(await ask()).toBe('[{"n":2}]');
    expect(await readable()).toEqual(["test_things:places", "test_things:sql"]);
    expect(await ask("SELECT id, scope, parent FROM things WHERE fuzzy(title, 'title') ORDER BY id LIMIT 1")).toBe(
      '[{"id":"a","scope":["all"],"parent":[]}]',
    );
    await store.close();
    const [view] = await database.query<{ name: string }>(
      sql`SELECT quote_ident(relname) AS name FROM pg_class WHERE relname LIKE 'test_things:sql@%'`,
    );
    const count = (set: string) =>
      database.transaction(async (queries) => {
        await queries.run(raw(set));
        await queries.run(raw(`SET LOCAL ROLE "${role}"`));
        return (await queries.query<{ n: number }>(raw(`SELECT count(*)::integer AS n FROM ${view?.name}`)))[0]?.n;
      });
    expect(await count("SELECT 1")).toBe(0);
    const [two] = await database.query<{ id: number }>(sql`SELECT id FROM store_instances WHERE name = 'two'`);
    expect(await count(`SET LOCAL tenon.instance = '${two?.id}'`)).toBe(3);
  });

  it("sees the views of all entities that have records as soon as a store is open, though the database was away meanwhile", async () => {
    const own = { plans: { test: { chains: plans.test.chains } } };
    const { store: first } = await opened("", own);
    await first.save({ ...instance, entity: "chains", scope: "all" }, page("a"));
    await first.close();
    const isThere = async () => (await readable()).includes("test_chains:sql");
    expect(await isThere()).toBe(false);
    let failures = 0;
    const failing = recording(database, ({ texts }) => {
      if (texts.join().includes("name, version FROM store_entities") && failures++ === 0)
        throw new TenonError("database_unavailable", "The database cannot be reached.");
    });
    const { store } = await opened(role, { ...own, database: failing, retryTime: 1 });
    expect([await isThere(), failures]).toEqual([true, 2]);
    await store.close();
  });

  it("finds its views in the schema that has the name of the user", async () => {
    const [own] = await database.query<{ name: string }>(sql`SELECT quote_ident(current_user) AS name`);
    await database.run(raw(`CREATE SCHEMA ${own?.name}`));
    await database.run(raw(`GRANT USAGE ON SCHEMA ${own?.name} TO "${role}"`));
    const { store } = await opened(role);
    await store.save({ ...instance, entity: "parts", scope: "all" }, page("abc"));
    const statement = await parseStatement("SELECT count(*) AS n FROM parts", [tableOf("parts", plans.test.parts)]);
    const { json } = await store.runStatement(instance, { statement, limit: 9 }, performance.now() + 100_000);
    expect(Buffer.from(json).toString()).toBe('[{"n":3}]');
    await store.close();
    await database.run(raw(`DROP SCHEMA ${own?.name} CASCADE`));
  });

  it("has more time for SQL than a search has", async () => {
    const { store, ask } = await opened(role, { searchTime: 0 });
    await expect(store.search({ ...instance, entity: "things" }, whole, performance.now() + 100_000)).rejects.toMatchObject({
      code: "search_timeout",
    });
    expect(await ask("SELECT 1 AS n")).toBe('[{"n":1}]');
    await store.close();
  });

  it("lets no SQL run where it cannot be used, and the log says so", async () => {
    const { store, ask, told } = await opened("tenon_nobody");
    expect(told).toEqual([expect.stringContaining('"tenon_nobody", and there is no such role')]);
    await expect(ask()).rejects.toMatchObject({ code: "database_unavailable" });
    await store.close();
  });

  it("is recommended once where there is none", async () => {
    const { store, ask, told } = await opened("");
    expect(told).toEqual([expect.stringContaining("TENON_DATABASE_SQL_ROLE")]);
    expect(await ask()).toBe('[{"n":2}]');
    await store.close();
  });
});

describe("an order by a time that an index has", () => {
  const things: StorePlan = {
    key: ["id"],
    fields: {
      id: { type: "string", index: "exact" },
      repository: { type: "string", index: "exact", scope: true },
      createdAt: { type: "timestamp", index: "exact" },
    },
  };
  const opened = ["a", "b"].map((id, at) => ({ id, repository: "one", createdAt: `2024-01-0${at + 1}T00:00:00Z` }));
  let place: TestDatabase;
  let store: PostgresStore;
  beforeAll(async () => {
    place = await startPglite();
    store = new PostgresStore({ database: place.open(), plans: { test: { things } } });
    const save = (name: string, records: readonly Record<string, unknown>[]) =>
      store.save(
        { connector: "test", instance: name, entity: "things", scope: "all" },
        { records, checkpoint: { run: 1, full: true, step: 0 } },
      );
    await save("timed", opened);
    await save("untimed", [...opened, { id: "c", repository: "one", createdAt: null }]);
  });
  afterAll(async () => {
    await store.close();
    await place.close();
  });
  const ordered = async (name: string, text: string) => {
    const statement = await parseStatement(text, [tableOf("things", things)]);
    const given = { connector: "test", instance: name };
    const { json, sql: asked } = await store.runStatement(given, { statement, limit: 9 }, performance.now() + 100_000);
    const rows = JSON.parse(Buffer.from(json).toString()) as { id: string }[];
    return { ids: rows.map(({ id }) => id).join(""), nulls: /DESC NULLS (FIRST|LAST)/.exec(asked)?.[1] };
  };
  const newest = "SELECT t.id FROM things t ORDER BY t.created_at DESC";

  it("is that of the index where no record lacks the time", async () => {
    expect(await ordered("timed", newest)).toEqual({ ids: "ba", nulls: "FIRST" });
  });
  it("has records without the time last all the same", async () => {
    expect(await ordered("untimed", newest)).toEqual({ ids: "bac", nulls: "LAST" });
  });
  it("has rows last that LEFT JOIN found no time for", async () => {
    const text = "SELECT l.id FROM things l LEFT JOIN things t ON t.id = l.id AND t.id <> 'b' ORDER BY t.created_at DESC";
    expect(await ordered("timed", text)).toEqual({ ids: "ab", nulls: "LAST" });
  });
  it("puts NULL first where the statement wants it so", async () => {
    expect(await ordered("untimed", `${newest} NULLS FIRST`)).toEqual({ ids: "cba", nulls: "FIRST" });
  });
});
