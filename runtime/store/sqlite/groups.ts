import { type Comparable, compareGroups, type Group } from "../../search/index.ts";
import type { Column } from "./layout.ts";
import type { SqlValue } from "./sql.ts";

/**
 * The groups of an answer, in order: objects of the values by the names of their fields, and `count`.
 *
 * @param rows values of the columns and a count, in any order
 * @returns the groups, and how many records they have together
 */
export function groupsOf(
  rows: readonly (readonly SqlValue[])[],
  columns: readonly Column[],
): { readonly groups: readonly Readonly<Record<string, Comparable>>[]; readonly count: number } {
  const found = rows.map((row): Group => {
    const values = columns.map(({ type }, index): Comparable => {
      const value = row[index] ?? null;
      return type === "boolean" && value !== null ? value === 1 : value;
    });
    return { values, count: Number(row[columns.length]) };
  });
  const named = ({ values, count }: Group) => ({
    ...Object.fromEntries(columns.map(({ field }, index) => [field, values[index] ?? null])),
    count,
  });
  return { groups: found.sort(compareGroups).map(named), count: found.reduce((sum, { count }) => sum + count, 0) };
}
