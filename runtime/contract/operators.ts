import type { SearchType } from "./store.ts";

// The operators of a cached search's filter. The parser, messages, pages and what models are given are made from these tables. The
// meaning of each operator is implemented in runtime/search.

/**
 * What an operator compares with. `value`: a value of the field's type; `nullable`: such a value or null; `list`: a list of such values
 * and null; `text`: words or a pattern.
 */
export type OperandKind = "value" | "nullable" | "list" | "text";

interface OperatorEntry {
  readonly operand: OperandKind;
  /** Types of the fields that the operator may be used with. */
  readonly types: readonly SearchType[];
  /**
   * Whether it may be used with a list field. It then holds when at least one element fulfils it; an empty list counts as one null. An
   * operator that negates another holds where that one does not.
   */
  readonly lists: boolean;
  /** When it finds records without a value. */
  readonly onNull: string;
  readonly doc: string;
}

// Not widened to lists of SearchType, because the types of the client library follow from these values.
const everyType = ["string", "integer", "number", "boolean", "timestamp"] as const satisfies readonly SearchType[];
const orderedTypes = ["string", "integer", "number", "timestamp"] as const satisfies readonly SearchType[];
const texts = ["string"] as const satisfies readonly SearchType[];

/** Operators that compare a field with an operand, in the order in which pages show them. */
export const fieldOperators = {
  eq: {
    operand: "nullable",
    types: everyType,
    lists: true,
    onNull: "only with the operand `null`",
    doc: "Equal to the value; `null` finds records without one, and empty lists.",
  },
  neq: {
    operand: "nullable",
    types: everyType,
    lists: true,
    onNull: "unless the operand is `null`",
    doc: "Not equal to the value: exactly `not` `eq`, so it holds for records without a value.",
  },
  gt: { operand: "value", types: orderedTypes, lists: false, onNull: "never", doc: "Greater, or later." },
  gte: { operand: "value", types: orderedTypes, lists: false, onNull: "never", doc: "Greater or equal." },
  lt: { operand: "value", types: orderedTypes, lists: false, onNull: "never", doc: "Less, or earlier." },
  lte: { operand: "value", types: orderedTypes, lists: false, onNull: "never", doc: "Less or equal." },
  in: {
    operand: "list",
    types: everyType,
    lists: true,
    onNull: "when the list contains `null`",
    doc: "Equal to one of the values, of which one may be `null`.",
  },
  like: {
    operand: "text",
    types: texts,
    lists: true,
    onNull: "never",
    doc: "The whole value fits the pattern, whatever its case: `%` is any text, `_` one character, `\\` takes the next character as it is.",
  },
  keyword: {
    operand: "text",
    types: texts,
    lists: true,
    onNull: "never",
    doc: "At least one word of the operand is a word of the value, whatever its case.",
  },
  fuzzy: {
    operand: "text",
    types: texts,
    lists: true,
    onNull: "never",
    doc: "Every word of the operand is found in this order: equal, or as the beginning of a word (3 letters or more), or with one typing error (4 to 7 letters) or two (8 or more).",
  },
} as const satisfies Readonly<Record<string, OperatorEntry>>;

/** Name of an operator in a filter. */
export type FieldOperator = keyof typeof fieldOperators;

/** Names that join or negate conditions instead of comparing a field. */
export const connectives = {
  not: "The condition is false.",
  and: "All conditions of the list are true.",
  or: "At least one condition of the list is true.",
} as const satisfies Readonly<Record<string, string>>;

/** Every name that a condition may use, with its meaning: the rows of the table in the reference. */
export const operatorDocs: readonly { readonly name: string; readonly doc: string }[] = [
  ...Object.entries(fieldOperators).map(([name, { doc }]) => ({ name, doc })),
  ...Object.entries(connectives).map(([name, doc]) => ({ name, doc })),
];
