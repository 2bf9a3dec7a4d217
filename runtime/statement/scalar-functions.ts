import { raw, type Sql, sql } from "../sql/index.ts";
import {
  at,
  byCharacter,
  calendar,
  call,
  casePlace,
  clamped,
  double,
  type FunctionEntry,
  instant,
  lowered,
  measured,
  millis,
  none,
  numeric,
  replaced,
  single,
  sought,
} from "./spelling.ts";

const ms = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** The units that a time is cut to. */
export const truncUnits = [...Object.keys(ms), "week", "month", "quarter", "year"] as const;
/** The parts of a time that `extract` gives. */
const timeParts = [
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "hour",
  "minute",
  "second",
  "dow",
  "isodow",
  "doy",
  "epoch",
] as const;

const text1 = (name: string, other = name) =>
  ({
    kind: "scalar",
    overloads: [{ takes: ["text"], gives: "text" }],
    spell: { sqlite: call(`t_${name}`), postgres: call(other) },
  }) as const;

const number1 = (name: string, gives: "integer" | "number") =>
  ({
    kind: "scalar",
    overloads: [{ takes: ["number"], gives }],
    spell: { sqlite: call(`t_${name}`), postgres: call(name) },
  }) as const;

const trimming = (name: string, other: string) =>
  ({
    kind: "scalar",
    overloads: [{ takes: ["text", "text"], optional: 1, gives: "text" }],
    spell: {
      sqlite: call(`t_${name}`),
      postgres: (value = none, ...set: readonly Sql[]) => byCharacter(other, 2)(value, ...set.map(sought)),
    },
  }) as const;

export const scalarFunctions = {
  lower: { ...text1("lower"), spell: { sqlite: call("t_lower"), postgres: (value) => lowered(value ?? none) } },
  upper: {
    ...text1("upper"),
    spell: { sqlite: call("t_upper"), postgres: (value) => sql`upper(${value ?? none}${casePlace}) COLLATE "C"` },
  },
  length: {
    kind: "scalar",
    overloads: [{ takes: ["text"], gives: "integer" }],
    spell: {
      sqlite: call("t_length"),
      postgres: (value) => double(sql`length(${single(value ?? none)})`),
    },
  },
  trim: trimming("trim", "btrim"),
  ltrim: trimming("ltrim", "ltrim"),
  rtrim: trimming("rtrim", "rtrim"),
  substr: {
    kind: "scalar",
    overloads: [{ takes: ["text", "integer", "integer"], optional: 1, gives: "text" }],
    spell: {
      sqlite: call("t_substr"),
      postgres: (value, start, length) =>
        length === undefined
          ? byCharacter("substr", 1)(value ?? none, clamped(start ?? none))
          : byCharacter("substr", 1)(value ?? none, clamped(start ?? none), sql`greatest(${clamped(length)}, 0)`),
    },
  },
  left: {
    kind: "scalar",
    overloads: [{ takes: ["text", "integer"], gives: "text" }],
    spell: { sqlite: call("t_left"), postgres: (value, count) => byCharacter("left", 1)(value ?? none, clamped(count ?? none)) },
  },
  right: {
    kind: "scalar",
    overloads: [{ takes: ["text", "integer"], gives: "text" }],
    spell: {
      sqlite: call("t_right"),
      postgres: (value, count) => byCharacter("right", 1)(value ?? none, clamped(count ?? none)),
    },
  },
  replace: {
    kind: "scalar",
    overloads: [{ takes: ["text", "text", "text"], gives: "text" }],
    spell: {
      sqlite: call("t_replace"),
      postgres: (value, from, to) => replaced(value ?? none, from ?? none, to ?? none),
    },
  },
  strpos: {
    kind: "scalar",
    overloads: [{ takes: ["text", "text"], gives: "integer" }],
    spell: {
      sqlite: call("t_strpos"),
      postgres: (value, part) => double(call("strpos")(single(value ?? none), single(sought(part ?? none)))),
    },
  },
  split_part: {
    kind: "scalar",
    overloads: [{ takes: ["text", "text", "integer"], gives: "text" }],
    spell: {
      sqlite: call("t_split_part"),
      postgres: (value, separator, part) =>
        sql`split_part(${value ?? none}, ${sought(separator ?? none)}, greatest(${clamped(part ?? none)}, 1))`,
    },
  },
  starts_with: {
    kind: "scalar",
    overloads: [{ takes: ["text", "text"], gives: "boolean" }],
    spell: { sqlite: call("t_starts_with"), postgres: call("starts_with") },
  },
  concat: {
    kind: "scalar",
    overloads: [{ takes: ["text"], repeats: true, gives: "text" }],
    spell: { sqlite: call("t_concat"), postgres: (...args) => sql`(${joinedPairs(args)} COLLATE "C")` },
  },
  coalesce: { kind: "scalar", overloads: [{ takes: ["same"], repeats: true, gives: "same" }], spell: coalesced },
  nullif: { kind: "scalar", overloads: [{ takes: ["same", "same"], gives: "same" }], spell: call("nullif") },
  greatest: {
    kind: "scalar",
    overloads: [{ takes: ["same"], repeats: true, gives: "same" }],
    spell: { sqlite: call("t_greatest"), postgres: call("greatest") },
  },
  least: {
    kind: "scalar",
    overloads: [{ takes: ["same"], repeats: true, gives: "same" }],
    spell: { sqlite: call("t_least"), postgres: call("least") },
  },
  abs: { kind: "scalar", overloads: [{ takes: ["number"], gives: "wider" }], spell: call("abs") },
  sign: { ...number1("sign", "number") },
  floor: number1("floor", "integer"),
  ceil: number1("ceil", "integer"),
  trunc: number1("trunc", "integer"),
  sqrt: {
    kind: "scalar",
    overloads: [{ takes: ["number"], gives: "number" }],
    spell: { sqlite: call("sqrt"), postgres: (value) => sql`CASE WHEN ${value ?? none} >= 0 THEN sqrt(${value ?? none}) END` },
  },
  round: {
    kind: "scalar",
    overloads: [{ takes: ["number", "integer"], optional: 1, gives: "number" }],
    spell: {
      sqlite: call("t_round"),
      postgres: (value, digits) =>
        sql`CASE WHEN abs(${value ?? none}) < 1e15 THEN ${double(sql`round(${numeric(value ?? none)}, ${digits === undefined ? raw("0") : sql`least(greatest(${clamped(digits)}, 0), 15)`})`)} ELSE ${value ?? none} END`,
    },
  },
  date_trunc: {
    kind: "scalar",
    overloads: [{ takes: ["timestamp"], gives: "timestamp" }],
    words: truncUnits,
    spell: {
      sqlite: truncated,
      postgres: (unit, value) => millis(sql`date_trunc(${unit ?? none}, ${instant(value ?? none)})`),
    },
  },
  extract: {
    kind: "scalar",
    overloads: [{ takes: ["timestamp"], gives: "number" }],
    words: timeParts,
    spell: {
      sqlite: call("t_extract"),
      postgres: (part = none, value = none) => {
        const [word] = part.texts;
        const found = sql`date_part(${part}, ${instant(value)})`;
        return double(word === "'second'" ? sql`round(${found} * 1000) / 1000` : found);
      },
    },
  },
  cardinality: {
    kind: "scalar",
    overloads: [{ takes: ["list"], gives: "integer" }],
    spell: {
      sqlite: (list) => sql`coalesce(json_array_length(${list ?? none}), 0)`,
      postgres: (list) => double(sql`(SELECT count(*) FROM unnest(${list ?? none}) e WHERE strpos(e, ':=') > 0)`),
    },
  },
} as const satisfies Readonly<Record<string, FunctionEntry>>;

