import type { Condition } from "../../../search/index.ts";
import { columnNamed, type Layout } from "../tables/layout.ts";
import type { SortColumn } from "./order.ts";

interface FoundSearch {
  readonly layout: Layout;
  readonly conditions: readonly Condition[];
  readonly sort: readonly SortColumn[];
  /** Whether records are found by their words and then sorted. */
  readonly byWords: boolean;
}

/**
 * Whether the best way to find records is the same whatever the operands are: their words are looked up, or one index gives the records in
 * their order. Other searches are planned each time, because an index that is fast for one value may be slow for another, which more
 * records have.
 */
export function isSteadySearch({ layout, conditions, sort, byWords }: FoundSearch): boolean {
  if (byWords) return conditions.length === 1;
  const first = sort[0]?.column.field;
  const others = conditions.filter((one) => !isFiltered(one, layout) && !isRange(one, first, layout));
  if (others.length === 0) return true;
  const fixed = fixedField(others, layout);
  if (fixed === undefined || sort.length > 1) return false;
  return first === undefined || layout.pairs.some((pair) => pair.fixed === fixed && pair.by === first);
}

/** Whether records are tested for a condition, or are looked up by it, whatever the other conditions are. */
function isFiltered(condition: Condition, layout: Layout): boolean {
  // No index finds the records that do not have a value.
  if (condition.kind === "not") return condition.condition.kind === "test" && condition.condition.operator === "eq";
  return condition.kind === "test" && condition.operator === "in" && columnNamed(layout, condition.field).kind === "key";
}

/** Whether a condition only says between which places of an order the records are. */
function isRange(condition: Condition, field: string | undefined, layout: Layout): boolean {
  if (condition.kind !== "test" || condition.field !== field) return false;
  return isSingle(condition.field, layout) && ["eq", "gt", "gte", "lt", "lte"].includes(condition.operator);
}

/** The field that must be equal to a value, where that is the only condition. */
function fixedField(conditions: readonly Condition[], layout: Layout): string | undefined {
  const [one, ...others] = conditions;
  if (others.length > 0 || one?.kind !== "test" || one.operator !== "eq") return undefined;
  return isSingle(one.field, layout) ? one.field : undefined;
}

/** Whether an index has the values of a field in their order. */
function isSingle(field: string, layout: Layout): boolean {
  const { kind } = columnNamed(layout, field);
  return kind === "key" || kind === "narrow";
}
