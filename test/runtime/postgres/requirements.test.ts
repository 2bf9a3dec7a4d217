import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate, openDatabase, type Queries, type TableSchema } from "../../../runtime/postgres/index.ts";
import { checkRequirements } from "../../../runtime/postgres/requirements.ts";
import { raw, sql } from "../../../runtime/sql/index.ts";
import { hasServer, startOnServer } from "../../support/postgres/server.ts";
import type { TestDatabase } from "../../support/postgres/test-database.ts";

const change = async (queries: Queries) => void (await queries.run(raw("CREATE TABLE things (id integer)")));
const schema: TableSchema = { part: "test", migrations: [{ change }] };

it("refuses a server that is too old", async () => {
  const query = async <Row extends object>() => [{ version: 14, encoding: "UTF8" }] as Row[];
  await expect(checkRequirements({ query })).rejects.toMatchObject({
    code: "store_unusable",
    message: "The server runs PostgreSQL 14, and Tenon needs version 15 or a newer one.",
  });
});

describe.skipIf(!hasServer)("a database that is not in UTF-8", () => {
  let place: TestDatabase;
  const name = `tenon_latin_${process.pid}`;
  beforeAll(async () => {
    place = await startOnServer();
    await place.open().alone(raw(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`));
  });
  afterAll(async () => {
    await place.open().alone(raw(`DROP DATABASE ${name} WITH (FORCE)`));
    await place.close();
  });

  it("is refused before anything is made in it", async () => {
    const url = new URL(place.url ?? "");
    url.pathname = `/${name}`;
    const database = openDatabase(url.href, { connections: 1 });
    try {
      await expect(migrate(database, schema)).rejects.toMatchObject({
        code: "store_unusable",
        message: expect.stringContaining("The database has the encoding LATIN1, and Tenon needs UTF8"),
      });
      expect(await database.query(sql`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    } finally {
      await database.close();
    }
  });
});
