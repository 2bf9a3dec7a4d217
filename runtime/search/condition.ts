import type { Operand, OperatorName } from "./operators.ts";

/** One field compared by one operator. */
export interface TestOf<Name extends OperatorName> {
  readonly kind: "test";
  readonly operator: Name;
  readonly field: string;
  readonly operand: Operand<Name>;
}

/** A field compared by any of the operators. */
export type Test = { readonly [Name in OperatorName]: TestOf<Name> }[OperatorName];

/** A node of a filter. */
export type Condition =
  | Test
  | { readonly kind: "not"; readonly condition: Condition }
  | { readonly kind: "and" | "or"; readonly conditions: readonly Condition[] };

export interface SortKey {
  readonly field: string;
  readonly direction: "asc" | "desc";
}

/**
 * Rewrites a condition so that a store can plan it better: negations are moved to the single tests (De Morgan), and a list directly
 * within a list of its own kind is merged into it. The meaning stays the same.
 */
export function normalise(condition: Condition, negated = false): Condition {
  switch (condition.kind) {
    case "test":
      return negated ? { kind: "not", condition } : condition;
    case "not":
      return normalise(condition.condition, !negated);
    case "and":
    case "or": {
      const kind = (condition.kind === "and") !== negated ? "and" : "or";
      const inner = condition.conditions.map((one) => normalise(one, negated));
      return { kind, conditions: inner.flatMap((one) => (one.kind === kind ? one.conditions : [one])) };
    }
  }
}

/** The fields that a filter compares. */
export function fieldsIn(filter: Condition | undefined): readonly string[] {
  if (filter === undefined) return [];
  if (filter.kind === "test") return [filter.field];
  return filter.kind === "not" ? fieldsIn(filter.condition) : filter.conditions.flatMap(fieldsIn);
}

/** The conditions that must all be true, in the form of {@link normalise}; none without a filter. */
export function conjuncts(filter: Condition | undefined): readonly Condition[] {
  if (filter === undefined) return [];
  const condition = normalise(filter);
  return condition.kind === "and" ? condition.conditions : [condition];
}
