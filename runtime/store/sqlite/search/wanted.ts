import type { Condition, SortKey, SortPosition, Test } from "../../../search/index.ts";

/** What to find: at most `need` records that fulfil all conditions, in the order of the sort, after a position. */
export interface Wanted {
  readonly conditions: readonly Condition[];
  readonly sort: readonly SortKey[];
  readonly after: SortPosition | undefined;
  readonly need: number;
}

export function isEqual(condition: Condition): condition is Test & { operator: "eq" } {
  return condition.kind === "test" && condition.operator === "eq";
}

/** Drops fields from the sort that must equal one value or are named twice, because they do not change the order. */
export function withoutFixed(wanted: Wanted): Wanted {
  const fixed = new Set(wanted.conditions.filter(isEqual).map(({ field }) => field));
  const seen = new Set<string>();
  const keep = wanted.sort.map(({ field }) => {
    const counts = !fixed.has(field) && !seen.has(field);
    seen.add(field);
    return counts;
  });
  if (!keep.includes(false)) return wanted;
  const { after } = wanted;
  return {
    ...wanted,
    sort: wanted.sort.filter((_, index) => keep[index]),
    after: after === undefined ? undefined : ([...after.filter((_, index) => keep[index] ?? true)] as [...SortPosition]),
  };
}
