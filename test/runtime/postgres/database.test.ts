import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../runtime/postgres/index.ts";
import { sql } from "../../../runtime/sql/index.ts";
import { engines } from "../../support/postgres/engines.ts";
import type { TestDatabase } from "../../support/postgres/test-database.ts";

describe.each(engines)("a database on $name", ({ start }) => {
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await start();
    database = place.open();
    await database.run(sql`CREATE TABLE pairs (id bigint PRIMARY KEY, value text)`);
  });
  afterAll(async () => {
    await database.close();
    await place.close();
  });

  it("binds every kind of value and gives it back exactly", async () => {
    const bytes = new Uint8Array([0, 255, 7]);
    const [row] = await database.query(
      sql`SELECT ${2 ** 53 - 1}::bigint AS "integer", ${"x';--"}::text AS text, ${true}::boolean AS yes, ${null}::text AS nothing,
        ${bytes}::bytea AS bytes, ${["a", null, '"b,']}::text[] AS texts, ${[1, 2 ** 40]}::bigint[] AS integers,
        ${'{"b": 1.10, "a": 1}'}::json AS json, ${"2024-05-06T07:08:09.123456Z"}::timestamptz IS NOT NULL AS time`,
    );
    expect(row).toEqual({
      integer: 2 ** 53 - 1,
      text: "x';--",
      yes: true,
      nothing: null,
      bytes: Buffer.from(bytes),
      texts: ["a", null, '"b,'],
      integers: [1, 2 ** 40],
      json: '{"b": 1.10, "a": 1}',
      time: true,
    });
  });

  it("refuses an integer that no number can hold", async () => {
    await expect(database.query(sql`SELECT 9007199254740993::bigint AS n`)).rejects.toThrow(/9007199254740993/);
  });

  it("keeps a transaction that succeeds, and nothing of one that fails", async () => {
    await database.transaction(async (queries) => {
      expect(await queries.run(sql`INSERT INTO pairs VALUES (1, ${"a"}), (2, ${"b"})`)).toBe(2);
    });
    const failed = database.transaction(async (queries) => {
      await queries.run(sql`INSERT INTO pairs VALUES (3, ${"c"})`);
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await database.query(sql`SELECT id FROM pairs ORDER BY id`)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("does not commit when a statement failed and the work went on", async () => {
    const careless = database.transaction(async (queries) => {
      await queries.run(sql`INSERT INTO pairs VALUES (4, ${"d"})`);
      await queries.run(sql`INSERT INTO pairs VALUES (4, ${"d"})`).catch(() => undefined);
    });
    await expect(careless).rejects.toThrow(/rolled back/);
    expect(await database.query(sql`SELECT id FROM pairs WHERE id = 4`)).toEqual([]);
  });

  it("makes something of each row, and gives on what making it throws", async () => {
    const squares = (most: number) =>
      database.transaction((queries) =>
        queries.each(sql`SELECT i FROM generate_series(1, ${5}::integer) AS i`, ({ i }: { i: number }) => {
          if (i > most) throw new RangeError(`${i} is too large`);
          return i * i;
        }),
      );
    expect(await squares(5)).toEqual([1, 4, 9, 16, 25]);
    await expect(squares(3)).rejects.toThrow(new RangeError("4 is too large"));
    const failing = database.transaction((queries) => queries.each(sql`SELECT nothing`, () => 1));
    await expect(failing).rejects.toMatchObject({ code: "42703" });
    expect(await squares(5)).toHaveLength(5);
  });

  it("throws a fault of a statement as it is, and works afterwards", async () => {
    await expect(database.query(sql`SELECT nothing`)).rejects.toMatchObject({ code: "42703" });
    expect(await database.query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  });
});
