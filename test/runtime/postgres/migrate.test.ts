import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { alone, checkVersion, migrate, type TableSchema } from "../../../runtime/postgres/index.ts";
import { raw, sql } from "../../../runtime/sql/index.ts";
import { engines } from "../../support/postgres/engines.ts";
import type { TestDatabase } from "../../support/postgres/test-database.ts";

const first = {
  change: async (queries) => void (await queries.run(sql`CREATE TABLE things (id integer)`)),
} satisfies TableSchema["migrations"][0];
const second = {
  change: async (queries) => void (await queries.run(sql`INSERT INTO things VALUES (1)`)),
} satisfies TableSchema["migrations"][0];
const third = {
  after: async (database) => database.alone(sql`CREATE INDEX CONCURRENTLY IF NOT EXISTS things_id ON things (id)`),
} satisfies TableSchema["migrations"][0];

describe.each(engines)("versions of tables on $name", ({ start }) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await start();
  });
  beforeEach(() => place.empty());
  afterAll(() => place.close());

  const things = sql`SELECT id FROM things`;

  it("are made once by several processes that start together, and go on where they were", async () => {
    const processes = [place.open(), place.open(), place.open()];
    await Promise.all(processes.map((database) => migrate(database, { part: "test", migrations: [first, second] })));
    const [database] = processes;
    if (database === undefined) return;
    expect(await database.query(things)).toEqual([{ id: 1 }]);
    await migrate(database, { part: "test", migrations: [first, second, third] });
    expect(await database.query(things)).toEqual([{ id: 1 }]);
    expect(await database.query(sql`SELECT version, owner FROM tenon_versions`)).toEqual([{ version: 3, owner: null }]);
    await Promise.all(processes.map((one) => one.close()));
  });

  it("are the same when a schema is made that comes before theirs", async () => {
    const database = place.open();
    await migrate(database, { part: "test", migrations: [first, second] });
    const [own] = await database.query<{ name: string }>(sql`SELECT current_user::text AS name`);
    await database.run(raw(`CREATE SCHEMA "${own?.name}"`));
    try {
      await alone(database, "work", async () => undefined);
      await migrate(database, { part: "test", migrations: [first, second, third] });
      expect(await database.query(sql`SELECT version FROM tenon_versions WHERE part = 'test'`)).toEqual([{ version: 3 }]);
      expect(await database.query(sql`SELECT 1 FROM pg_tables WHERE schemaname = ${own?.name ?? ""}`)).toEqual([]);
    } finally {
      await database.run(raw(`DROP SCHEMA "${own?.name}" CASCADE`));
      await database.close();
    }
  });

  it("stay as they were when a step fails, and another process may go on at once", async () => {
    const database = place.open();
    const broken = { change: async () => Promise.reject(new Error("no")) };
    await expect(migrate(database, { part: "test", migrations: [first, broken] })).rejects.toThrow("no");
    await migrate(database, { part: "test", migrations: [first, second] });
    expect(await database.query(things)).toEqual([{ id: 1 }]);
    await database.close();
  });

  it("are refused, and left as they are, when they were made before the first release", async () => {
    const database = place.open();
    await migrate(database, { part: "earlier", migrations: [first] });
    const now = { part: "test", earlierParts: ["earlier"], migrations: [first, second] };
    const message = expect.stringContaining("before the first release of Tenon");
    await expect(migrate(database, now)).rejects.toMatchObject({ code: "store_unusable", message });
    expect(await database.query(things)).toEqual([]);
    await database.close();
  });

  it("are refused by a process that is older", async () => {
    const database = place.open();
    await migrate(database, { part: "test", migrations: [first, second] });
    const old = { part: "test", migrations: [first] };
    const refusal = { code: "store_unusable", message: expect.stringMatching(/version 2 .* up to 1/) };
    await expect(migrate(database, old)).rejects.toMatchObject(refusal);
    await expect(checkVersion(database, old)).rejects.toMatchObject(refusal);
    await checkVersion(database, { part: "test", migrations: [first, second] });
    await database.close();
  });
});
