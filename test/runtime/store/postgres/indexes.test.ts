import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { alone, type Database, sql } from "../../../../runtime/postgres/index.ts";
import { layoutOf } from "../../../../runtime/store/postgres/layout.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { hasServer, startOnServer } from "../../../support/postgres/server.ts";
import type { TestDatabase } from "../../../support/postgres/test-database.ts";

const id = { type: "string", index: "exact" } as const;
const before: StorePlan = { key: ["id"], fields: { id } };
const after: StorePlan = { key: ["id"], fields: { id, title: { type: "string", index: "name", nullable: true } } };
const shelf = { connector: "test", instance: "one", entity: "things", scope: "all" };
const layout = layoutOf("test", "things", after);

// PGlite has one session, in which nothing happens at the same time.
describe.skipIf(!hasServer)("indexes of a table whose plan has changed", () => {
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await startOnServer();
    database = place.open();
  });
  beforeEach(async () => {
    await place.empty();
    const store = new PostgresStore({ database, plans: { test: { things: before } } });
    const records = Array.from({ length: 50 }, (_, at) => ({ id: `r${at}`, title: `Title ${at}` }));
    await store.save(shelf, { records, position: { pass: 1, full: true, step: 0 } });
    await store.close();
  });
  afterAll(async () => {
    await database.close();
    await place.close();
  });

  const open = () => new PostgresStore({ database, plans: { test: { things: after } } });

  async function valid(): Promise<string[]> {
    const rows = await database.query<{ name: string }>(
      sql`SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indisvalid AND c.relname LIKE 'test_things%' ORDER BY 1`,
    );
    return rows.map(({ name }) => `"${name}"`);
  }

  async function allMade(): Promise<void> {
    for (;;) {
      const there = await valid();
      if (layout.indexes.every(({ name }) => there.includes(name))) return;
      await pause(20);
    }
  }

  async function found(store: PostgresStore): Promise<unknown> {
    const filter = { kind: "test", field: "title", operator: "keyword", operand: "7" } as const;
    const query = { sort: [], limit: 10, fields: null, explain: true, filter };
    const { json, plan } = await store.search(shelf, query, performance.now() + 30_000);
    return { found: JSON.parse(Buffer.from(json).toString()), driver: plan?.driver };
  }

  it("are made while searches are answered by walking, when no other process makes them any longer", async () => {
    const held = Promise.withResolvers<void>();
    const holds = Promise.withResolvers<void>();
    const other = alone(database, "indexes", () => {
      holds.resolve();
      return held.promise;
    });
    await holds.promise;
    const store = open();
    await store.ready;
    expect(await valid()).not.toContain(layout.indexes.find(({ label }) => label === "words of title")?.name);
    expect(await found(store)).toEqual({ found: [{ id: "r7", title: "Title 7" }], driver: expect.anything() });
    held.resolve();
    expect(await other).toBe(true);
    await store.close();
    const next = open();
    await allMade();
    expect(await found(next)).toMatchObject({ found: [{ id: "r7", title: "Title 7" }] });
    await next.close();
  });

  it("are dropped and made again where their making was cut off", async () => {
    const store = open();
    await allMade();
    await store.close();
    const left = layout.indexes.find(({ label }) => label === "order of title")?.name ?? "";
    await database.run(
      sql`UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = (SELECT oid FROM pg_class WHERE relname = ${left.slice(1, -1)})`,
    );
    expect(await valid()).not.toContain(left);
    const next = open();
    await allMade();
    await next.close();
  });
});
