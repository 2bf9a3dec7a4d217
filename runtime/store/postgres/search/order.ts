import type { SortKey, SortPosition } from "../../../search/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import { storedKey } from "../rows/rows.ts";
import { type Column, columnNamed, type Layout } from "../tables/layout.ts";
import { compared, orderedBy } from "./comparisons.ts";

// The order of records in SQL, and positions in this order. Records without a value are last in both directions.

export interface SortColumn {
  readonly column: Column;
  readonly direction: SortKey["direction"];
}

/** A part of a walk: the records of each part come before those of the next one. An index can start a part at any place. */
export interface Phase {
  readonly where: Sql;
  readonly order: Sql;
}

export function sortColumns(layout: Layout, sort: readonly SortKey[]): SortColumn[] {
  return sort.map(({ field, direction }) => ({ column: columnNamed(layout, field), direction }));
}

/**
 * The parts of a walk from a position on. An index has the records without a value of the first column where the sort does not want them,
 * so these are a part of their own, unless there are none, or the records are sorted after they were found.
 *
 * @param known `present`: no record that fulfils the conditions is without a value of the first column. `sorted`: the records are not read
 *   in the order of an index.
 */
export function phases(
  columns: readonly SortColumn[],
  after: SortPosition | undefined,
  known: { readonly present: boolean; readonly sorted: boolean },
): [Phase, ...Phase[]] {
  const [first, ...rest] = columns;
  const none = raw("TRUE");
  if (first === undefined) return [{ where: after === undefined ? none : behindPosition([], after), order: raw("n.k") }];
  const [value, ...others] = after ?? [];
  if (known.sorted && value !== null) {
    const behind = after === undefined ? none : behindPosition(columns, after);
    return [{ where: behind, order: join([...columns.flatMap(orderOf), raw("n.k")], ", ") }];
  }
  const behind = after === undefined ? none : behindPosition(rest, others as [...SortPosition]);
  const then = [...rest.flatMap(orderOf), raw("n.k")];
  const last = { where: sql`${first.column.sql} IS NULL`, order: join(then, ", ") };
  if (value === null) return [{ ...last, where: sql`${last.where} AND ${behind}` }];
  const order = join([...orderedBy(first.column).map((one) => sql`${one} ${raw(first.direction)}`), ...then], ", ");
  const present = known.present || first.column.kind === "key";
  // Ascending, the engine and its indexes have records without a value last too.
  if (value === undefined && first.direction === "asc") return [{ where: none, order }];
  if (value === undefined) {
    // A condition that is tested here may find such records in the database all the same, and the engine would give them first.
    const start = { where: sql`${first.column.sql} IS NOT NULL`, order };
    return present ? [start] : [start, last];
  }
  const [than, orEqual] = first.direction === "asc" ? ([">", ">="] as const) : (["<", "<="] as const);
  const beyond = sql`(${compared(first.column, than, value)} OR (${compared(first.column, "=", value)} AND ${behind}))`;
  const next = { where: sql`${compared(first.column, orEqual, value)} AND ${beyond}`, order };
  return present ? [next] : [next, last];
}

function orderOf({ column, direction }: SortColumn): Sql[] {
  return orderedBy(column).map((one) => sql`${one} ${raw(direction)} NULLS LAST`);
}

/** The condition for records after a position: they come after it in one key of the sort, and are equal in all keys before that. */
function behindPosition(columns: readonly SortColumn[], after: SortPosition): Sql {
  const [first, ...rest] = columns;
  const [value = null, ...others] = after;
  if (first === undefined) return sql`n.k > ${storedKey(String(value))}`;
  const inner = behindPosition(rest, others as [...SortPosition]);
  const name = first.column.sql;
  if (value === null) return sql`(${name} IS NULL AND ${inner})`;
  const than = compared(first.column, first.direction === "asc" ? ">" : "<", value);
  return sql`(${than} OR ${name} IS NULL OR (${compared(first.column, "=", value)} AND ${inner}))`;
}
