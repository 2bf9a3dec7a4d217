import { visibleText } from "../base/visible-text.ts";

/** The same value with only visible characters in every text, names of members included. */
export function clean(value: unknown): unknown {
  return eachText(value, visibleText);
}

/** The same value with every text changed, names of members included. */
export function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one: unknown) => eachText(one, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [change(name), eachText(inner, change)]));
}
