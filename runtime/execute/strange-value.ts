import { shown } from "../base/errors.ts";
import { type Warning, warning } from "../contract/index.ts";

/** Warns of a value that is newer than the spec, live or cached. @param at where it stands in the answer */
export function unlistedValue(at: string, value: unknown, values: readonly string[], field: string): Warning {
  const message = `${field} has the value "${shown(String(value))}", which is not one of ${values.join(", ")}.`;
  return warning(at, "unlisted_value", message);
}

/** What a warning calls the type of a field that takes whole numbers. */
export const wholeNumber = "a whole number";

/** Warns of a value that has another type than the spec declares. @param declared the declared type in words */
export function unexpectedType(at: string, value: unknown, declared: string, field: string): Warning {
  // The platform sends a number, or a text with one, that would become another number.
  if (declared === wholeNumber && typeof value === "string" && /^-?\d{16,}$/.test(value))
    return warning(at, "unexpected_type", `${field} is a whole number too large to be exact, so it stays a text.`);
  return warning(at, "unexpected_type", `${field} is ${typeText(value)}, not ${declared} as the spec declares.`);
}

function typeText(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  const type = typeof value;
  return { string: "a text", number: "a number", boolean: "true or false" }[type as string] ?? "an object";
}
