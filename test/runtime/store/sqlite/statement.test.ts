import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { tableOf } from "../../../../runtime/contract/index.ts";
import { raw } from "../../../../runtime/sql/index.ts";
import { functions } from "../../../../runtime/statement/functions.ts";
import { heldValue, limitMemory, parseStatement, sqliteFunctions } from "../../../../runtime/statement/index.ts";
import { truncUnits } from "../../../../runtime/statement/scalar-functions.ts";
import { checkProgram } from "../../../../runtime/store/sqlite/search/statement-program.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import { checkpoint, instance, plans } from "../../../conformance/store/case.ts";

const dataDir = mkdtempSync(join(tmpdir(), "tenon-statement-"));
const store = new SqliteStore({ dataDir, plans });
afterAll(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

// In the engine that the tests have of PostgreSQL, nothing can be cancelled.
it("ends SQL at its deadline, also where a join finds nothing for a long time, and answers the next one", async () => {
  const tables = [tableOf("events", plans.test.events)];
  const many = Array.from({ length: 1_000 }, (_, index) => ({ id: `n${index}`, title: `${index}`, size: index }));
  await store.save({ ...instance, scope: "all", entity: "events" }, { records: many, checkpoint: checkpoint(1) });
  for (const from of [
    "events a, events b, events c, events d WHERE a.title || b.title || c.title || d.title = 'x'",
    "events a JOIN events b ON lower(a.title) <> 'x' JOIN events c ON c.size + a.size + b.size < 0",
    "(SELECT title FROM events) a LEFT JOIN events b ON a.title > '' LEFT JOIN events c ON length(a.title || b.title || c.title) > 99",
    "events a WHERE a.size = (SELECT max(b.size * c.size * d.size) FROM events b, events c, events d WHERE b.id < a.id)",
  ]) {
    const statement = await parseStatement(`SELECT count(*) AS n FROM ${from}`, tables);
    const running = store.runStatement(instance, { statement, limit: 1 }, performance.now() + 300);
    await expect(running, from).rejects.toMatchObject({ code: "search_timeout" });
  }
  const statement = await parseStatement("SELECT count(*) AS n FROM events", tables);
  const { json } = await store.runStatement(instance, { statement, limit: 1 }, performance.now() + 100_000);
  expect(Buffer.from(json).toString()).toBe('[{"n":1000}]');
});

it("SQL of a caller whose statements take long holds up nobody else", async () => {
  const tables = [tableOf("events", plans.test.events)];
  const slow = await parseStatement(
    "SELECT count(*) AS n FROM events a, events b, events c WHERE a.title || b.title || c.title = 'x'",
    tables,
  );
  const quick = await parseStatement("SELECT count(*) AS n FROM events", tables);
  const gone = new AbortController();
  const caller = (id: string) => ({ id, worked: () => undefined });
  const ended: string[] = [];
  const hostile = Array.from({ length: 4 }, () =>
    store
      .runStatement(instance, { statement: slow, limit: 1 }, performance.now() + 100_000, gone.signal, caller("hostile"))
      .catch(() => ended.push("hostile")),
  );
  await store.runStatement(instance, { statement: quick, limit: 1 }, performance.now() + 100_000, undefined, caller("other"));
  ended.push("other");
  gone.abort();
  await Promise.all(hostile);
  expect(ended[0]).toBe("other");
});

it("limits the texts of a row together, not only each of them", async () => {
  const tables = [tableOf("events", plans.test.events)];
  const ask = async (columns: number) => {
    const all = Array.from({ length: columns }, (_, at) => `x || '${at}' AS c${at}`).join(", ");
    const long = `replace(replace('${"y".repeat(1_000)}', 'y', '${"z".repeat(800)}'), '!', '?')`;
    const statement = await parseStatement(`SELECT ${all} FROM (SELECT ${long} AS x) t`, tables);
    return store.runStatement(instance, { statement, limit: 1 }, performance.now() + 100_000);
  };
  expect((await ask(2)).count).toBe(1);
  await expect(ask(100)).rejects.toMatchObject({ faults: [{ message: "The statement makes a text that is too long." }] });
});

it("limits the values that percentiles keep in memory, for each statement anew", () => {
  const { spell } = functions["percentile_cont"];
  const spelled = typeof spell === "function" ? spell : spell.sqlite;
  expect(spelled(raw("0.5"), raw("size")).texts.join()).toContain("held_value(");
  const keep = (values: number) => {
    for (let value = 0; value < values; value++) heldValue(value);
  };
  for (const _statement of ["one", "another"]) {
    limitMemory(1);
    keep(8_000_000);
    expect(() => heldValue(1)).toThrow("The percentiles of a statement have more than 8,000,000 values.");
  }
  limitMemory(1);
});

it("reads tables in their order where a statement needs all rows, and looks rows up where it needs few", async () => {
  const tables = [tableOf("events", plans.test.events)];
  const many = Array.from({ length: 40 }, (_, index) => ({ id: `n${index}`, title: `${index}`, size: index, done: index > 9 }));
  await store.save({ ...instance, scope: "all", entity: "events" }, { records: many, checkpoint: checkpoint(1) });
  const isScanned = async (text: string) => {
    const statement = await parseStatement(text, tables);
    const { sql } = await store.runStatement(instance, { statement, limit: 9 }, performance.now() + 100_000);
    return [...sql.matchAll(/(\+?)n\.inst = /g)].map(([, plus]) => plus === "+");
  };
  expect(await isScanned("SELECT size, done, count(*) AS n FROM events GROUP BY size, done")).toEqual([true]);
  expect(await isScanned("SELECT title, row_number() OVER (ORDER BY size) AS n FROM events WHERE done")).toEqual([true]);
  expect(
    await isScanned(
      "SELECT a.title, count(*) AS n FROM events a JOIN events b ON b.size = a.size WHERE a.size < 9 GROUP BY a.title",
    ),
  ).toEqual([true, true]);
  for (const few of [
    "SELECT size, done, count(*) AS n FROM events WHERE size < 9 GROUP BY size, done",
    "SELECT size, count(*) AS n FROM events GROUP BY size",
    "SELECT min(size) AS s, count(done) AS n FROM events",
    "SELECT title, size FROM events ORDER BY size",
  ])
    expect(await isScanned(few), few).toEqual([false]);
  expect(
    await isScanned(
      "SELECT a.title, count(*) AS n FROM events a JOIN events b ON b.size = a.size WHERE a.id = 'n1' GROUP BY a.title",
    ),
  ).toEqual([false, false]);
});

describe("what the engine shows of a statement", () => {
  const file = join(dataDir, "other.sqlite");
  const db = new Database(file);
  db.exec(
    `CREATE TABLE "a:find" (id INTEGER PRIMARY KEY, inst, k TEXT, x TEXT); CREATE INDEX "a:key" ON "a:find" (inst, k); CREATE TABLE b (id INTEGER PRIMARY KEY);
     CREATE VIRTUAL TABLE "a.x:words" USING fts5(words)`,
  );
  db.function("t_lower", { deterministic: true }, (value) => value);
  afterAll(() => db.close());
  const check = (sql: string) => () => checkProgram(db, sql, [], ['"a:find"']);

  it.each([
    `SELECT k FROM "a:find" WHERE inst = 1 ORDER BY x`,
    `SELECT k FROM "a:find" n JOIN json_each(n.x) e ON TRUE GROUP BY k HAVING count(DISTINCT e.value) > 1`,
    `WITH w AS (SELECT row_number() OVER (ORDER BY id) n FROM "a:find") SELECT sum(w.n) FROM w, w v WHERE t_lower(w.n) IN (SELECT x FROM "a:find")`,
  ])("is what it may do: %s", (sql) => {
    expect(check(sql)).not.toThrow();
  });

  it.each([
    ["SELECT id FROM b", "OpenRead"],
    [`SELECT id FROM "a:find" WHERE id IN (SELECT id FROM b)`, "OpenRead"],
    ["SELECT name FROM sqlite_schema", "OpenRead"],
    [`SELECT words FROM "a.x:words"`, "VOpen"],
    [`SELECT c0 FROM "a.x:words_content"`, "OpenRead"],
    ["SELECT name FROM pragma_table_info('b')", "VOpen"],
    ["SELECT load_extension('x')", "load_extension"],
    ["SELECT hex(randomblob(9))", "randomblob"],
    ['SELECT group_concat(k) FROM "a:find"', "group_concat"],
    ["ATTACH ':memory:' AS other", "sqlite_attach"],
    [`INSERT INTO "a:find" (k) VALUES ('x')`, "change something"],
    ["PRAGMA user_version = 1", "change something"],
    ["SELECT 1; SELECT 2", "more than one statement"],
  ])("is refused where it is anything else: %s", (sql, why) => {
    expect(check(sql)).toThrow(why);
  });
});

it.each(truncUnits)("a column is cut to its %s by the engine as by the function for all other values", (unit) => {
  const db = new Database(":memory:");
  for (const [name, run] of Object.entries(sqliteFunctions)) db.function(name, { deterministic: true, varargs: true }, run);
  db.exec("CREATE TABLE t (v)");
  const add = db.prepare("INSERT INTO t VALUES (?)");
  const starts = [1, 1582, 1900, 1969, 1970, 1999, 2000, 2024, 9999].flatMap((year) =>
    [0, 1, 2, 5, 11].map((month) => new Date(0).setUTCFullYear(year, month, 1)),
  );
  const times = starts.flatMap((start) => [-86_400_000, -1, 0, 1, 345_599_999, 345_600_000].map((more) => start + more));
  const inCalendar = [...times, 253_402_300_799_999].filter((ms) => ms >= -62_135_596_800_000);
  for (const ms of inCalendar) add.run(BigInt(ms));
  for (const ms of [null, -0.5, 0.25, 951_782_399_999.75]) add.run(ms);
  const { spell } = functions.date_trunc;
  const { texts } = (typeof spell === "function" ? spell : spell.sqlite)(raw(`'${unit}'`), raw("t.v"));
  const rows = db.prepare(`SELECT v, ${texts.join("")} AS own, t_date_trunc('${unit}', v) AS ours FROM t`).all();
  db.close();
  const found = rows as { v: number; own: number | null; ours: number | null }[];
  expect(found.length).toBeGreaterThan(200);
  expect(found.filter(({ own, ours }) => own !== ours)).toEqual([]);
});
