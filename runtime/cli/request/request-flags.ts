import type { Flags, FlagValues } from "../command.ts";
import { placeFlags } from "./place-flags.ts";

/** Flags of every command that runs an action. */
export const requestFlags = {
  fields: { kind: "list", value: "NAMES", help: "fields to return, separated by commas; may be repeated" },
  all: { kind: "switch", help: "read all pages" },
  json: { kind: "switch", help: "print the response as JSON, even on a terminal" },
  ndjson: { kind: "switch", help: "print one record as JSON per line" },
  params: { kind: "text", value: "JSON", help: "params as JSON, as @FILE, or - for standard input" },
  connector: { kind: "text", value: "CONNECTOR_ID", help: "id of the connector, if it differs from the connector's name" },
  ...placeFlags,
  timeout: { kind: "text", value: "MS", help: "milliseconds that each call may take" },
  config: { kind: "text", value: "FILE", help: "YAML or JSON file with settings" },
} as const satisfies Flags;

export type RequestFlags = FlagValues<typeof requestFlags>;
