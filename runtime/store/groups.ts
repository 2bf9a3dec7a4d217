import { type Comparable, compareGroups, type Group } from "../search/index.ts";

/**
 * The groups of an answer, in order: objects of the values by the names of their fields, and `count`.
 *
 * @param found groups in any order
 * @returns the groups, and how many records they have together
 */
export function namedGroups(
  found: readonly Group[],
  fields: readonly string[],
): { readonly groups: readonly Readonly<Record<string, Comparable>>[]; readonly count: number } {
  const named = ({ values, count }: Group) => ({
    ...Object.fromEntries(fields.map((field, index) => [field, values[index] ?? null])),
    count,
  });
  return { groups: found.toSorted(compareGroups).map(named), count: found.reduce((sum, { count }) => sum + count, 0) };
}
