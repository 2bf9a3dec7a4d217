import { join, raw, type Sql, sql } from "../sql/index.ts";
import { outOfRange, statementFault } from "./fault.ts";
import type { Type } from "./types.ts";

// What the tables of operators and functions are made of.

/** The type of a parameter. `same`: of any type, but all parameters of this kind have one type. `list`: a list of the type of `same`. */
export type Param = "text" | "number" | "integer" | "boolean" | "timestamp" | "interval" | "same" | "list" | "any";

export interface Overload {
  readonly takes: readonly Param[];
  /** How many of the parameters may be left out. */
  readonly optional?: number;
  /** The last parameter may come again. */
  readonly repeats?: true;
  /** `same`: the type of the parameters of this kind. `wider`: integer where all numbers are, otherwise number. */
  readonly gives: Type | "same" | "wider";
}

export type Spelling = (...args: readonly Sql[]) => Sql;

export interface FunctionEntry {
  readonly overloads: readonly Overload[];
  readonly kind: "operator" | "scalar" | "aggregate" | "window";
  /** Set where a word stands before the arguments: one of these. */
  readonly words?: readonly string[];
  readonly spell: Spelling | { readonly sqlite: Spelling; readonly postgres: Spelling };
}

export const call =
  (name: string): Spelling =>
  (...args) =>
    sql`${raw(name)}(${join(args, ", ")})`;

export const infix =
  (symbol: string): Spelling =>
  (...args) =>
    sql`(${join(args, ` ${symbol} `)})`;

export const none = raw("NULL");
export const at = (args: readonly Sql[], index: number): Sql => args[index] ?? none;

export const real = (value: Sql) => sql`CAST(${value} AS REAL)`;
export const numeric = (value: Sql) => sql`(${value})::numeric`;
export const double = (value: Sql) => sql`(${value})::double precision`;
export const whole = (value: Sql) => sql`CAST(${value} AS INTEGER)`;

/**
 * PostgreSQL stores each of the characters U+0000 to U+0003 as a group of three. What counts characters gets one for each of them: U+FDD0
 * to U+FDD3, which Unicode keeps free for such uses.
 */
const groups = ["\\0001\\0002\\0002", "\\0001\\0002\\0003", "\\0001\\0003\\0002", "\\0001\\0003\\0003"] as const;
export const single = (value: Sql) =>
  groups.reduce((made, group, code) => sql`replace(${made}, ${raw(`U&'${group}', U&'\\FDD${code}'`)})`, value);
const grouped = (value: Sql) =>
  groups.reduce((made, group, code) => sql`replace(${made}, ${raw(`U&'\\FDD${code}', U&'${group}'`)})`, value);

/** A function of PostgreSQL that looks at the characters of its first `texts` arguments, and gives a text of them. */
export const byCharacter =
  (name: string, texts: number): Spelling =>
  (...args) =>
    grouped(call(name)(...args.map((arg, index) => (index < texts ? single(arg) : arg))));

/** Where the name of a collation comes that maps case as Unicode does: servers have different ones. */
export const casePlace = raw("/*case*/");
export const lowered = (value: Sql) =>
  sql`lower(replace(${value}, ${raw("U&'\\0130'")}, ${raw("U&'i\\0307'")})${casePlace}) COLLATE "C"`;
export const folded = (value: Sql) => sql`replace(${lowered(single(value))}, ${raw("U&'\\03C2'")}, ${raw("U&'\\03C3'")})`;

/** The most characters of what is looked for in a text: that may take the time of both lengths multiplied, and cannot be stopped. */
const mostSought = 1_000;
export const isTooLongToSeek = (text: string) =>
  text.length > mostSought && (text.length > 2 * mostSought || [...text].length > mostSought);
/** Where the most bytes come of a text that a statement makes in PostgreSQL. */
export const longestPlace = raw("/*longest*/");

/** A text that was made, if it is not too long. The server has its argument once, and stops with SQLSTATE 22001. */
export const measured = (made: Sql) => sql`"varchar"((${made})::varchar, ${longestPlace}, FALSE)::text`;

/** The text of a constant; undefined for anything else. */
function constantOf({ texts, values }: Sql): string | undefined {
  const [value] = values;
  return values.length === 1 && texts[0] === "" && texts[1]?.startsWith("::text") === true && typeof value === "string"
    ? value
    : undefined;
}

/** What is looked for in a text, if it is not too long: otherwise the server stops with SQLSTATE 2201E. */
export function sought(value: Sql): Sql {
  const constant = constantOf(value);
  if (constant === undefined)
    return sql`(CASE WHEN ln(${raw(String(mostSought + 1))} - length(${value})) IS NULL THEN NULL ELSE ${value} END)`;
  if (isTooLongToSeek(constant)) throw statementFault(outOfRange.sought);
  return value;
}

/** The result of `replace`, if it is not too long: otherwise the server stops, before it makes a text that is much too long. */
export function replaced(value: Sql, from: Sql, to: Sql): Sql {
  const made = sql`replace(${value}, ${sought(from)}, ${to})`;
  const [old, other] = [constantOf(from), constantOf(to)].map((one) => (one === undefined ? undefined : Buffer.byteLength(one)));
  if (old !== undefined && other !== undefined && other <= old) return made;
  if (old !== undefined && other !== undefined && other <= mostGrowth * old) return measured(made);
  const size = sql`octet_length(${value})::bigint * (1 + octet_length(${to}) / greatest(octet_length(${from}), 1))`;
  return sql`(CASE WHEN sqrt(${longestPlace} - ${size}) IS NULL THEN NULL ELSE ${made} END)`;
}

/** A text that becomes so many times as long at most is made before it is measured. */
const mostGrowth = 16;

/** The times of which a calendar is asked: those of the years 1 to 9999, in milliseconds since 1970. */
export const calendar = { first: -62_135_596_800_000, last: 253_402_300_799_999 } as const;

/** Milliseconds since 1970 as PostgreSQL's own type, in UTC. It stops at a time that is out of range, as 1e300 is. */
export const instant = (value: Sql) =>
  sql`(to_timestamp(CASE WHEN ${value} NOT BETWEEN ${raw(String(calendar.first))} AND ${raw(String(calendar.last))} THEN 1e300 ELSE ${value} / 1000.0 END) AT TIME ZONE 'UTC')`;
export const millis = (value: Sql) => sql`round(extract(epoch FROM ${value}) * 1000)::double precision`;

/** An integer argument of PostgreSQL's own functions. */
export function clamped(value: Sql): Sql {
  return sql`least(greatest(trunc(${value}), -1000000000), 1000000000)::integer`;
}
