import { sqlOperators } from "./operators.ts";
import { aggregates, windows } from "./row-functions.ts";
import { scalarFunctions } from "./scalar-functions.ts";
import type { FunctionEntry } from "./spelling.ts";

// The one table of operators and functions: what each takes and gives, and how each engine says it. A statement can call nothing else.
// In SQLite, names that begin with `t_` are functions of `sqlite-functions.ts`.

const table = { ...sqlOperators, ...scalarFunctions, ...aggregates, ...windows };

export type CallName = keyof typeof table;

export const functions: Readonly<Record<CallName, FunctionEntry>> = table;

/** The functions that a statement may call by name. */
export const callable: readonly string[] = Object.entries({ ...scalarFunctions, ...aggregates, ...windows }).flatMap(
  ([name, { kind }]) => (kind === "operator" ? [] : [name]),
);

const otherNames: Readonly<Record<string, CallName>> = {
  btrim: "trim",
  substring: "substr",
  char_length: "length",
  character_length: "length",
  position: "strpos",
  ceiling: "ceil",
  date_part: "extract",
  every: "bool_and",
};

/** The function with a name, in lower case; undefined where there is none. */
export function functionNamed(name: string): CallName | undefined {
  if (Object.hasOwn(otherNames, name)) return otherNames[name];
  return isCallable(name) ? name : undefined;
}

function isCallable(name: string): name is CallName {
  return callable.includes(name);
}
