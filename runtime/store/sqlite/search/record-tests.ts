import type { Condition } from "../../../search/index.ts";
import { allOf, join, raw, type Sql, sql } from "../../../sql/index.ts";
import type { Layout } from "../tables/layout.ts";
import { expression } from "./expression.ts";
import type { Tests } from "./operators.ts";
import { areInLists, type Planner, type Way } from "./planner.ts";

/** A statement that reads at most this many records runs without the watch, because it takes only a few milliseconds. */
const fewRecords = 2_000;
/** A statement that reads at most this many ids from an index runs without the watch. */
const fewIds = 100_000;

/** Whether the watch need not see the records that a way finds. */
export function isSmall({ whole, least }: Way): boolean {
  return whole && least <= fewRecords;
}

/** The ids that a way finds. The watch sees each of them unless there are few. */
export function idsOf({ access, whole, least }: Way): Sql {
  return access.ids(!(whole && least <= fewIds));
}

/** Where a test takes no longer than a call of the watch, the watch sees one of so many records that fail it. */
const sampled = 32;
/** Whether a record is not in the sample. The ids are mixed, so that no instance has records that are never in it. */
const isUnseen = raw(`((n.id * 40503) >> 8) & ${sampled - 1}`);

/**
 * The tests of each record, in the planner's order, for a WHERE. They form a CASE, because the engine may evaluate the parts of an AND in
 * any order. Empty when there is nothing to test.
 *
 * @param lists ways whose records are read into a list first
 * @param tests gets what only JavaScript can decide
 */
export function recordTests(
  residual: readonly Condition[],
  lists: readonly Way[],
  planner: Planner,
  layout: Layout,
  tests: Tests,
): Sql[] {
  if (residual.length === 0) return [];
  const isCheap = areInLists(residual, lists);
  const missed = (index: number): Sql =>
    isCheap ? sql`iif(${isUnseen}, 0, miss(${index}, ${raw(String(sampled))}))` : sql`miss(${index}, 1)`;
  const steps = planner
    .inOrder(residual, lists)
    .map((one, index) => sql`WHEN (${recordTest(one, lists, layout, tests)}) IS NOT TRUE THEN ${missed(index)}`);
  return [sql`CASE ${join(steps, " ")} ELSE hit() END`];
}

function recordTest(condition: Condition, lists: readonly Way[], layout: Layout, tests: Tests): Sql {
  const own = lists.filter(({ conditions }) => conditions.includes(condition));
  const listed = own.length === 0 ? undefined : allOf(own.map((way) => sql`n.id IN (${idsOf(way)})`));
  if (listed !== undefined && own.some(({ access }) => access.exact)) return listed;
  const test = expression(condition, layout, tests);
  return listed === undefined ? test : sql`CASE WHEN ${listed} THEN ${test} END`;
}
