import { shown } from "../base/errors.ts";
import { type Warning, warning } from "../contract/index.ts";

/** Warns of a value that is newer than the spec, live or cached. @param at where it stands in the answer */
export function unlistedValue(at: string, value: unknown, values: readonly string[], field: string): Warning {
  const message = `${field} has the value "${shown(String(value))}", which is not one of ${values.join(", ")}.`;
  return warning(at, "unlisted_value", message);
}
