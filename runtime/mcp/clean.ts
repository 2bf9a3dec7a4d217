import { visibleText } from "../base/visible-text.ts";

/** The same value with only visible characters in every text, names of members included. */
export function clean(value: unknown): unknown {
  if (typeof value === "string") return visibleText(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [visibleText(name), clean(inner)]));
}