/** Each step is measured: of many long texts at once, too much would be made. */
function joinedPairs(args: readonly Sql[]): Sql {
  const [first = none, ...others] = args;
  return others.reduce((made, one) => measured(sql`concat(${made}, ${one})`), sql`concat(${first})`);
}

/** SQLite's coalesce takes two arguments or more. */
function coalesced(...args: readonly Sql[]): Sql {
  return args.length === 1 ? at(args, 0) : call("coalesce")(...args);
}

/** What SQLite says itself, a function of ours being called for each row. Weeks begin on Mondays, and 1970 began on a Thursday. */
const ownTruncations: Readonly<Record<string, (value: Sql) => Sql>> = {
  ...Object.fromEntries(Object.entries(ms).map(([unit, length]) => [unit, since(length, 0)])),
  week: since(7 * ms.day, 3 * ms.day),
  month: startOf("month"),
  year: startOf("year"),
};

function since(length: number, before: number): (value: Sql) => Sql {
  return (value) => sql`${value} - (${value} + ${raw(String(before))}) % ${raw(String(length))}`;
}

function startOf(unit: "month" | "year"): (value: Sql) => Sql {
  return (value) => sql`unixepoch(${value} / 1000, 'unixepoch', ${raw(`'start of ${unit}'`)}) * 1000`;
}

/** The longest value that is said several times: a column is shorter. */
const longestRepeated = 200;

/** Times before 1970 and those with a part of a millisecond are left to a function of ours, as SQLite divides towards zero. */
function truncated(unit: Sql = none, value: Sql = none): Sql {
  const own = ownTruncations[unit.texts.join("").slice(1, -1)];
  const ours = call("t_date_trunc")(unit, value);
  if (own === undefined || value.values.length > 0 || value.texts.join("").length > longestRepeated) return ours;
  const isPlain = sql`typeof(${value}) = 'integer' AND ${value} BETWEEN 0 AND ${raw(String(calendar.last))}`;
  return sql`(CASE WHEN ${isPlain} THEN ${own(value)} ELSE ${ours} END)`;
}
