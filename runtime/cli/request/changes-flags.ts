import { config, type Flags } from "../command.ts";
import { placeFlags } from "./place-flags.ts";

/** Flags of `tenon changes`. */
export const changesFlags = {
  entity: { kind: "list", value: "NAME", help: "only changes of this entity; may be repeated" },
  follow: { kind: "switch", help: "print new changes until interrupted" },
  cursor: { kind: "text", value: "CURSOR", help: "print the changes after this cursor" },
  filter: { kind: "text", value: "JSON", help: "conditions, as in search; needs one entity" },
  fields: { kind: "list", value: "FIELDS", help: "also print these fields of the current record; needs one entity" },
  json: { kind: "switch", help: "print JSON, on a terminal too" },
  ...placeFlags,
  config,
} as const satisfies Flags;
