import type { SqlScalar } from "../contract/index.ts";
import type { Expression } from "./algebra.ts";
import { asText, called, coerced, named } from "./coerce.ts";
import { bodyMember, listOf, onlyMembers, positionOf, StatementError, stringOf, unknownName } from "./syntax.ts";

type CastType = SqlScalar | "date";

const targets: Readonly<Record<string, CastType>> = {
  text: "text",
  varchar: "text",
  int2: "integer",
  int4: "integer",
  int8: "integer",
  integer: "integer",
  bigint: "integer",
  float4: "number",
  float8: "number",
  numeric: "number",
  bool: "boolean",
  boolean: "boolean",
  timestamp: "timestamp",
  timestamptz: "timestamp",
  date: "date",
  interval: "interval",
};

/**
 * Checks a cast. A cast of a value that does not fit gives NULL where only the engine can tell.
 *
 * @throws StatementError for a type that there is none of, or that the expression cannot become
 */
export function cast(expression: Expression, typeName: unknown, at: number | undefined): Expression {
  const body = bodyMember({ typeName }, "typeName") ?? {};
  onlyMembers("A cast", body, ["names", "typemod", "typmods"]);
  const name = listOf(body["names"]).map(stringOf).at(-1) ?? "";
  const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (target === undefined) throw unknownName(`There is no type "${name}".`, name, Object.keys(targets), positionOf(body) ?? at);
  const type = target === "date" ? "timestamp" : target;
  const made = converted(expression, type, at) ?? coerced(expression, type);
  if (made === undefined) throw new StatementError(`${named(expression.type, expression)} cannot become ${named(type)}.`, at);
  // A date is the midnight with which it begins, in UTC.
  return target === "date" ? dayOf(made) : made;
}

function dayOf(time: Expression): Expression {
  const unit: Expression = { kind: "value", value: "day", type: "text" };
  return { kind: "call", name: "date_trunc", args: [unit, time], type: "timestamp" };
}

function converted(expression: Expression, type: SqlScalar, at: number | undefined): Expression | undefined {
  const { type: from } = expression;
  if (type === "text") return asText(expression, at);
  if (type === "integer" && from === "number") return { ...called("round", [expression], at), type: "integer" };
  if (type === "number" && from === "integer") return called("integer as number", [expression], at);
  if (type === "integer" && from === "boolean") return called("boolean as integer", [expression], at);
  if (type === "number" && from === "text") return called("text as number", [expression], at);
  if (type === "integer" && from === "text")
    return { ...called("round", [called("text as number", [expression], at)], at), type: "integer" };
  return undefined;
}
