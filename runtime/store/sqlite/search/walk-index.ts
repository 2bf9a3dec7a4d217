import type { Condition } from "../../../search/index.ts";
import { type Sql, sql } from "../../../sql/index.ts";
import { sqlOperand } from "../rows/rows.ts";
import { columnNamed, emptyList, type Layout } from "../tables/layout.ts";
import { unplanned } from "../tables/unplanned.ts";
import { type AccessContext, type AccessPath, throughColumn } from "./access.ts";
import { expression } from "./expression.ts";
import type { Tests } from "./operators.ts";
import { isEqual, type Wanted } from "./wanted.ts";
import { isRange } from "./ways.ts";

/** The index with the order of a sort, and the conditions that all records in the part of it that is read fulfil. */
export interface WalkIndex {
  readonly index: string;
  readonly covered: ReadonlySet<Condition>;
  /** Set where the index is the table of a list's values: the condition on its rows. They have the ids and keys of records. */
  readonly values?: Sql;
}

/** An index of two fields, of which the first one has to equal a value. */
interface Pair {
  readonly name: string;
  readonly equal: Condition;
}

/** How many records of each pair are counted at most, in turn. */
const manyOfPair = [100, 1_000];

/**
 * Chooses the index by which records are walked through. Undefined where no index has the order of the sort.
 *
 * @param tests gets what only JavaScript can decide
 * @param count counts the records of an access, up to a number
 */
export function walkIndexOf(
  { conditions, sort }: Wanted,
  context: AccessContext,
  tests: Tests,
  count: (access: AccessPath, most: number) => number,
): WalkIndex | undefined {
  const { layout } = context;
  const [first] = sort;
  if (first === undefined) return orderOfKey(conditions, layout);
  const column = columnNamed(layout, first.field);
  if (column.index === undefined) return undefined;
  const ranges = conditions.filter((one) => isRange(one) && one.field === first.field);
  const pairs = layout.composites.flatMap(({ fixed, by, name }) => {
    const equal = by === first.field ? conditions.find((one) => isEqual(one) && one.field === fixed) : undefined;
    return equal === undefined ? [] : [{ name, equal }];
  });
  const pair = pairs.length > 1 ? fewestOf(pairs, context, tests, count) : pairs[0];
  return pair === undefined
    ? { index: column.index, covered: new Set(ranges) }
    : { index: pair.name, covered: new Set([pair.equal, ...ranges]) };
}

/** An index with the order of the keys. In the index of a column, the records with one value are in the order of their keys. */
function orderOfKey(conditions: readonly Condition[], layout: Layout): WalkIndex {
  const [only] = conditions;
  if (conditions.length === 1 && only !== undefined && isEqual(only)) {
    const column = columnNamed(layout, only.field);
    if (column.index !== undefined) return { index: column.index, covered: new Set([only]) };
    if (column.items !== undefined) {
      const value = only.operand === null ? emptyList(column) : sqlOperand(only.operand);
      return { index: column.items, covered: new Set([only]), values: sql`n.v = ${unplanned(value)}` };
    }
  }
  return { index: layout.keyIndex, covered: new Set() };
}

/** The pair with the fewest records, or the first one where all have many. */
function fewestOf(
  pairs: readonly Pair[],
  context: AccessContext,
  tests: Tests,
  count: (access: AccessPath, most: number) => number,
): Pair | undefined {
  for (const most of manyOfPair) {
    const counted = pairs.map(({ name, equal }) =>
      count(throughColumn(name, name, expression(equal, context.layout, tests), true, context), most),
    );
    const least = Math.min(...counted);
    if (least < most) return pairs[counted.indexOf(least)];
  }
  return pairs[0];
}
