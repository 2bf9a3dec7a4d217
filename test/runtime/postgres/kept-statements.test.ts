import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../runtime/postgres/index.ts";
import { raw, sql, steady } from "../../../runtime/sql/index.ts";
import { hasServer, startOnServer } from "../../support/postgres/server.ts";
import type { TestDatabase } from "../../support/postgres/test-database.ts";

describe.skipIf(!hasServer)("statements that a PostgreSQL server keeps", () => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await startOnServer();
  });
  afterAll(() => place.close());

  /** Uses a database with one connection, so that all statements are in one session. */
  async function onOneConnection(work: (database: Database) => Promise<void>): Promise<void> {
    const database = openDatabase(place.url ?? "", { connections: 1 });
    await work(database).finally(() => database.close());
  }

  const kept = (database: Database) =>
    database.query<{ statement: string }>(sql`SELECT statement FROM pg_prepared_statements ORDER BY prepare_time`);
  const numbered = (number: number) => steady(sql`SELECT ${1}::integer + ${raw(String(number))} AS sum`);

  it("are those that say that they are steady, and come again", async () => {
    await onOneConnection(async (database) => {
      for (let again = 0; again < 3; again++)
        expect(await database.query(sql`SELECT ${again}::integer AS again`)).toEqual([{ again }]);
      expect(await database.query(numbered(5))).toEqual([{ sum: 6 }]);
      expect(await kept(database)).toEqual([]);
      for (let again = 0; again < 3; again++) expect(await database.query(numbered(5))).toEqual([{ sum: 6 }]);
      expect(await kept(database)).toEqual([{ statement: "SELECT $1::integer + 5 AS sum" }]);
    });
  });

  it("are the hundred that were used last", async () => {
    await onOneConnection(async (database) => {
      for (let again = 0; again < 2; again++)
        await database.transaction(async (queries) => {
          for (let number = 0; number < 130; number++) await queries.query(numbered(number));
        });
      const statements = await kept(database);
      expect(statements).toHaveLength(100);
      expect(statements[0]?.statement).toContain("+ 30 ");
      expect(await database.query(numbered(0))).toEqual([{ sum: 1 }]);
      expect(await kept(database)).toHaveLength(100);
    });
  });

  it("may be lost: the transaction is done again, and no further statement is kept", async () => {
    await onOneConnection(async (database) => {
      for (let again = 0; again < 2; again++) await database.query(numbered(7));
      expect(await kept(database)).toHaveLength(1);
      await database.run(raw("DEALLOCATE ALL"));
      let tries = 0;
      const both = await database.transaction(
        (queries) => {
          tries++;
          const lost = queries.query(numbered(7));
          lost.catch(() => undefined);
          // It fails too, and sooner than anybody looks at the first one.
          return queries.query(sql`SELECT ${2}::integer AS other`).then(async (other) => [await lost, other]);
        },
        { readOnly: true },
      );
      expect(both).toEqual([[{ sum: 8 }], [{ other: 2 }]]);
      expect(tries).toBe(2);
      for (let again = 0; again < 3; again++) await database.query(numbered(7));
      expect(await kept(database)).toEqual([]);
    });
  });

  it("follow tables that are made anew, and columns of another type", async () => {
    await onOneConnection(async (database) => {
      const all = steady(sql`SELECT * FROM made_anew WHERE id = ${1}`);
      const make = async (type: string) => {
        await database.run(raw("DROP TABLE IF EXISTS made_anew"));
        await database.run(raw(`CREATE TABLE made_anew (id integer, value ${type})`));
        await database.run(raw("INSERT INTO made_anew VALUES (1, '2')"));
      };
      await make("integer");
      for (let again = 0; again < 8; again++) expect(await database.query(all)).toEqual([{ id: 1, value: 2 }]);
      await make("integer");
      expect(await database.query(all)).toEqual([{ id: 1, value: 2 }]);
      expect(await kept(database)).toHaveLength(1);
      await make("text");
      expect(await database.query(all)).toEqual([{ id: 1, value: "2" }]);
    });
  });

  it("are not kept where a statement before them failed", async () => {
    await onOneConnection(async (database) => {
      for (let again = 0; again < 2; again++) await database.query(numbered(9));
      const failing = database.transaction(
        async (queries) => {
          const failed = queries.query(sql`SELECT nothing`);
          failed.catch(() => undefined);
          await queries.query(numbered(9)).catch(() => undefined);
          await failed;
        },
        { readOnly: true },
      );
      await expect(failing).rejects.toMatchObject({ code: "42703" });
      expect(await database.query(numbered(9))).toEqual([{ sum: 10 }]);
      expect(await kept(database)).toHaveLength(1);
    });
  });
});
