import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../../runtime/postgres/index.ts";
import { raw, sql } from "../../../runtime/sql/index.ts";
import { hasServer, startOnServer } from "../../support/postgres/server.ts";
import type { TestDatabase } from "../../support/postgres/test-database.ts";

// What only a real server does: several sessions, limits of time, and its own end.

describe.skipIf(!hasServer)("a database on a PostgreSQL server", () => {
  let place: TestDatabase;
  let database: Database;
  let watcher: Database;
  const sleep = sql`SELECT pg_sleep(1000)`;
  beforeAll(async () => {
    place = await startOnServer();
    database = place.open();
    watcher = place.open();
    await database.run(sql`CREATE TABLE numbers (id integer PRIMARY KEY, value integer NOT NULL)`);
    await database.run(sql`INSERT INTO numbers VALUES (1, 0), (2, 0)`);
  });
  afterAll(async () => {
    await Promise.all([database.close(), watcher.close()]);
    await place.close();
  });

  /** Waits until so many sessions of this database run a statement that has this text. */
  async function running(text: string, count: number): Promise<void> {
    const find = sql`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid() AND query LIKE ${`%${text}%`}`;
    for (;;) {
      const [row] = await watcher.query<{ count: number }>(find);
      if (row?.count === count) return;
      await pause(10);
    }
  }

  it("does not depend on what is set for the sessions of the database", async () => {
    const settings = {
      statement_timeout: "50",
      lock_timeout: "50",
      extra_float_digits: "-15",
      standard_conforming_strings: "off",
      array_nulls: "off",
      gin_fuzzy_search_limit: "1",
      default_transaction_isolation: "serializable",
    };
    const alter = (change: string) => raw(`DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' ${change}'; END $$`);
    for (const [name, value] of Object.entries(settings)) await watcher.run(alter(`SET ${name} = ''${value}''`));
    const own = place.open();
    const seen = sql`SELECT ${1 / 3}::float8 AS third, ${raw("'\\\\'")} AS text, ${[null]}::text[] AS texts,
      current_setting('gin_fuzzy_search_limit') AS most, current_setting('transaction_isolation') AS isolation`;
    const expected = { third: 1 / 3, text: "\\\\", texts: [null], most: "0" };
    expect(await own.query(seen)).toEqual([{ ...expected, isolation: "read committed" }]);
    const limits = { readOnly: true, isolation: "repeatable read" } as const;
    expect(await own.transaction((queries) => queries.query(seen), limits)).toEqual([
      { ...expected, isolation: "repeatable read" },
    ]);
    await own.alone(sql`SELECT pg_sleep(0.3)`);
    const locked = Promise.withResolvers<void>();
    const holding = watcher.transaction(async (queries) => {
      await queries.run(sql`UPDATE numbers SET value = 0 WHERE id = 1`);
      locked.resolve();
      await queries.query(sql`SELECT pg_sleep(0.3)`);
    });
    await locked.promise;
    expect(await own.run(sql`UPDATE numbers SET value = 0 WHERE id = 1`)).toBe(1);
    await holding;
    await own.close();
    for (const name of Object.keys(settings)) await watcher.run(alter(`RESET ${name}`));
  });

  it("ends a query on the server when its caller goes", async () => {
    const controller = new AbortController();
    // The server itself would end it at its deadline.
    const query = database.query(sleep, { signal: controller.signal, deadline: performance.now() + 1_000_000 });
    await running("pg_sleep", 1);
    controller.abort(new Error("gone"));
    await expect(query).rejects.toThrow("gone");
    await running("pg_sleep", 0);
    expect(await database.query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  });

  it("ends a query at its deadline, on the server too", async () => {
    const late = () => new Error("late") as never;
    await expect(database.query(sleep, { deadline: performance.now() + 100, late })).rejects.toThrow("late");
    await expect(database.query(sleep, { deadline: performance.now() + 100 })).rejects.toMatchObject({
      code: "database_unavailable",
      retryAfter: 1,
    });
    await running("pg_sleep", 0);
  });

  it("lets the server end a transaction whose process was stopped", async () => {
    const own = place.open();
    const transaction = own.transaction(
      async (queries) => {
        const [limits] = await queries.query<{ statement: string; idle: string }>(
          sql`SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle`,
        );
        return limits;
      },
      { deadline: performance.now() + 60_000 },
    );
    const limits = await transaction;
    expect(Number.parseInt(limits?.statement ?? "", 10)).toBeGreaterThan(0);
    expect(limits?.idle).toBe(limits?.statement);
    const [after] = await own.query(sql`SELECT current_setting('application_name') AS name`);
    expect(after).toEqual({ name: "tenon" });
    await own.close();
  });

  it("lets only so many statements wait for a connection", async () => {
    const one = openDatabase(place.url ?? "", { connections: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    const all = Array.from({ length: 60 }, () => one.query(sleep, { signal }).catch((thrown: unknown) => thrown));
    expect(await Promise.race(all)).toMatchObject({ code: "overloaded", retryAfter: 1 });
    controller.abort(new Error("gone"));
    const ends = await Promise.all(all);
    expect(ends.filter((end) => end instanceof Error && end.message === "gone").length).toBe(51);
    await running("pg_sleep", 0);
    await one.close();
  });

  it("does a transaction again that another one was in the way of", async () => {
    let tries = 0;
    const add = (first: number, second: number, met: () => Promise<void>) =>
      database.transaction(async (queries) => {
        tries++;
        await queries.run(sql`UPDATE numbers SET value = value + 1 WHERE id = ${first}`);
        await met();
        await queries.run(sql`UPDATE numbers SET value = value + 1 WHERE id = ${second}`);
      });
    const { promise, resolve } = Promise.withResolvers<void>();
    let here = 0;
    const both = () => {
      if (++here === 2) resolve();
      return promise;
    };
    await Promise.all([add(1, 2, both), add(2, 1, both)]);
    expect(await database.query(sql`SELECT value FROM numbers`)).toEqual([{ value: 2 }, { value: 2 }]);
    // One of the two is ended and tried again; it may be the first at the next row again, and then one is ended once more.
    expect(tries).toBeGreaterThanOrEqual(3);
  });

  it("says that the database is too busy when other transactions are in the way every time", async () => {
    let tries = 0;
    const work = database.transaction(async (queries) => {
      tries++;
      await queries.run(sql`DO $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = '40001'; END $$`);
    });
    await expect(work).rejects.toMatchObject({ code: "database_unavailable", retryAfter: 1 });
    expect(tries).toBe(6);
  });

  it("uses another connection when the server has closed those that were idle", async () => {
    await Promise.all([1, 2, 3].map(() => database.query(sql`SELECT pg_sleep(0.05)`)));
    const end = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    const ended = watcher.query(end);
    // Sent before this process can have noticed anything.
    const next = [1, 2, 3].map(() => database.query(sql`SELECT 1 AS one`).catch((thrown: unknown) => thrown));
    await ended;
    for (const one of await Promise.all(next))
      expect(one instanceof Error ? { ...one, code: Reflect.get(one, "code") } : one).toEqual(
        one instanceof Error ? expect.objectContaining({ code: "database_unavailable" }) : [{ one: 1 }],
      );
    expect(await database.query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  });

  it("says that the database is away when the connection breaks, and does repeatable work again", async () => {
    const kill = raw("SELECT pg_terminate_backend(pg_backend_pid())");
    await expect(database.query(kill)).rejects.toMatchObject({ code: "database_unavailable", retryAfter: 1 });
    let tries = 0;
    const result = await database.transaction(
      async (queries) => {
        if (++tries === 1) await queries.query(kill);
        return tries;
      },
      { repeatable: true },
    );
    expect(result).toBe(2);
  });

  it("does work once that must not be done twice, also when the connection breaks", async () => {
    const kill = raw("SELECT pg_terminate_backend(pg_backend_pid())");
    let tries = 0;
    const work = database.transaction((queries) => {
      tries++;
      return queries.query(kill);
    });
    await expect(work).rejects.toMatchObject({ code: "database_unavailable" });
    expect(tries).toBe(1);
  });

  it("refuses statements after it was closed", async () => {
    const closed = place.open();
    await closed.close();
    await expect(closed.query(sql`SELECT 1`)).rejects.toMatchObject({ code: "shutting_down" });
  });

  it("names neither the password nor the address in what callers see", async () => {
    const url = new URL(place.url ?? "");
    url.password = "wrong-secret";
    const wrong = openDatabase(url.href, { connections: 1 });
    const thrown: unknown = await wrong.query(sql`SELECT 1`).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "database_unavailable", message: expect.stringMatching(/does not admit the user/) });
    expect(String(thrown)).not.toMatch(/wrong-secret|127\.0\.0\.1/);
    await wrong.close();
    const nobody = openDatabase("postgres://tenon:secret@127.0.0.1:1/none", { connections: 1 });
    await expect(nobody.query(sql`SELECT 1`)).rejects.toMatchObject({ code: "database_unavailable" });
    await nobody.close();
  });
});
