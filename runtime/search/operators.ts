import type { FieldOperator, fieldOperators, OperandKind } from "../contract/index.ts";
import { fuzzyFinder } from "./fuzzy.ts";
import { likePattern, likeTest } from "./like.ts";
import { type Comparable, compareValues } from "./value.ts";
import { wordFinder, wordsOf } from "./words.ts";

/** Operators that exist in filters but not in conditions, with the operator that each of them negates. */
export const negations = { neq: "eq" } as const satisfies Partial<Record<FieldOperator, FieldOperator>>;

/** An operator of a condition. */
export type OperatorName = Exclude<FieldOperator, keyof typeof negations>;

export type OperandOf<Kind extends OperandKind> = Kind extends "list"
  ? readonly Comparable[]
  : Kind extends "text"
    ? string
    : Comparable;

/** The operand of an operator after parsing: timestamps are instants. */
export type Operand<Name extends FieldOperator> = OperandOf<(typeof fieldOperators)[Name]["operand"]>;

/** Makes a test of a field's value from an operand. It is called once for each query. */
type Meaning<Name extends OperatorName> = (operand: Operand<Name>) => (value: Comparable) => boolean;

function ordered(holds: (order: number) => boolean) {
  return (operand: Comparable) => (value: Comparable) => value !== null && holds(compareValues(value, operand));
}

/** A text operator is never true for null, which has no text and no words. */
function ofText(test: (value: string) => boolean) {
  return (value: Comparable) => typeof value === "string" && test(value);
}

/** The meaning of each operator. A store translates each of them into its own query language, and must find the same records. */
export const operators = {
  eq: (operand) => (value) => value === operand,
  gt: ordered((order) => order > 0),
  gte: ordered((order) => order >= 0),
  lt: ordered((order) => order < 0),
  lte: ordered((order) => order <= 0),
  in: (operand) => {
    const values = new Set(operand);
    return (value) => values.has(value);
  },
  like: (operand) => ofText(likeTest(likePattern(operand))),
  keyword: (operand) => ofText(wordFinder(wordsOf(operand))),
  fuzzy: (operand) => ofText(fuzzyFinder(operand)),
} satisfies { readonly [Name in OperatorName]: Meaning<Name> };

/** Makes the test of an operator and an operand. The parser has checked that the operand is of the operator's kind. */
export function testOf(operator: OperatorName, operand: unknown): (value: Comparable) => boolean {
  const make = operators[operator] as (operand: unknown) => (value: Comparable) => boolean;
  return make(operand);
}
