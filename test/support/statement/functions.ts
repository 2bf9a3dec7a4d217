import type { Aggregate, FunctionCall, Query } from "../../../runtime/statement/algebra.ts";
import { outOfRange, sqliteFunctions, statementFault } from "../../../runtime/statement/index.ts";

export type Value = string | number | boolean | null | readonly Value[];

/** Texts by code point, everything else by number. Neither is null. */
export function compared(one: Value, other: Value): number {
  return typeof one === "string" && typeof other === "string"
    ? Buffer.compare(Buffer.from(one), Buffer.from(other))
    : Math.sign(Number(one) - Number(other));
}

export function byOrder<Of, Key extends Omit<Query["order"][number], "by">>(
  order: readonly Key[],
  of: (one: Of, key: Key) => Value,
) {
  return (one: Of, other: Of): number => {
    for (const key of order) {
      const [a, b] = [of(one, key), of(other, key)];
      const isLess = key.nulls === "FIRST" ? -1 : 1;
      const by =
        a === null || b === null
          ? a === b
            ? 0
            : a === null
              ? isLess
              : -isLess
          : compared(a, b) * (key.direction === "ASC" ? 1 : -1);
      if (by !== 0) return by;
    }
    return 0;
  };
}

function number(result: number, isExact = true): number {
  if (!Number.isFinite(result) || !isExact) throw statementFault(outOfRange.number);
  return result;
}

const fold = (text: string) => text.toLowerCase().replaceAll("ς", "σ");
const chars = (text: Value) => [...String(text)];
const trimmed = (text: Value, set: Value, start: boolean, end: boolean) => {
  const all = chars(text);
  const isIn = (char: string | undefined) => char !== undefined && chars(set).includes(char);
  while (start && isIn(all[0])) all.shift();
  while (end && isIn(all.at(-1))) all.pop();
  return all.join("");
};

function isLike(text: readonly string[], pattern: readonly string[]): boolean {
  const [first, second] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === "%") return isLike(text, pattern.slice(1)) || (text.length > 0 && isLike(text.slice(1), pattern));
  if (first === "\\" && second !== undefined) return text[0] === second && isLike(text.slice(1), pattern.slice(2));
  return text.length > 0 && (first === "_" || first === text[0]) && isLike(text.slice(1), pattern.slice(1));
}

type Strict = (...args: readonly [Value, Value, Value]) => Value;
const n = Number;

/** Calls that are NULL where an argument is. */
const strict: Readonly<Record<string, Strict>> = {
  "=": (a, b) => compared(a, b) === 0,
  "<>": (a, b) => compared(a, b) !== 0,
  "<": (a, b) => compared(a, b) < 0,
  "<=": (a, b) => compared(a, b) <= 0,
  ">": (a, b) => compared(a, b) > 0,
  ">=": (a, b) => compared(a, b) >= 0,
  not: (a) => a !== true,
  like: (a, b) => isLike(chars(fold(String(a))), chars(fold(String(b)))),
  "||": (a, b) => `${a}${b}`,
  "+": (a, b) => number(n(a) + n(b)),
  "-": (a, b) => number(n(a) - n(b)),
  "checked +": (a, b) => number(n(a) + n(b)),
  "checked -": (a, b) => number(n(a) - n(b)),
  "*": (a, b) => number(n(a) * n(b), n(a) * n(b) !== 0 || a === 0 || b === 0),
  "/": (a, b) => (b === 0 ? null : number(n(a) / n(b), n(a) / n(b) !== 0 || a === 0)),
  div: (a, b) => (b === 0 ? null : Math.trunc(number(n(a) / n(b), n(a) / n(b) !== 0 || a === 0))),
  "%": (a, b) => (Math.max(Math.abs(n(a)), Math.abs(n(b))) >= 2 ** 63 ? number(Number.NaN) : b === 0 ? null : n(a) % n(b)),
  negative: (a) => -n(a),
  "boolean as text": (a) => String(a),
  "boolean as integer": (a) => n(a),
  "integer as number": (a) => n(a),
  lower: (a) => String(a).toLowerCase(),
  upper: (a) => String(a).toUpperCase(),
  length: (a) => chars(a).length,
  trim: (a, b) => trimmed(a, b ?? " ", true, true),
  ltrim: (a, b) => trimmed(a, b ?? " ", true, false),
  rtrim: (a, b) => trimmed(a, b ?? " ", false, true),
  left: (a, b) => chars(a).slice(0, n(b)).join(""),
  right: (a, b) => (n(b) < 0 ? chars(a).slice(-n(b)) : n(b) === 0 ? [] : chars(a).slice(-n(b))).join(""),
  replace: (a, b, c) => (b === "" ? a : String(a).split(String(b)).join(String(c))),
  strpos: (a, b) => (String(a).includes(String(b)) ? chars(String(a).slice(0, String(a).indexOf(String(b)))).length + 1 : 0),
  starts_with: (a, b) => String(a).startsWith(String(b)),
  abs: (a) => Math.abs(n(a)),
  sign: (a) => Math.sign(n(a)),
  floor: (a) => Math.floor(n(a)),
  ceil: (a) => Math.ceil(n(a)),
  trunc: (a) => Math.trunc(n(a)),
  sqrt: (a) => (n(a) < 0 ? null : Math.sqrt(n(a))),
};

