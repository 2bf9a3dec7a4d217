import { join, raw, sql } from "../sql/index.ts";
import { at, call, clamped, type FunctionEntry, none, real, whole } from "./spelling.ts";

const ranked = (name: string) => ({ kind: "window", overloads: [{ takes: [], gives: "integer" }], spell: call(name) }) as const;

const overSame = (name: string) =>
  ({ kind: "window", overloads: [{ takes: ["same"], gives: "same" }], spell: call(name) }) as const;

const shifted = (name: string) =>
  ({
    kind: "window",
    overloads: [{ takes: ["same", "integer", "same"], optional: 2, gives: "same" }],
    spell: {
      sqlite: (...args) => sql`${raw(name)}(${join([at(args, 0), ...args.slice(1, 2).map(whole), ...args.slice(2)], ", ")})`,
      postgres: (...args) =>
        sql`${raw(name)}(${join([at(args, 0), ...args.slice(1, 2).map((one) => sql`(${one})::integer`), ...args.slice(2)], ", ")})`,
    },
  }) as const satisfies FunctionEntry;

const percentile = (name: string) =>
  ({
    kind: "aggregate",
    overloads: [
      { takes: ["number", "number"], gives: "number" },
      { takes: ["number", "interval"], gives: "interval" },
    ],
    spell: {
      sqlite: (fraction, value) => sql`${raw(name)}(held_value(${real(value ?? none)}), ${fraction ?? none})`,
      postgres: (fraction, value) => sql`${raw(name)}(${fraction ?? none}) WITHIN GROUP (ORDER BY ${value ?? none})`,
    },
  }) as const satisfies FunctionEntry;

export const aggregates = {
  count: {
    kind: "aggregate",
    overloads: [{ takes: ["any"], optional: 1, gives: "integer" }],
    spell: (...args) => (args.length === 0 ? raw("count(*)") : call("count")(...args)),
  },
  sum: {
    kind: "aggregate",
    overloads: [
      { takes: ["number"], gives: "wider" },
      { takes: ["interval"], gives: "interval" },
    ],
    // SQLite stops at a sum of integers that is too large, and PostgreSQL has no integers here.
    spell: { sqlite: (value) => sql`sum(${value ?? none} + 0.0)`, postgres: call("sum") },
  },
  avg: {
    kind: "aggregate",
    overloads: [
      { takes: ["number"], gives: "number" },
      { takes: ["interval"], gives: "interval" },
    ],
    spell: call("avg"),
  },
  min: extreme("min", "min"),
  max: extreme("max", "max"),
  bool_and: {
    kind: "aggregate",
    overloads: [{ takes: ["boolean"], gives: "boolean" }],
    spell: { sqlite: call("min"), postgres: call("bool_and") },
  },
  bool_or: {
    kind: "aggregate",
    overloads: [{ takes: ["boolean"], gives: "boolean" }],
    spell: { sqlite: call("max"), postgres: call("bool_or") },
  },
  string_agg: {
    kind: "aggregate",
    overloads: [{ takes: ["text", "text"], gives: "text" }],
    spell: { sqlite: call("t_string_agg"), postgres: call("string_agg") },
  },
  string_agg_distinct: {
    kind: "operator",
    overloads: [{ takes: ["text", "text"], gives: "text" }],
    spell: {
      sqlite: call("t_string_agg_distinct"),
      // An ORDER BY must repeat the expression, which PostgreSQL does not see in other parameters. It sorts for DISTINCT all the same.
      postgres: (value, separator) => sql`string_agg(DISTINCT (${value ?? none}) COLLATE "C", ${separator ?? none})`,
    },
  },
  percentile_cont: percentile("percentile_cont"),
  percentile_disc: percentile("percentile_disc"),
} as const satisfies Readonly<Record<string, FunctionEntry>>;

function extreme(sqlite: string, postgres: string) {
  return {
    kind: "aggregate",
    overloads: [{ takes: ["same"], gives: "same" }],
    spell: { sqlite: call(sqlite), postgres: call(postgres) },
  } as const;
}

export const windows = {
  row_number: ranked("row_number"),
  rank: ranked("rank"),
  dense_rank: ranked("dense_rank"),
  percent_rank: { kind: "window", overloads: [{ takes: [], gives: "number" }], spell: call("percent_rank") },
  cume_dist: { kind: "window", overloads: [{ takes: [], gives: "number" }], spell: call("cume_dist") },
  ntile: {
    kind: "window",
    overloads: [{ takes: ["integer"], gives: "integer" }],
    spell: {
      sqlite: (count) => sql`ntile(max(${whole(count ?? none)}, 1))`,
      postgres: (count) => sql`ntile(greatest(${clamped(count ?? none)}, 1))`,
    },
  },
  lag: shifted("lag"),
  lead: shifted("lead"),
  first_value: overSame("first_value"),
  last_value: overSame("last_value"),
} as const satisfies Readonly<Record<string, FunctionEntry>>;
