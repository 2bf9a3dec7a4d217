import { instantOf } from "../search/index.ts";
import type { Expression, FunctionCall, Value } from "./algebra.ts";
import { type CallName, functions } from "./functions.ts";
import type { Overload, Param } from "./spelling.ts";
import { StatementError } from "./syntax.ts";
import { commonType, elementOf, type Type } from "./types.ts";

const perUnit: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  min: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/** Milliseconds of an interval such as `1 hour 30 minutes`; undefined where it is none, or has months, which differ in length. */
function intervalOf(text: string): number | undefined {
  const parts = [...text.trim().matchAll(/([-+]?\d+(?:\.\d+)?)\s*([a-z]+)\s*/giy)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text.trim()) return undefined;
  let sum = 0;
  for (const [, count, unit = ""] of parts) {
    const ms = perUnit[unit.toLowerCase().replace(/(?<=..)s$/, "")];
    if (ms === undefined) return undefined;
    sum += Number(count) * ms;
  }
  return sum;
}

/** The value of a quoted text as a type; undefined where it is none of this type. */
function literalOf(text: string, type: Type): string | number | boolean | undefined {
  switch (type) {
    case "text":
      return text.isWellFormed() && !text.includes("\0") ? text : undefined;
    case "integer":
    case "number": {
      const number = text.trim() === "" ? Number.NaN : Number(text);
      return Number.isFinite(number) && (type === "number" || Number.isSafeInteger(number)) ? number : undefined;
    }
    case "boolean":
      return /^(?:t|true|yes|on|1)$/i.test(text) ? true : /^(?:f|false|no|off|0)$/i.test(text) ? false : undefined;
    case "timestamp":
      return instantOf(text) ?? instantOf(text.replace(" ", "T")) ?? instantOf(`${text.replace(" ", "T")}Z`);
    case "interval":
      return intervalOf(text);
    default:
      return undefined;
  }
}

/** An expression where a type is expected: an integer is a number, and NULL or a quoted text becomes a value of the type. */
export function coerced(expression: Expression, type: Type): Expression | undefined {
  if (expression.type === type || (expression.type === "integer" && type === "number")) return expression;
  if (expression.type !== "unknown" || expression.kind !== "value") return undefined;
  if (expression.value === null) return { kind: "value", value: null, type };
  const value = literalOf(String(expression.value), type);
  return value === undefined ? undefined : { kind: "value", value, type };
}

/** @throws StatementError where the expression has another type */
export function expected(expression: Expression, type: Type, what: string, at: number | undefined): Expression {
  const made = coerced(expression, type);
  if (made === undefined)
    throw new StatementError(`${what} must be ${named(type)}, and this is ${named(expression.type, expression)}.`, at);
  return made;
}

/** NULL and quoted texts that nothing gave a type are texts. */
export function settled(expression: Expression): Expression {
  return expression.type === "unknown" ? (coerced(expression, "text") ?? expression) : expression;
}

/** Gives several expressions one type. @returns undefined where they have none in common */
export function together(expressions: readonly Expression[]): { readonly all: Expression[]; readonly type: Type } | undefined {
  let type: Type | undefined = "unknown";
  for (const one of expressions) type = type === undefined ? undefined : commonType(type, one.type);
  if (type === undefined) return undefined;
  const common = type === "unknown" ? "text" : type;
  const all = expressions.map((one) => coerced(one, common));
  return all.every((one) => one !== undefined) ? { all, type: common } : undefined;
}

/** Calls an operator or a function. @throws StatementError where it takes no arguments of these types */
export function called(name: CallName, args: readonly Expression[], at: number | undefined, shown: string = name): FunctionCall {
  const { overloads } = functions[name];
  for (const overload of overloads) {
    const call = fitting(name, overload, args);
    if (call !== undefined) return call;
  }
  const given = args.map((arg) => named(arg.type, arg)).join(", ");
  const takes = overloads.map((overload) => `${shown}(${takenBy(overload).join(", ")})`);
  throw new StatementError(`${shown} does not take (${given}); it takes ${takes.join(" or ")}.`, at, { allowed: takes });
}

function takenBy({ takes, optional = 0, repeats }: Overload): string[] {
  const names: Readonly<Partial<Record<Param, string>>> = { same: "a value", any: "any value", list: "a list" };
  return [
    ...takes.map((one, index) => `${names[one] ?? one}${index >= takes.length - optional ? "?" : ""}`),
    ...(repeats === true ? ["…"] : []),
  ];
}

function fitting(name: CallName, overload: Overload, args: readonly Expression[]): FunctionCall | undefined {
  const { takes, optional = 0, repeats, gives } = overload;
  if (args.length < takes.length - optional || (args.length > takes.length && repeats !== true)) return undefined;
  const params = args.map((_, index): Param => takes[Math.min(index, takes.length - 1)] ?? "any");
  const list = args.find((_, index) => params[index] === "list");
  const element = list === undefined ? undefined : elementOf(list.type);
  if (list !== undefined && element === undefined) return undefined;
  const shared = together([
    ...args.filter((_, index) => params[index] === "same"),
    ...(element === undefined ? [] : [{ kind: "value", value: null, type: element } as const satisfies Value]),
  ]);
  if (shared === undefined || elementOf(shared.type) !== undefined) return undefined;
  const made = args.map((arg, index) => {
    const param = params[index] ?? "any";
    if (param === "any") return settled(arg);
    return param === "list" ? arg : coerced(arg, param === "same" ? shared.type : param);
  });
  if (!made.every((one) => one !== undefined)) return undefined;
  const type = gives === "same" ? shared.type : gives === "wider" ? widest(made) : gives;
  return { kind: "call", name, args: made, type };
}

function widest(args: readonly Expression[]): Type {
  return args.every(({ type }) => type === "integer") ? "integer" : "number";
}

/** A type in words. */
export function named(type: Type, expression?: Expression): string {
  if (type === "unknown") return expression?.kind === "value" && expression.value === null ? "NULL" : "a quoted text";
  const element = elementOf(type);
  if (element !== undefined) return `a list of ${element}`;
  return /^[aei]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** An expression as a text, where the function takes texts only. */
export function textFrom(expression: Expression, at: number | undefined): Expression {
  return expression.type === "text" || expression.type === "unknown" ? expression : asText(expression, at);
}

export function asText(expression: Expression, at: number | undefined): Expression {
  switch (expression.type) {
    case "text":
      return expression;
    case "unknown":
      return settled(expression);
    case "integer":
    case "number":
      return called("number as text", [expression], at);
    case "boolean":
      return called("boolean as text", [expression], at);
    case "timestamp":
      return called("timestamp as text", [expression], at);
    default:
      throw new StatementError(`${named(expression.type)} cannot become a text.`, at);
  }
}