/** What has one form for texts of numbers and for calendars. PostgreSQL has its own. */
const shared: Readonly<Record<string, string>> = {
  "number as text": "t_number_text",
  "timestamp as text": "t_time_text",
  "text as number": "t_text_number",
  round: "t_round",
  date_trunc: "t_date_trunc",
  extract: "t_extract",
  substr: "t_substr",
  split_part: "t_split_part",
};

const present = (args: readonly Value[]) => args.filter((one) => one !== null);
const extreme = (args: readonly Value[], sign: number) =>
  present(args).reduce<Value>((best, one) => (best === null || compared(one, best) * sign > 0 ? one : best), null);

export function call(name: FunctionCall["name"], args: readonly Value[]): Value {
  const [a = null, b = null, c = null] = args;
  switch (name) {
    case "is distinct from":
      return a === null || b === null ? a !== b : compared(a, b) !== 0;
    case "is null":
      return a === null;
    case "is true":
      return a === true;
    case "= any":
    case "= any number":
      return Array.isArray(b) && a !== null && b.some((one: Value) => one !== null && compared(one, a) === 0);
    case "cardinality":
      // A list is never NULL. That of a row that a LEFT JOIN has not found is empty.
      return Array.isArray(a) ? a.length : 0;
    case "coalesce":
      return present(args)[0] ?? null;
    case "nullif":
      return a !== null && b !== null && compared(a, b) === 0 ? null : a;
    case "greatest":
      return extreme(args, 1);
    case "least":
      return extreme(args, -1);
    case "concat":
      return present(args).join("");
    default: {
      if (args.includes(null)) return null;
      const own = strict[name];
      if (own !== undefined) return own(a, b, c);
      const run = sqliteFunctions[shared[name] ?? ""];
      if (run === undefined) throw new Error(`no meaning of ${name}`);
      return run(...(args as (string | number)[]));
    }
  }
}

/** @param rows the arguments for each row */
export function aggregated(name: Aggregate["name"], rows: readonly (readonly Value[])[]): Value {
  const values = present(rows.map(([one = null]) => one));
  const sum = () => number(values.reduce<number>((all, one) => all + n(one), 0));
  switch (name) {
    case "count":
      return rows[0]?.length === 0 ? rows.length : values.length;
    case "sum":
      return values.length === 0 ? null : sum();
    case "avg":
      return values.length === 0 ? null : sum() / values.length;
    case "min":
      return extreme(values, -1);
    case "max":
      return extreme(values, 1);
    case "bool_and":
      return values.length === 0 ? null : !values.includes(false);
    case "bool_or":
      return values.length === 0 ? null : values.includes(true);
    case "string_agg":
      return values.length === 0 ? null : values.join(String(rows[0]?.[1]));
    case "string_agg_distinct":
      return values.length === 0 ? null : [...new Set(values)].sort(compared).join(String(rows[0]?.[1]));
    case "percentile_cont":
    case "percentile_disc": {
      const sorted = present(rows.map(([, one = null]) => one)).sort(compared);
      const fraction = n(rows[0]?.[0]);
      if (sorted.length === 0) return null;
      if (name === "percentile_disc") return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)] ?? null;
      const at = fraction * (sorted.length - 1);
      const [low, high] = [n(sorted[Math.floor(at)]), n(sorted[Math.ceil(at)])];
      return low + (at - Math.floor(at)) * (high - low);
    }
    default:
      throw new Error(`no meaning of ${name}`);
  }
}
