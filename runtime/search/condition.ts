import type { OperandKind, OperandOf, OperatorName, operators } from "./operators.ts";

type OperandKindOf<Name extends OperatorName> = (typeof operators)[Name]["operand"];

/** A field compared by one operator. Timestamps of the operand are instants already. */
export type Test = { readonly [Name in OperatorName]: TestOf<Name> }[OperatorName];

interface TestOf<Name extends OperatorName> {
  readonly kind: "test";
  readonly operator: Name;
  readonly field: string;
  readonly operand: OperandOf<OperandKindOf<Name> & OperandKind>;
}

/** A node of a filter. */
export type Condition =
  | Test
  | { readonly kind: "not"; readonly condition: Condition }
  | { readonly kind: "and" | "or"; readonly conditions: readonly Condition[] };

export interface SortKey {
  readonly field: string;
  readonly direction: "asc" | "desc";
}
