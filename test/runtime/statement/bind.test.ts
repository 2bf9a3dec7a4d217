import { loadModule, parseSync } from "libpg-query";
import { expect, it } from "vitest";
import type { Select } from "../../../runtime/statement/algebra.ts";
import { bindStatement } from "../../../runtime/statement/bind.ts";
import { extract } from "../../../runtime/statement/sqlite-functions.ts";
import { things } from "./things.ts";

await loadModule();

const now = Date.parse("2024-05-06T07:08:09.010Z");
const bind = (sql: string) => bindStatement(parseSync(sql), [things], now);
const operators = ["=", "<>", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "||", "~~", "!~~", "~~*", "!~~*"];

it.each<[sql: string, message: string, at?: number | undefined, allowed?: readonly string[], suggestion?: string]>([
  [
    "SELECT id FROM things WHERE id SIMILAR TO 'a'",
    "This operator is not supported.",
    31,
    [...operators, "IN", "BETWEEN", "LIKE"],
  ],
  ["SELECT ~size AS a FROM things", "The operator ~ is not supported.", 7, operators],
  ["SELECT size # 1 AS a FROM things", "The operator # is not supported.", 12, operators],
  ["SELECT current_user AS a", "This function is not supported.", 7, ["now()", "current_timestamp", "current_date"]],
  ["SELECT localtimestamp(3) AS a", "This function is not supported.", 7, ["now()", "current_timestamp", "current_date"]],
  ["SELECT ARRAY(SELECT 1) AS a", "This kind of subquery is not supported.", 7, ["EXISTS (…)", "IN (…)", "(SELECT …)"]],
  [
    "SELECT a.id FROM things a RIGHT JOIN things b ON true",
    "Joins are INNER, LEFT and CROSS. Turn a RIGHT JOIN around.",
    undefined,
    ["JOIN", "LEFT JOIN", "CROSS JOIN"],
  ],
  ...["id", "title DESC", "title, id"].map((order): [string, string, number] => [
    `SELECT string_agg(DISTINCT title, ',' ORDER BY ${order}) AS a FROM things`,
    "string_agg(DISTINCT …) joins in the order of its texts: leave ORDER BY out.",
    7,
  ]),
  ["SELECT count(*) OVER v AS a FROM things WINDOW vv AS (ORDER BY id)", 'There is no window "v".', 21, ["vv"], "vv"],
  ["SELECT id FROM things ORDER BY 0", "SELECT has the columns 1 to 1.", 31],
  ["SELECT *", "* needs a FROM.", 7, []],
  ["SELECT x.* FROM things", 'There is no table "x" in FROM.', 7, ["things"]],
  ["SELECT thing.* FROM things", 'There is no table "thing" in FROM.', 7, ["things"], "things"],
  ["SELECT 1 AS a;;SELECT 2 AS b", "There is more than one statement. Send them one by one.", 15],
  ["SELECT 1, 2 UNION SELECT 1, 'x'", "Column 2 is an integer in one query and a text in the other. Cast one of them."],
  [
    "SELECT size + done AS a FROM things",
    "+ does not take (an integer, a boolean); it takes +(number, number) or +(timestamp, interval) or +(interval, timestamp) or +(interval, interval).",
    12,
    ["+(number, number)", "+(timestamp, interval)", "+(interval, timestamp)", "+(interval, interval)"],
  ],
  ...[
    ["substr(size)", "(an integer)", "substr(text, integer, integer?)"],
    ["greatest(size, title)", "(an integer, a text)", "greatest(a value, …)"],
    ["cardinality(size)", "(an integer)", "cardinality(a list)"],
    ["length(NULL, 'x')", "(NULL, a quoted text)", "length(text)"],
    ["round(title, 1)", "(a text, an integer)", "round(number, integer?)"],
    ["lower(labels)", "(a list of text)", "lower(text)"],
    ["-(now())", "(a timestamp)", "-(number) or -(interval)"],
    ["concat()", "()", "concat(text, …)"],
  ].map(([call = "", given = "", takes = ""]): [string, string, number, string[]] => {
    const name = call.split("(")[0];
    return [`SELECT ${call} AS a FROM things`, `${name} does not take ${given}; it takes ${takes}.`, 7, takes.split(" or ")];
  }),
  [
    "SELECT keyword(title, 'x') AS a, count(*) AS n FROM things",
    "keyword must be in GROUP BY, or inside of an aggregate such as count or max.",
  ],
  [
    "SELECT (SELECT max((SELECT a.size)) FROM things) AS m FROM things a",
    'max needs a column of a table in the FROM of its own subquery, and "size" belongs to the query around it.',
    27,
  ],
  ...[
    "ROWS 1000001",
    "ROWS -1",
    "ROWS 1.5",
    "ROWS 3000000000",
    "ROWS '2'",
    "ROWS true",
    "ROWS NULL",
    "ROWS (1 + 1)",
    "RANGE 1",
  ].map((frame): [string, string, number] => [
    `SELECT count(*) OVER (ORDER BY id ${frame} PRECEDING) AS a FROM things`,
    "A frame reaches a whole number of ROWS, at most 1000000.",
    21,
  ]),
  ...["GROUPS CURRENT ROW", "ROWS CURRENT ROW EXCLUDE TIES"].map((frame): [string, string, number] => [
    `SELECT count(*) OVER (ORDER BY id ${frame}) AS a FROM things`,
    "A frame takes ROWS or RANGE, without EXCLUDE.",
    21,
  ]),
])("refuses %s", (sql, message, at, allowed, suggestion) => {
  const more = { ...(allowed === undefined ? {} : { allowed }), ...(suggestion === undefined ? {} : { suggestion }) };
  expect(() => bind(sql)).toThrow(expect.objectContaining({ mistake: { message, at, ...more } }));
});

