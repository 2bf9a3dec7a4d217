import type { Flags, FlagValues } from "../command.ts";
import { placeFlags } from "./place-flags.ts";
import { requestFlags } from "./request-flags.ts";

/** Flags of `tenon search`. */
export const searchFlags = {
  filter: { kind: "text", value: "JSON", help: "conditions: operator, then field, then value; or @FILE, or -" },
  sort: { kind: "list", value: "FIELD[:desc]", help: "field to sort by; may be repeated" },
  limit: { kind: "text", value: "NUMBER", help: "maximum number of records; with --all, of each page" },
  count: { kind: "switch", help: "also count all matching records" },
  "group-by": { kind: "list", value: "FIELDS", help: "return values and counts instead of records" },
  semantic: { kind: "text", value: "TEXT", help: "search by meaning" },
  "semantic-field": {
    kind: "text",
    value: "FIELD",
    help: "field to search, if the entity has several for --semantic",
  },
  ...requestFlags,
} as const satisfies Flags;

export type SearchFlags = FlagValues<typeof searchFlags>;

const { json, ndjson, connector, timeout, config } = requestFlags;

/** Flags of `tenon sql`. */
export const sqlFlags = {
  describe: {
    kind: "switch",
    help: "show the tables with their columns, joins and numbers of rows; or only of the table that is named",
  },
  limit: { kind: "text", value: "NUMBER", help: "maximum number of rows, up to 10,000 (default: 1,000)" },
  csv: { kind: "switch", help: "print CSV" },
  explain: { kind: "switch", help: "also print the SQL that the engine runs, to standard error" },
  json,
  ndjson: { ...ndjson, help: "print one row as JSON per line" },
  connector,
  ...placeFlags,
  timeout,
  config,
} as const satisfies Flags;

export type SqlFlags = FlagValues<typeof sqlFlags>;
