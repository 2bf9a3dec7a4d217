import { characterBoundary } from "../base/text.ts";

/** Something that was left out of a response so that it fits. */
export interface Cut {
  /** Place in the response, such as `data.3.body`. */
  readonly path: string;
  /** How many characters of a text, or elements or records of a list, were left out. */
  readonly left_out: number;
  readonly unit: "characters" | "elements" | "records";
}

/** Characters of a text and elements of an inner list that stay. */
export interface Limits {
  readonly text?: number;
  readonly list?: number;
}

/**
 * A value with its long texts, and its long lists below the outermost one, cut.
 *
 * @param path place of the value in the response
 * @param cuts takes what was left out
 */
export function shortened(value: unknown, limits: Limits, path: string, cuts: Cut[], depth = 0): unknown {
  const { text = Number.POSITIVE_INFINITY, list = Number.POSITIVE_INFINITY } = limits;
  if (typeof value === "string") {
    if (value.length <= text) return value;
    const kept = characterBoundary(value, text);
    const left = value.length - kept;
    cuts.push({ path, left_out: left, unit: "characters" });
    return `${value.slice(0, kept)}… [cut: ${left} more characters]`;
  }
  const inside = (one: unknown, name: string | number) => shortened(one, limits, `${path}.${name}`, cuts, depth + 1);
  if (Array.isArray(value)) {
    if (depth === 0 || value.length <= list) return value.map(inside);
    cuts.push({ path, left_out: value.length - list, unit: "elements" });
    return value.slice(0, list).map(inside);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inside(inner, name)]));
}
