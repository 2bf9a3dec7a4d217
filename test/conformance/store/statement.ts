import { expect } from "vitest";
import { tableOf } from "../../../runtime/contract/index.ts";
import type { Value } from "../../../runtime/statement/index.ts";
import type { Store } from "../../../runtime/store/store.ts";
import { type Asked, askedRecords, askedStatements, hitStatements, ids } from "./asked-statements.ts";
import { type Case, checkpoint, collection, expectLimits, instance, kept, page, plans, whole } from "./case.ts";

// What a store answers to SQL: every construct of the language, with the same rows from every store.

const tables = Object.entries(plans.test).map(([entity, plan]) => tableOf(entity, plan));

/** Values of a list that are longer than an index keeps them, among others. */
const longLabels = [
  "x".repeat(300),
  `\0\x01\\u0000\x02"\x03\n😀${"é".repeat(200)}`,
  "a:#b",
  ":=",
  "é",
  "x".repeat(255),
  "x".repeat(254),
];

async function fill(store: Store): Promise<void> {
  const place = { ...instance, scope: "all" };
  await store.save({ ...place, entity: "events" }, { records: askedRecords, checkpoint: checkpoint(1) });
  await store.save({ ...place, entity: "things" }, page("ab"));
  await store.save({ ...place, entity: "parts" }, page("p", 1, { parent: "b" }));
  await store.save({ ...place, scope: "more", entity: "parts" }, page("p", 1, { parent: "a" }));
  await store.save({ ...place, entity: "parts" }, page("q"));
  // Nobody may see these.
  await store.save({ ...place, scope: "secret", instance: "two", entity: "parts" }, page("p", 1, { parent: "secret" }));
  await store.save(
    { ...place, instance: "two", entity: "events" },
    { records: [{ ...askedRecords[0], id: "secret" }], checkpoint: checkpoint(1) },
  );
}

function hitOf(key: string, score: number, context: string): readonly Value[] {
  return [
    { kind: "value", value: key, type: "text" },
    { kind: "value", value: score, type: "number" },
    { kind: "value", value: context, type: "text" },
  ];
}

/** A text of a million characters. */
const million = `replace('${"x".repeat(1_000)}', 'x', '${"y".repeat(1_000)}')`;
const long = "The statement makes a text that is too long.";
const joined = "A number, or a text that string_agg makes, is too large.";
const sought = "What is looked for in a text has at most 1,000 characters.";
/** Statements that make texts without end, or look for long ones, which no engine can stop in the middle. */
const tooLong: readonly Asked<string>[] = [
  [`SELECT length(x || x || x || x || x) AS n FROM (SELECT ${million} AS x) t`, long],
  [`SELECT length(concat(x, x, x, x, x)) AS n FROM (SELECT ${million} AS x) t`, long],
  [`SELECT length(replace(x, 'y', 'five!')) AS n FROM (SELECT ${million} AS x) t`, long],
  [`SELECT length(replace(x, lower('Y'), '${"five".repeat(9)}')) AS n FROM (SELECT ${million} AS x) t`, long],
  [`SELECT length(string_agg(x, ',')) AS n FROM events a, events b, (SELECT ${million} AS x) t`, joined],
  [`SELECT length(string_agg(DISTINCT x || a.id || b.id, ',')) AS n FROM events a, events b, (SELECT ${million} AS x) t`, joined],
  [`SELECT id FROM events WHERE title LIKE '%${"x".repeat(1_001)}'`, sought],
  [`SELECT id FROM events WHERE title LIKE lower('%${"X".repeat(1_001)}')`, sought],
  [`SELECT strpos(title, lower('${"X".repeat(1_001)}')) AS n FROM events`, sought],
  [`SELECT split_part(title, '${"x".repeat(1_001)}', 1) AS n FROM events`, sought],
  [`SELECT trim(title, lower('${"X".repeat(1_001)}')) AS n FROM events`, sought],
  [`SELECT replace(title, lower('${"X".repeat(1_001)}'), '') AS n FROM events`, sought],
];

/** Statements that look for exactly a thousand characters, of two UTF-16 units each. */
const longEnough = [
  `SELECT strpos('${"🦀".repeat(1_000)}', '${"🦀".repeat(1_000)}') AS n`,
  `SELECT strpos('${"🦀".repeat(1_000)}', lower('${"🦀".repeat(1_000)}')) AS n`,
];

