import type { SearchType } from "../contract/index.ts";

/** The types of single values. A timestamp is in milliseconds since 1970, an interval in milliseconds; both are numbers in the engines. */
export type Scalar = "text" | "integer" | "number" | "boolean" | "timestamp" | "interval";

/** `unknown` is the type of NULL and of a quoted text whose use has not said yet what it is. */
export type Type = Scalar | `${Scalar}[]` | "unknown";

const scalars: Readonly<Record<SearchType, Scalar>> = {
  string: "text",
  integer: "integer",
  number: "number",
  boolean: "boolean",
  timestamp: "timestamp",
};

/** The type of a searchable field in statements. */
export function typeOfField({ type, list }: { readonly type: SearchType; readonly list?: unknown }): Type {
  return list === undefined ? scalars[type] : `${scalars[type]}[]`;
}

/** The type of the elements of a list; undefined for any other type. */
export function elementOf(type: Type): Scalar | undefined {
  switch (type) {
    case "text[]":
      return "text";
    case "integer[]":
      return "integer";
    case "number[]":
      return "number";
    case "boolean[]":
      return "boolean";
    case "timestamp[]":
      return "timestamp";
    case "interval[]":
      return "interval";
    default:
      return undefined;
  }
}

/** The type that has the values of both; undefined where there is none. */
export function commonType(one: Type, other: Type): Type | undefined {
  if (one === other || other === "unknown") return one;
  if (one === "unknown") return other;
  const isNumeric = (type: Type) => type === "integer" || type === "number";
  return isNumeric(one) && isNumeric(other) ? "number" : undefined;
}
