import type { Flags, FlagValues } from "../command.ts";
import { requestFlags } from "./request-flags.ts";

/** Flags of `tenon search`. */
export const searchFlags = {
  filter: { kind: "text", value: "JSON", help: "conditions: operator, then field, then value; or @FILE, or -" },
  sort: { kind: "list", value: "FIELD[:desc]", help: "field to sort by; may be repeated" },
  limit: { kind: "text", value: "NUMBER", help: "most records of the answer" },
  count: { kind: "switch", help: "also count all matching records" },
  "group-by": { kind: "list", value: "FIELDS", help: "answer values and counts instead of records" },
  semantic: { kind: "text", value: "TEXT", help: "search by meaning" },
  "semantic-field": {
    kind: "text",
    value: "FIELD",
    help: "where an entity has several fields for --semantic: the one to search",
  },
  ...requestFlags,
} as const satisfies Flags;

export type SearchFlags = FlagValues<typeof searchFlags>;