async function rowsOf(store: Store, sql: string, limit = 100, hits: readonly (readonly (readonly Value[])[])[] = []) {
  const statement = await store.parseStatement(sql, tables);
  const { json, more } = await store.runStatement(instance, { statement, limit, hits }, performance.now() + 100_000);
  return { rows: JSON.parse(Buffer.from(json).toString()) as unknown, more };
}

export const parseStatement: readonly Case[] = [
  [
    "refuses SQL about tables that the caller may not read",
    async (store) => {
      const own = tables.filter(({ entity }) => entity === "events");
      expect(await store.parseStatement("SELECT id FROM events", own)).toMatchObject({ meanings: [] });
      await expect(store.parseStatement("SELECT id FROM things", own)).rejects.toMatchObject({ code: "invalid_request" });
    },
  ],
];

export const runStatement: readonly Case[] = [
  [
    "ends a row that is larger than a response may be, however few columns it has",
    async (store) => {
      await fill(store);
      const long = `replace(replace('${"x".repeat(1_000)}', 'x', '${"y".repeat(1_000)}'), 'y', '${"z".repeat(34)}')`;
      for (const rows of [`SELECT ${long} AS a`, `SELECT length(a) AS n, a FROM (SELECT ${long} AS a) t`])
        await expect(rowsOf(store, rows)).rejects.toMatchObject({
          faults: [{ message: expect.stringMatching(/too long|larger than 32 MiB/) }],
        });
      expect((await rowsOf(store, "SELECT count(*) AS n FROM events WHERE id = 'a'")).rows).toEqual([{ n: 1 }]);
    },
  ],
  [
    "answers SQL with the same rows as every store",
    async (store) => {
      await fill(store);
      for (const [construct, all] of Object.entries(askedStatements))
        for (const [sql, rows] of all) expect((await rowsOf(store, sql)).rows, `${construct}: ${sql}`).toEqual(rows);
    },
  ],
  [
    "answers SQL about entities of which nothing was ever saved",
    async (store) => {
      await store.save(collection, page("ab"));
      const statement = await store.parseStatement(
        "SELECT (SELECT count(*) FROM things) AS t, count(*) AS n FROM lights",
        tables,
      );
      for (const [name, things] of Object.entries({ one: 2, never: 0 })) {
        const on = { ...instance, instance: name };
        const { json } = await store.runStatement(on, { statement, limit: 9 }, performance.now() + 100_000);
        expect(JSON.parse(Buffer.from(json).toString())).toEqual([{ t: things, n: 0 }]);
      }
    },
  ],
  [
    "answers SQL with no more rows than were requested, and says whether there are more",
    async (store) => {
      await fill(store);
      expect(await rowsOf(store, "SELECT id FROM events ORDER BY id", 2)).toEqual({ rows: ids("a", "b"), more: true });
      expect(await rowsOf(store, "SELECT id FROM events ORDER BY id", 4)).toMatchObject({ more: false });
    },
  ],
  [
    "refuses SQL that comes to nothing that can be answered, with the same words as every store",
    async (store) => {
      await fill(store);
      const number = "A number is too large, or too close to zero.";
      const time = "A time is out of range: calendars have the years 1 to 9999.";
      const refused: readonly Asked<string>[] = [
        ["SELECT id FROM events WHERE price * 1e308 > 0", number],
        [
          "SELECT 9007199254740993 AS n FROM events",
          "Whole numbers above 9007199254740991 lose digits: write this one with an exponent, or as a text. (line 1, column 8)",
        ],
        ["SELECT id FROM events WHERE price * 1e-200 * 1e-200 = 0", number],
        ["SELECT id FROM events WHERE price + 1.7e308 - 1e-300 > 1 AND price + 1.7e308 + 1.7e308 > 0", number],
        ["SELECT id FROM events WHERE - price - 1.7e308 - 1.7e308 < 0", number],
        ["SELECT id FROM events WHERE price / 1e-308 / 1e-10 > 0", number],
        ["SELECT sum(1e308) AS n FROM events HAVING sum(1e308) > 0", number],
        ["SELECT id FROM events WHERE size * 9007199254740991 * 9007199254740991 % 3 = 1", number],
        ["SELECT date_trunc('day', opened_at + interval '5000000 days') AS t FROM events", time],
        ["SELECT count(*) AS n FROM events WHERE extract(year FROM opened_at - interval '5000000 days') < 9", time],
        ["SELECT (opened_at + interval '5000000 days')::text AS t FROM events", time],
        ["SELECT opened_at + interval '5000000000 days' AS t FROM events", time],
        [
          `SELECT ${"x + x AS x FROM (SELECT ".repeat(20)}size AS x FROM events${") x".repeat(20)}`,
          "Subqueries inside of each other use a column too often. Use it once in each of them.",
        ],
        [
          "SELECT (SELECT max(e.size) FROM things) AS n FROM events e",
          'max needs a column of a table in the FROM of its own subquery, and "size" belongs to the query around it. (line 1, column 20)',
        ],
        [
          `SELECT ${"round(".repeat(40)}price${")".repeat(40)} AS n FROM events`,
          "An expression has too many functions inside of each other. Use fewer of them.",
        ],
        // The engines' own SQL has the column four times in each of these.
        [
          `SELECT ${"date_trunc('month', t) AS t FROM (SELECT ".repeat(7)}opened_at AS t FROM events${") x".repeat(7)}`,
          "Subqueries inside of each other use a column too often. Use it once in each of them.",
        ],
        ...tooLong,
      ];
      for (const [sql, message] of refused)
        await expect(rowsOf(store, sql), sql.slice(0, 200)).rejects.toMatchObject({ faults: [{ message }] });
      for (const sql of longEnough) expect((await rowsOf(store, sql)).rows, sql.slice(0, 200)).toEqual([{ n: 1 }]);
      expect(
        (
          await rowsOf(
            store,
            "SELECT avg(price * 1e200) > 1e200 AS large, 9007199254740991 + 2 - 9007199254740991 AS n, 2147483648 % 7 AS r, sum(size) AS s FROM events",
          )
        ).rows,
      ).toEqual([{ large: true, n: 1, r: 2, s: 12 }]);
    },
  ],
  [
    "answers SQL that changes a text of almost the most characters, and looks for what is short once it is made",
    async (store) => {
      await fill(store);
      const long = `replace('${"x".repeat(900)}', 'x', '${"€".repeat(1_000)}')`;
      expect((await rowsOf(store, `SELECT length(replace(${long}, 'y', 'z')) AS n`)).rows).toEqual([{ n: 900_000 }]);
      const short = `SELECT id FROM events WHERE title LIKE trim('${"crash%".padEnd(1_001)}') ORDER BY id`;
      expect((await rowsOf(store, short)).rows).toEqual(ids("a", "b"));
    },
  ],
  [
    "ends SQL at its deadline, and when its caller has gone, who learns how long it worked",
    async (store) => {
      await fill(store);
      const statement = await store.parseStatement("SELECT id FROM events", tables);
      await expectLimits((...limits) => store.runStatement(instance, { statement, limit: 1 }, ...limits));
    },
  ],
  [
    "says how far each table of a statement is synced, also of one in which nothing was stored",
    async (store) => {
      const statement = await store.parseStatement("SELECT t.id FROM things t LEFT JOIN lights l ON true", tables);
      const entities = ["things", "lights"];
      const expectSynced = async (times: readonly unknown[]) => {
        const found = await store.runStatement(instance, { statement, limit: 1 }, performance.now() + 100_000);
        expect(found.tables.map(({ syncedAt }) => syncedAt)).toEqual(times);
        for (const [at, entity] of entities.entries()) {
          const { syncedAt, sync } = await store.search({ ...instance, entity }, whole, performance.now() + 100_000);
          expect(found.tables[at]).toEqual({ entity, syncedAt, sync });
        }
      };
      await expectSynced([null, null]);
      await store.save(collection, page("a"));
      await expectSynced([null, null]);
      await store.finish(collection, checkpoint(1), kept);
      await expectSynced([expect.any(String), null]);
    },
  ],
  [
    "answers SQL with whole lists, however long their values are",
    async (store) => {
      const labels = longLabels.map((name) => ({ name }));
      const odd = [...labels, { name: longLabels[0] }, { name: 7 }, { other: "x" }, null, "x"];
      const all = [
        { id: "a", labels: odd },
        { id: "b", labels: [{ name: "a:#b" }] },
        { id: "c", labels: [labels[1]] },
      ];
      await store.save({ ...instance, scope: "all", entity: "events" }, { records: all, checkpoint: checkpoint(1) });
      const listed = [
        { id: "a", labels: longLabels },
        { id: "b", labels: ["a:#b"] },
        { id: "c", labels: [longLabels[1]] },
      ];
      expect((await rowsOf(store, "SELECT id, labels FROM events ORDER BY id")).rows).toEqual(listed);
      expect((await rowsOf(store, "SELECT id, cardinality(labels) AS n FROM events ORDER BY id")).rows).toEqual(
        listed.map(({ id, labels: values }) => ({ id, n: values.length })),
      );
      const counts = new Map<string | undefined, number>();
      for (const label of listed.flatMap(({ labels: values }) => values)) counts.set(label, (counts.get(label) ?? 0) + 1);
      const sorted = [...counts].sort(([one = ""], [other = ""]) => (one < other ? -1 : 1)).map(([l, n]) => ({ l, n }));
      expect((await rowsOf(store, "SELECT l, count(*) AS n FROM events, unnest(labels) l GROUP BY l ORDER BY l")).rows).toEqual(
        sorted,
      );
    },
  ],
  [
    "returns and compares elements of lists of numbers, booleans and times in SQL",
    async (store) => {
      const all = [
        { id: "a", size: 2 ** 60 + 2 ** 9, sizes: [2 ** 60 + 2 ** 9, 0], prices: [1e15 + 0.5, 0.00001], flags: [true, false] },
        { id: "b", size: 0, sizes: [3], prices: [1e-7, 1e21], times: ["2024-05-06T00:00:00.500Z"], flags: [true] },
        { id: "c", times: ["1969-12-31"], flags: [false] },
      ];
      await store.save({ ...instance, scope: "all", entity: "series" }, { records: all, checkpoint: checkpoint(1) });
      const rows = async (sql: string) => (await rowsOf(store, sql)).rows;
      expect(await rows("SELECT id, size, sizes, prices, times, flags FROM series ORDER BY id")).toEqual([
        { ...all[0], times: [] },
        all[1],
        { id: "c", size: null, sizes: [], prices: [], times: ["1969-12-31T00:00:00Z"], flags: [false] },
      ]);
      const found = (test: string) => rows(`SELECT id FROM series WHERE ${test} ORDER BY id`);
      expect(await found("1000000000000000.5 = ANY(prices) OR 1e21 = ANY(prices)")).toEqual(ids("a", "b"));
      expect(await found("0.00001 = ANY(prices) AND size = ANY(sizes) AND size * 0 = ANY(sizes) AND -0.0 = ANY(sizes)")).toEqual(
        ids("a"),
      );
      expect(await found("'2024-05-06T01:00:00.5+01:00' = ANY(times) OR '1969-12-31' = ANY(times)")).toEqual(ids("b", "c"));
      expect(await found("true = ANY(flags) AND NOT false = ANY(flags)")).toEqual(ids("b"));
      expect(await rows("SELECT id, v FROM series, unnest(sizes) v WHERE v = size ORDER BY id")).toEqual([
        { id: "a", v: 2 ** 60 + 2 ** 9 },
      ]);
    },
  ],
  [
    "joins the hits of searches by meaning with tables",
    async (store) => {
      await fill(store);
      const hits = [
        ["b", 0.75, "it \0 crashed"],
        ["gone", 0.5, "'; DROP TABLE events --"],
      ] as const;
      expect(
        (await rowsOf(store, hitStatements.joined, 100, [hits.map(([key, score, context]) => hitOf(key, score, context))])).rows,
      ).toEqual([
        { key: "b", score: 0.75, context: "it \0 crashed", size: -2 },
        { key: "gone", score: 0.5, context: "'; DROP TABLE events --", size: null },
      ]);
      expect((await rowsOf(store, hitStatements.joined, 100, [[]])).rows).toEqual([]);
      expect((await rowsOf(store, hitStatements.grouped, 100, [[hitOf("b", 1, "x"), hitOf("a", 0.5, "X")]])).rows).toEqual([
        { c: "X", n: 2 },
      ]);
    },
  ],
  [
    "answers SQL over tables in which nothing was stored with no rows",
    async (store) => {
      expect(await rowsOf(store, "SELECT id FROM events WHERE fuzzy(title, 'crash') OR keyword(title, 'x')")).toMatchObject({
        rows: [],
      });
      expect(await rowsOf(store, "SELECT count(*) AS n FROM events e LEFT JOIN unnest(e.labels) AS l ON true")).toMatchObject({
        rows: [{ n: 0 }],
      });
    },
  ],
];
