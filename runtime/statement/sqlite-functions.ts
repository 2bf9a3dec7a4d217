import { type Comparable, compareValues, likePattern, likeTest, testOf } from "../search/index.ts";
import { outOfRange, statementFault } from "./fault.ts";
import { calendar, isTooLongToSeek } from "./spelling.ts";

// Functions of statements that SQLite lacks, or has with another meaning. Each gives what PostgreSQL gives. A text that a function makes
// has a limit, so that no statement can fill the memory.

type SqlValue = string | number | null;

/** The most characters of a text that a function makes, and of all texts of a row together. */
const [longestOfAll, mostOfRow] = [1_048_576, 33_554_432];
let longestText = longestOfAll;

/** The most values that the percentiles of a statement keep in memory. */
const mostHeld = 8_000_000;
let held = 0;

/** Limits what the next statement has in memory. @param columns that a row has */
export function limitMemory(columns: number): void {
  longestText = Math.min(longestOfAll, Math.floor(mostOfRow / columns));
  held = 0;
}

/** Counts a value that the engine keeps for a percentile. The engine must call it for each row, also where the value is always the same. */
export function heldValue(value: unknown): unknown {
  if (++held > mostHeld) throw statementFault(outOfRange.held);
  return value;
}

/** What is looked for in a text: to find a long one takes long, and cannot be stopped. */
function sought(part: string | number): string {
  const text = String(part);
  if (isTooLongToSeek(text)) throw statementFault(outOfRange.sought);
  return text;
}

function bounded(text: string): string {
  if (text.length > longestText) throw statementFault(outOfRange.text);
  return text;
}