it.each([
  ["current_timestamp", now, "timestamp"],
  ["localtimestamp", now, "timestamp"],
  ["current_date", Date.parse("2024-05-06T00:00:00Z"), "timestamp"],
  ["-2", -2, "integer"],
  ["-1.5", -1.5, "number"],
  ["- '2'::integer", -2, "integer"],
  ["- interval '1 second'", -1000, "interval"],
  ["'Yes'::boolean", true, "boolean"],
  ["'0'::boolean", false, "boolean"],
])("takes %s for a value", (sql, value, type) => {
  expect(bind(`SELECT ${sql} AS a`).query.body).toMatchObject({ columns: [{ kind: "value", value, type }] });
});

it.each<[text: string, frame: object]>([
  [
    "ROWS BETWEEN 0 PRECEDING AND 1 FOLLOWING",
    { unit: "ROWS", start: { at: "PRECEDING", rows: 0 }, end: { at: "FOLLOWING", rows: 1 } },
  ],
  ["ROWS 1000000 PRECEDING", { unit: "ROWS", start: { at: "PRECEDING", rows: 1_000_000 }, end: { at: "CURRENT ROW" } }],
  [
    "ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING",
    { unit: "ROWS", start: { at: "FOLLOWING", rows: 1 }, end: { at: "FOLLOWING", rows: 2 } },
  ],
  [
    "ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING",
    { unit: "ROWS", start: { at: "PRECEDING", rows: 2 }, end: { at: "PRECEDING", rows: 1 } },
  ],
  [
    "RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
    { unit: "RANGE", start: { at: "CURRENT ROW" }, end: { at: "UNBOUNDED FOLLOWING" } },
  ],
  ["RANGE UNBOUNDED PRECEDING", { unit: "RANGE", start: { at: "UNBOUNDED PRECEDING" }, end: { at: "CURRENT ROW" } }],
])("takes the frame %s", (text, frame) => {
  const { columns } = bind(`SELECT count(*) OVER (ORDER BY id ${text}) AS a FROM things`).query.body as Select;
  expect(columns).toEqual([expect.objectContaining({ over: expect.objectContaining({ frame }) })]);
});

it("takes the order of string_agg(DISTINCT …) that it has anyway", () => {
  expect(bind("SELECT string_agg(DISTINCT title, ',' ORDER BY title) AS a FROM things").query.body).toMatchObject({
    columns: [{ name: "string_agg_distinct", order: [] }],
  });
});

it("lets a join see the tables before the comma", () => {
  const from = { kind: "join", left: { kind: "join", left: { id: 1 }, right: { id: 2 } }, right: { id: 3 } };
  expect(bind("SELECT a.id FROM things a, things b JOIN things c ON true").query.body).toMatchObject({ from });
});

it("compares a column with texts that say true or false", () => {
  expect(bind("SELECT id FROM things WHERE done = 't' OR done = 'off'").query.body).toMatchObject({
    where: { args: [{ args: [{}, { value: true, type: "boolean" }] }, { args: [{}, { value: false, type: "boolean" }] }] },
  });
});

it("computes the seconds since 1970 by a division", () => {
  expect(bind("SELECT extract(epoch FROM now()) AS a").query.body).toMatchObject({
    columns: [{ kind: "call", name: "/", args: [{ value: now }, { value: 1000 }] }],
  });
  expect(extract("epoch", now)).toBe(Number.NaN);
});
