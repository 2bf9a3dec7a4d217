import type { Connector } from "../contract/index.ts";

/** Names of the platform's variables that have neither a given value nor one of the spec. */
export function missingVariables({ platform }: Connector, given: Readonly<Record<string, string>>): string[] {
  return Object.entries(platform.variables ?? {})
    .filter(([key, one]) => one.default === undefined && !Object.hasOwn(given, key))
    .map(([key]) => key);
}
