import type { ColumnType, SqlScalar } from "../contract/index.ts";

/** `unknown` is the type of NULL and of a quoted text whose use has not said yet what it is. */
export type Type = ColumnType | "unknown";

/** The type of the elements of a list; undefined for any other type. */
export function elementOf(type: Type): SqlScalar | undefined {
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
