import type { Condition, Test } from "../../../search/index.ts";
import { columnNamed, type Layout, type NamedIndex } from "../tables/layout.ts";
import { hasBeginning } from "./operators.ts";
import type { SortColumn } from "./order.ts";

/** The indexes that find records by conditions and in an order, made or not: one for each condition, and one for the order. */
export function wantedFor(layout: Layout, conditions: readonly Condition[], sort: readonly SortColumn[]): NamedIndex[] {
  const first = sort[0]?.column.field;
  const names = conditions.flatMap((one) => namesFor(one, layout, first));
  // A pair with the order finds the records in it.
  if (first !== undefined && !names.some((name) => name.endsWith(`+${first}`))) names.push(first);
  return layout.indexes.filter(({ demand }) => demand !== undefined && names.includes(demand));
}

function namesFor(condition: Condition, layout: Layout, first: string | undefined): string[] {
  if (condition.kind === "test") return namesForTest(condition, layout, first);
  // No index finds the records that do not have a value.
  return condition.kind === "not" ? [] : condition.conditions.flatMap((one) => namesFor(one, layout, first));
}

function namesForTest(test: Test, layout: Layout, first: string | undefined): string[] {
  const { field } = test;
  switch (test.operator) {
    case "eq":
    case "in": {
      const own = layout.pairs.filter(({ fixed }) => fixed === field);
      const pair = (test.operator === "eq" ? own.find(({ by }) => by === first) : undefined) ?? own[0];
      return [pair === undefined ? field : `${pair.fixed}+${pair.by}`];
    }
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return [field];
    case "like":
      return hasBeginning(columnNamed(layout, field), test.operand) ? [`~${field}`] : [];
    case "keyword":
    case "fuzzy":
      return [];
  }
}
