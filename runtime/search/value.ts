import type { SearchField, SearchType } from "../contract/index.ts";
import { instantOf } from "./instant.ts";

/** A value in the form in which it is compared: texts by code point, numbers and instants (milliseconds since 1970) by number. */
export type Comparable = string | number | boolean | null;

/** A record's value in the form in which it is compared: null when it is missing or not of the field's type. */
export function comparedValue(type: SearchType, value: unknown): Comparable {
  switch (type) {
    case "string":
      return typeof value === "string" ? value : null;
    case "integer":
    case "number":
      // Adding zero turns a negative zero into a positive one.
      return typeof value === "number" && Number.isFinite(value) ? value + 0 : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "timestamp":
      return typeof value === "string" ? (instantOf(value) ?? null) : null;
  }
}

/**
 * The values of a record's field that an operator tests, of which one has to fulfil it. For a list they are the values of its elements,
 * each once; elements without a value are left out. An empty list is tested as one null.
 */
export function testedValues({ type, list }: SearchField, value: unknown): readonly Comparable[] {
  if (list === undefined) return [comparedValue(type, value)];
  const { by } = list;
  const elements: readonly unknown[] = Array.isArray(value) ? value : [];
  const member = (one: unknown) => by?.map((path) => memberAt(one, path)).find((found) => found !== null && found !== undefined);
  const values = new Set(elements.map((one) => comparedValue(type, by === undefined ? one : member(one))));
  values.delete(null);
  return values.size === 0 ? [null] : [...values];
}

/** The value at a dotted path within an object; undefined when there is none. */
export function memberAt(object: unknown, path: string): unknown {
  let value = object;
  for (const name of path.split("."))
    value = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  return value;
}

/** Compares two values of one type, neither of them null. The result is negative, 0 or positive. */
export function compareValues(a: Comparable, b: Comparable): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  return Number(a) - Number(b);
}

/**
 * Compares by code point. JavaScript compares by code unit, which differs where one text has a surrogate pair (U+10000 and above) and
 * the other has a character from U+E000 on.
 */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const one = a.charCodeAt(at);
    const other = b.charCodeAt(at);
    if (one !== other) return shifted(one) - shifted(other);
  }
  return a.length - b.length;
}

/** Maps code units so that they are ordered like the code points that they begin: surrogates come after all others. */
function shifted(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
}
