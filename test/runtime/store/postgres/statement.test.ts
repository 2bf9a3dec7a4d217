import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tableOf } from "../../../../runtime/contract/index.ts";
import type { Database } from "../../../../runtime/postgres/index.ts";
import { raw, sql } from "../../../../runtime/sql/index.ts";
import { parseStatement } from "../../../../runtime/statement/index.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { instance, page, plans } from "../../../conformance/store/case.ts";
import { engines } from "../../../support/postgres/engines.ts";
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

  async function opened(sqlRole: string) {
    const told: string[] = [];
    const store = new PostgresStore({ database, plans, sqlRole, closeTime: 60_000, tell: (text) => told.push(text) });
    await store.ready;
    const ask = async () => {
      const statement = await parseStatement("SELECT count(*) AS n FROM things", [tableOf("things", plans.test.things)]);
      const { json } = await store.runStatement(instance, { statement, limit: 9 }, performance.now() + 100_000);
      return Buffer.from(json).toString();
    };
    return { store, ask, told: told.filter((text) => text.includes("SQL of callers")) };
  }

  const readable = async (table: string) => {
    const [row] = await database.query<{ readable: boolean }>(
      sql`SELECT bool_or(has_table_privilege(${role}, oid, 'SELECT')) AS readable FROM pg_class WHERE relkind = 'r' AND relname LIKE ${table}`,
    );
    return row?.readable;
  };

  it("reads the records that a statement needs, and no other table", async () => {
    const { store, ask, told } = await opened(role);
    expect(told).toEqual([]);
    await store.save({ ...instance, entity: "things", scope: "all" }, page("ab"));
    await store.save({ ...instance, entity: "lights", scope: "all" }, page("a"));
    expect(await readable("test%")).toBe(false);
    expect(await ask()).toBe('[{"n":2}]');
    expect(await readable("test_things:record@%")).toBe(true);
    for (const other of ["test\\_lights%", "test\\_things:v%", "store\\_i%", "store\\_c%"])
      expect(await readable(other), other).toBe(false);
    expect(await ask()).toBe('[{"n":2}]');
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
