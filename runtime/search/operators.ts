import type { SearchType } from "../contract/index.ts";
import { fuzzyFinder } from "./fuzzy.ts";
import { likePattern, likeTest } from "./like.ts";
import { type Comparable, compareValues } from "./value.ts";
import { wordFinder, wordsOf } from "./words.ts";

/** What an operator compares with. `value`: one of the field's type; `nullable`: that or null; `list`: some of them; `text`: words or a pattern. */
export type OperandKind = "value" | "nullable" | "list" | "text";

interface OperatorEntry<Kind extends OperandKind> {
  readonly operand: Kind;
  /** Types of fields that it fits. */
  readonly types: readonly SearchType[];
  readonly doc: string;
  /** The meaning: a test of a field's value, made once per query. */
  readonly test: (operand: OperandOf<Kind>) => (value: Comparable) => boolean;
}

export type OperandOf<Kind extends OperandKind> = Kind extends "list"
  ? readonly Comparable[]
  : Kind extends "text"
    ? string
    : Comparable;

const everyType: readonly SearchType[] = ["string", "integer", "number", "boolean", "timestamp"];
const orderedTypes: readonly SearchType[] = ["string", "integer", "number", "timestamp"];
const texts: readonly SearchType[] = ["string"];

function ordered(holds: (order: number) => boolean) {
  return (operand: Comparable) => (value: Comparable) => value !== null && holds(compareValues(value, operand));
}

/** Null has no words and no text, so that text operators are never true for it. */
function ofText(test: (value: string) => boolean) {
  return (value: Comparable) => typeof value === "string" && test(value);
}

/**
 * The one table of operators that compare a field (decision 6). Parser, messages, reference pages and the interpreter are made
 * from it; a store plans each of them in its own language.
 */
export const operators = {
  eq: {
    operand: "nullable",
    types: everyType,
    doc: "Equal to the value; `null` finds records without one.",
    test: (operand: Comparable) => (value: Comparable) => value === operand,
  },
  neq: {
    operand: "nullable",
    types: everyType,
    doc: "Not equal to the value: exactly `not` `eq`, so it holds for records without a value.",
    test: (operand: Comparable) => (value: Comparable) => value !== operand,
  },
  gt: { operand: "value", types: orderedTypes, doc: "Greater, or later.", test: ordered((order) => order > 0) },
  gte: { operand: "value", types: orderedTypes, doc: "Greater or equal.", test: ordered((order) => order >= 0) },
  lt: { operand: "value", types: orderedTypes, doc: "Less, or earlier.", test: ordered((order) => order < 0) },
  lte: { operand: "value", types: orderedTypes, doc: "Less or equal.", test: ordered((order) => order <= 0) },
  in: {
    operand: "list",
    types: everyType,
    doc: "Equal to one of the values, of which one may be `null`.",
    test: (operand: readonly Comparable[]) => {
      const values = new Set(operand);
      return (value: Comparable) => values.has(value);
    },
  },
  like: {
    operand: "text",
    types: texts,
    doc: "The whole value fits the pattern, whatever its case: `%` is any text, `_` one character, `\\` takes the next character as it is.",
    test: (operand: string) => ofText(likeTest(likePattern(operand))),
  },
  keyword: {
    operand: "text",
    types: texts,
    doc: "At least one word of the operand is a word of the value, whatever its case.",
    test: (operand: string) => ofText(wordFinder(wordsOf(operand))),
  },
  fuzzy: {
    operand: "text",
    types: texts,
    doc: "Every word of the operand is found in this order: equal, or as the beginning of a word (3 letters or more), or with one typing error (4 to 7 letters) or two (8 or more).",
    test: (operand: string) => ofText(fuzzyFinder(operand)),
  },
} as const satisfies Readonly<
  Record<string, OperatorEntry<"value"> | OperatorEntry<"nullable"> | OperatorEntry<"list"> | OperatorEntry<"text">>
>;

export type OperatorName = keyof typeof operators;

/** What joins conditions instead of comparing a field. */
export const connectives = {
  not: "The condition is false.",
  and: "All conditions of the list are true.",
  or: "At least one condition of the list is true.",
} as const satisfies Readonly<Record<string, string>>;

export const operatorNames: readonly string[] = [...Object.keys(operators), ...Object.keys(connectives)];