/** Makes a function of which every argument must have a value: otherwise its result is NULL. */
function strict(run: (...args: (string | number)[]) => SqlValue | boolean): (...args: SqlValue[]) => SqlValue {
  return (...args) => {
    if (args.some((one) => one === null)) return null;
    const made = run(...(args as (string | number)[]));
    return typeof made === "boolean" ? Number(made) : made;
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII ends here
const ascii = /^[\x00-\x7f]*$/;

type TextTest = (value: string) => boolean;

/** Makes a test of an operand once for all rows of the statements that use it. */
function tested(make: (operand: string) => TextTest): (value: SqlValue, operand: SqlValue) => boolean {
  const tests = new Map<string, TextTest>();
  return (value, operand) => {
    const text = String(operand);
    let test = tests.get(text);
    if (test === undefined) {
      if (tests.size > 100) tests.clear();
      test = make(text);
      tests.set(text, test);
    }
    return test(String(value));
  };
}

function substr(value: string, start: number, length?: number): string {
  const chars = [...value];
  const from = Math.trunc(start) - 1;
  const end = length === undefined ? chars.length : from + Math.max(0, Math.trunc(length));
  return chars.slice(Math.max(0, from), Math.max(0, end)).join("");
}

function left(value: string, count: number): string {
  return [...value].slice(0, Math.trunc(count)).join("");
}

function right(value: string, count: number): string {
  const chars = [...value];
  const whole = Math.trunc(count);
  return chars.slice(whole < 0 ? -whole : Math.max(0, chars.length - whole)).join("");
}

function trimmed(value: string, set: string, start: boolean, end: boolean): string {
  const chars = [...value];
  const drop = new Set(set);
  let from = 0;
  let to = chars.length;
  while (start && from < to && drop.has(chars[from] ?? "")) from++;
  while (end && to > from && drop.has(chars[to - 1] ?? "")) to--;
  return chars.slice(from, to).join("");
}

/** Rounds half away from zero, by the 15 digits that PostgreSQL takes of such a number. */
function rounded(value: number, digits: number): number {
  if (Math.abs(value) >= 1e15) return value;
  const places = Math.min(Math.max(Math.trunc(digits), 0), 15);
  const [mantissa = "0", exponent = "0"] = Number(Math.abs(value).toPrecision(15)).toExponential().split("e");
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + places}`));
  const [whole = "0", by = "0"] = shifted.toExponential().split("e");
  return Math.sign(value) * Number(`${whole}e${Number(by) - places}`);
}

export function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value + 0);
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 15) return plainDecimal(mantissa, power);
  return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

function plainDecimal(mantissa: string, power: number): string {
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace("-", "").replace(".", "");
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, "0");
  const rest = digits.slice(power + 1);
  return sign + (rest === "" ? whole : `${whole}.${rest}`);
}

/** A time as ISO 8601, as platforms write it: without a fraction where there is none. */
export function timeText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().replace(".000Z", "Z");
}

export function dateTrunc(unit: string, ms: number): number {
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const day = Math.floor(ms / 86_400_000) * 86_400_000;
  switch (unit) {
    case "second":
      return Math.floor(ms / 1000) * 1000;
    case "minute":
      return Math.floor(ms / 60_000) * 60_000;
    case "hour":
      return Math.floor(ms / 3_600_000) * 3_600_000;
    case "week":
      return day - weekday(date) * 86_400_000;
    case "month":
      return atMonth(year, month);
    case "quarter":
      return atMonth(year, month - (month % 3));
    case "year":
      return atMonth(year, 0);
    default:
      return day;
  }
}

/** Days since Monday. */
function weekday(date: Date): number {
  return (date.getUTCDay() + 6) % 7;
}

/** Years before 100 mean others in `Date.UTC`. */
function atMonth(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}

/** A part of a time; NaN for an unknown one, which SQLite takes for NULL. The seconds since 1970 are none: a statement divides for them. */
export function extract(part: string, ms: number): number {
  const date = new Date(ms);
  const day = Math.floor(ms / 86_400_000) * 86_400_000;
  const parts: Readonly<Record<string, () => number>> = {
    year: () => date.getUTCFullYear(),
    quarter: () => Math.floor(date.getUTCMonth() / 3) + 1,
    month: () => date.getUTCMonth() + 1,
    week: () => {
      // The week of a day is that of its Thursday (ISO 8601).
      const thursday = day + (3 - weekday(date)) * 86_400_000;
      return Math.floor((thursday - atMonth(new Date(thursday).getUTCFullYear(), 0)) / 604_800_000) + 1;
    },
    day: () => date.getUTCDate(),
    hour: () => date.getUTCHours(),
    minute: () => date.getUTCMinutes(),
    second: () => date.getUTCSeconds() + date.getUTCMilliseconds() / 1000,
    dow: () => date.getUTCDay(),
    isodow: () => weekday(date) + 1,
    doy: () => Math.round((day - atMonth(date.getUTCFullYear(), 0)) / 86_400_000) + 1,
  };
  return parts[part]?.() ?? Number.NaN;
}

function extremeOf(sign: 1 | -1) {
  return (...args: SqlValue[]): SqlValue => {
    const values = args.filter((one) => one !== null);
    return values.reduce<SqlValue>(
      (best, one) => (best === null || sign * compareValues(one as Comparable, best) > 0 ? one : best),
      null,
    );
  };
}

/** @throws TenonError for a result that no number is large enough for, or so small that nothing is left of it, as PostgreSQL does */
function calculated(result: number, isNothing: boolean): number {
  if (!Number.isFinite(result) || (result === 0 && !isNothing)) throw statementFault(outOfRange.number);
  return result;
}

const arithmetic = (run: (one: number, other: number) => SqlValue) => strict((one, other) => run(Number(one), Number(other)));

/** Integers are divided as PostgreSQL's `bigint`. */
const mostInteger = 2 ** 63;

function rest(one: number, other: number): number | null {
  if ([one, other].some((value) => !(value >= -mostInteger && value < mostInteger))) throw statementFault(outOfRange.number);
  return other === 0 ? null : one % other;
}

/** A function of a calendar. */
const dated = (run: (word: string, ms: number) => SqlValue) =>
  strict((word, ms) => {
    if (!(Number(ms) >= calendar.first && Number(ms) <= calendar.last)) throw statementFault(outOfRange.time);
    return run(String(word), Number(ms));
  });

/** A missing text has no words. */
const wordy = (run: (value: SqlValue, operand: SqlValue) => boolean) => (value: SqlValue, operand: SqlValue) =>
  value === null ? 0 : Number(run(value, operand));

const text = (run: (value: string) => SqlValue | boolean) => strict((value) => run(String(value)));
const number = (run: (value: number) => number) => strict((value) => run(Number(value)));

const like = tested((pattern) => likeTest(likePattern(pattern)));

/** The functions by their names in SQL. Those with `null` for the count take any number of arguments. */
export const sqliteFunctions: Readonly<Record<string, (...args: SqlValue[]) => SqlValue>> = {
  t_like: strict((value, pattern) => like(value, sought(pattern))),
  t_keyword: wordy(tested((operand) => testOf("keyword", operand))),
  t_fuzzy: wordy(tested((operand) => testOf("fuzzy", operand))),
  t_join: strict((one, other) => bounded(`${one}${other}`)),
  t_concat: (...args) => bounded(args.filter((one) => one !== null).join("")),
  t_lower: text((value) => value.toLowerCase()),
  t_upper: text((value) => value.toUpperCase()),
  t_length: text((value) => (ascii.test(value) ? value.length : [...value].length)),
  t_trim: strict((value, set = " ") => trimmed(String(value), sought(set), true, true)),
  t_ltrim: strict((value, set = " ") => trimmed(String(value), sought(set), true, false)),
  t_rtrim: strict((value, set = " ") => trimmed(String(value), sought(set), false, true)),
  t_substr: strict((value, start, length) =>
    substr(String(value), Number(start), length === undefined ? undefined : Number(length)),
  ),
  t_left: strict((value, count) => left(String(value), Number(count))),
  t_right: strict((value, count) => right(String(value), Number(count))),
  t_replace: strict((value, from, to) => replaced(String(value), sought(from), String(to))),
  t_strpos: strict(
    (value, part) =>
      [...String(value).slice(0, Math.max(0, String(value).indexOf(sought(part))))].length +
      (String(value).includes(String(part)) ? 1 : 0),
  ),
  t_split_part: strict((value, separator, part) => {
    const at = Math.max(1, Math.trunc(Number(part))) - 1;
    return separator === "" ? (at === 0 ? String(value) : "") : (String(value).split(sought(separator))[at] ?? "");
  }),
  t_starts_with: strict((value, start) => String(value).startsWith(String(start))),
  t_greatest: extremeOf(1),
  t_least: extremeOf(-1),
  t_sign: number(Math.sign),
  t_floor: number(Math.floor),
  t_ceil: number(Math.ceil),
  t_trunc: number(Math.trunc),
  t_round: strict((value, digits) => rounded(Number(value), digits === undefined ? 0 : Number(digits))),
  t_plus: arithmetic((one, other) => calculated(one + other, true)),
  t_minus: arithmetic((one, other) => calculated(one - other, true)),
  t_times: arithmetic((one, other) => calculated(one * other, one === 0 || other === 0)),
  t_over: arithmetic((one, other) => (other === 0 ? null : calculated(one / other, one === 0))),
  t_rest: arithmetic(rest),
  t_finite: number((value) => calculated(value, true)),
  t_date_trunc: dated(dateTrunc),
  t_extract: dated(extract),
  t_number_text: strict((value) => numberText(Number(value))),
  t_time_text: strict((value) => dated((_, ms) => timeText(ms))("", value)),
  t_text_number: text((value) => (/^ *[-+]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15}) *$/.test(value) ? Number(value) : null)),
};

function replaced(value: string, from: string, to: string): string {
  if (from === "") return value;
  const count = value.split(from).length - 1;
  if (value.length + count * (to.length - from.length) > longestText) throw statementFault(outOfRange.text);
  return value.replaceAll(from, () => to);
}

interface Joined {
  readonly texts: string[];
  readonly known: Set<string>;
  length: number;
  separator: string;
}

const start = (): Joined => ({ texts: [], known: new Set(), length: 0, separator: "" });

function step(joined: Joined, value: unknown, separator: unknown): Joined {
  if (value === null) return joined;
  const text = String(value);
  joined.texts.push(text);
  joined.separator = String(separator ?? "");
  // Texts that are empty take room, too.
  joined.length += Math.max(1, text.length + joined.separator.length);
  if (joined.length > longestText) throw statementFault(outOfRange.joined);
  return joined;
}

/** Aggregates that SQLite lacks, in the form that its driver takes. */
export const sqliteAggregates = {
  t_string_agg: {
    varargs: true,
    start,
    step: (joined: Joined, ...[value, separator]: readonly unknown[]): Joined => step(joined, value, separator),
    result: ({ texts, separator }: Joined) => (texts.length === 0 ? null : texts.join(separator)),
  },
  t_string_agg_distinct: {
    varargs: true,
    start,
    step: (joined: Joined, ...[value, separator]: readonly unknown[]): Joined => {
      const text = String(value);
      if (value === null || joined.known.has(text)) return joined;
      joined.known.add(text);
      return step(joined, value, separator);
    },
    result: ({ texts, separator }: Joined) => (texts.length === 0 ? null : texts.sort(compareValues).join(separator)),
  },
} as const;
