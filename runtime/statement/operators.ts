import { raw, type Sql, sql } from "../sql/index.ts";
import { call, double, type FunctionEntry, folded, infix, instant, measured, none, real, sought } from "./spelling.ts";

const compare = (symbol: string) =>
  ({ kind: "operator", overloads: [{ takes: ["same", "same"], gives: "boolean" }], spell: infix(symbol) }) as const;

/** PostgreSQL calculates with numbers that may have a fraction, and so does SQLite then. */
const asReal = (symbol: string) => (one: Sql | undefined, other: Sql | undefined) =>
  sql`(${real(one ?? none)} ${raw(symbol)} ${other ?? none})`;

export const sqlOperators = {
  "=": compare("="),
  "<>": compare("<>"),
  "<": compare("<"),
  "<=": compare("<="),
  ">": compare(">"),
  ">=": compare(">="),
  "is distinct from": {
    kind: "operator",
    overloads: [{ takes: ["same", "same"], gives: "boolean" }],
    spell: { sqlite: infix("IS NOT"), postgres: infix("IS DISTINCT FROM") },
  },
  "is null": {
    kind: "operator",
    overloads: [{ takes: ["same"], gives: "boolean" }],
    spell: (value) => sql`(${value ?? none} IS NULL)`,
  },
  "is true": {
    kind: "operator",
    overloads: [{ takes: ["boolean"], gives: "boolean" }],
    spell: (value) => sql`coalesce(${value ?? none}, FALSE)`,
  },
  not: { kind: "operator", overloads: [{ takes: ["boolean"], gives: "boolean" }], spell: (value) => sql`(NOT ${value ?? none})` },
  like: {
    kind: "operator",
    overloads: [{ takes: ["text", "text"], gives: "boolean" }],
    spell: {
      sqlite: call("t_like"),
      postgres: (value, pattern) => sql`(${folded(value ?? none)} LIKE ${folded(sought(pattern ?? none))})`,
    },
  },
  "||": {
    kind: "operator",
    overloads: [{ takes: ["text", "text"], gives: "text" }],
    spell: { sqlite: call("t_join"), postgres: (...args) => measured(infix("||")(...args)) },
  },
  "+": {
    kind: "operator",
    overloads: [
      { takes: ["number", "number"], gives: "wider" },
      { takes: ["timestamp", "interval"], gives: "timestamp" },
      { takes: ["interval", "timestamp"], gives: "timestamp" },
      { takes: ["interval", "interval"], gives: "interval" },
    ],
    spell: { sqlite: asReal("+"), postgres: infix("+") },
  },
  "-": {
    kind: "operator",
    overloads: [
      { takes: ["number", "number"], gives: "wider" },
      { takes: ["timestamp", "timestamp"], gives: "interval" },
      { takes: ["timestamp", "interval"], gives: "timestamp" },
      { takes: ["interval", "interval"], gives: "interval" },
    ],
    spell: { sqlite: asReal("-"), postgres: infix("-") },
  },
  /** For floating-point numbers. On overflow SQLite returns infinity and PostgreSQL fails; both fail here. */
  "checked +": {
    kind: "operator",
    overloads: [{ takes: ["number", "number"], gives: "number" }],
    spell: { sqlite: call("t_plus"), postgres: infix("+") },
  },
  "checked -": {
    kind: "operator",
    overloads: [{ takes: ["number", "number"], gives: "number" }],
    spell: { sqlite: call("t_minus"), postgres: infix("-") },
  },
  "*": {
    kind: "operator",
    overloads: [
      { takes: ["number", "number"], gives: "wider" },
      { takes: ["interval", "number"], gives: "interval" },
    ],
    spell: { sqlite: call("t_times"), postgres: infix("*") },
  },
  /** Of numbers that may have a fraction. */
  "/": {
    kind: "operator",
    overloads: [
      { takes: ["number", "number"], gives: "number" },
      { takes: ["interval", "number"], gives: "interval" },
      { takes: ["interval", "interval"], gives: "number" },
    ],
    spell: {
      sqlite: call("t_over"),
      postgres: (one, other) => sql`(${one ?? none} / nullif(${other ?? none}, 0))`,
    },
  },
  /** Of integers. */
  div: {
    kind: "operator",
    overloads: [{ takes: ["integer", "integer"], gives: "integer" }],
    spell: {
      sqlite: (one, other) => sql`t_trunc(t_over(${one ?? none}, ${other ?? none}))`,
      postgres: (one, other) => sql`trunc(${one ?? none} / nullif(${other ?? none}, 0))`,
    },
  },
  "%": {
    kind: "operator",
    overloads: [{ takes: ["integer", "integer"], gives: "integer" }],
    spell: {
      sqlite: call("t_rest"),
      postgres: (one, other) => double(sql`mod((${one ?? none})::bigint, nullif((${other ?? none})::bigint, 0))`),
    },
  },
  negative: {
    kind: "operator",
    overloads: [
      { takes: ["number"], gives: "wider" },
      { takes: ["interval"], gives: "interval" },
    ],
    spell: (value) => sql`(- ${value ?? none})`,
  },
  "= any": {
    kind: "operator",
    overloads: [{ takes: ["same", "list"], gives: "boolean" }],
    spell: {
      sqlite: (value, list) => sql`EXISTS (SELECT 1 FROM json_each(${list ?? none}) e WHERE e.value = ${value ?? none})`,
      postgres: (value, list) =>
        sql`EXISTS (SELECT 1 FROM unnest(${list ?? none}) e WHERE strpos(e, ':=') > 0 AND substr(e, strpos(e, ':=') + 2) = ${textOf(value ?? none)})`,
    },
  },
  /** Of a list of numbers: the engines write one in different ways, and not as it is stored in a list. */
  "= any number": {
    kind: "operator",
    overloads: [{ takes: ["same", "list"], gives: "boolean" }],
    spell: {
      sqlite: (value, list) =>
        sql`EXISTS (SELECT 1 FROM json_each(${list ?? none}) e WHERE ${real(raw("e.value"))} = ${value ?? none})`,
      postgres: (value, list) =>
        sql`EXISTS (SELECT 1 FROM unnest(${list ?? none}) e WHERE CASE WHEN strpos(e, ':=') > 0 THEN ${double(raw("substr(e, strpos(e, ':=') + 2)"))} = ${value ?? none} END)`,
    },
  },
  "number as text": {
    kind: "operator",
    overloads: [{ takes: ["number"], gives: "text" }],
    spell: {
      sqlite: call("t_number_text"),
      postgres: (value) =>
        sql`(CASE WHEN ${value ?? none} = trunc(${value ?? none}) AND abs(${value ?? none}) < 1e15 THEN (${value ?? none})::bigint::text ELSE (${value ?? none})::text END COLLATE "C")`,
    },
  },
  "boolean as text": {
    kind: "operator",
    overloads: [{ takes: ["boolean"], gives: "text" }],
    spell: (value) => sql`CASE ${value ?? none} WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' END`,
  },
  "boolean as integer": {
    kind: "operator",
    overloads: [{ takes: ["boolean"], gives: "integer" }],
    spell: {
      sqlite: (value) => sql`CASE ${value ?? none} WHEN TRUE THEN 1 WHEN FALSE THEN 0 END`,
      postgres: (value) => double(sql`CASE ${value ?? none} WHEN TRUE THEN 1 WHEN FALSE THEN 0 END`),
    },
  },
  /** An explicit cast, so that arithmetic with the result is not integer arithmetic. Elsewhere an integer already counts as a number. */
  "integer as number": {
    kind: "operator",
    overloads: [{ takes: ["integer"], gives: "number" }],
    spell: { sqlite: (value) => real(value ?? none), postgres: (value) => double(value ?? none) },
  },
  "timestamp as text": {
    kind: "operator",
    overloads: [{ takes: ["timestamp"], gives: "text" }],
    spell: {
      sqlite: call("t_time_text"),
      postgres: (value) =>
        // Far from 1970, a number of seconds has no exact microseconds: without half a millisecond more, one less would be written.
        sql`(replace(to_char(${instant(sql`trunc(${value ?? none})`)} + interval '0.0005 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '.000Z', 'Z') COLLATE "C")`,
    },
  },
  "text as number": {
    kind: "operator",
    overloads: [{ takes: ["text"], gives: "number" }],
    spell: {
      sqlite: call("t_text_number"),
      postgres: (value) =>
        sql`CASE WHEN ${value ?? none} ~ '^[ ]*[-+]?([0-9]{1,15}(\\.[0-9]{0,15})?|\\.[0-9]{1,15})[ ]*$' THEN (${value ?? none})::double precision END`,
    },
  },
} as const satisfies Readonly<Record<string, FunctionEntry>>;

function textOf(value: Sql): Sql {
  return sql`(${value})::text`;
}
