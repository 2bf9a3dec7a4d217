import type { SortKey, SortPosition } from "../../../search/index.ts";
import { raw, type Sql, sql } from "../../../sql/index.ts";
import type { SqliteValue, Statements } from "../../../sqlite/index.ts";
import { givenValue, sqlOperand } from "../rows/rows.ts";
import { type Column, columnNamed, type Layout } from "../tables/layout.ts";
import { unplanned } from "../tables/unplanned.ts";

// The order of records in SQL, and positions in this order.

export interface SortColumn {
  readonly column: Column;
  readonly direction: SortKey["direction"];
}

export function sortColumns(layout: Layout, sort: readonly SortKey[]): SortColumn[] {
  return sort.map(({ field, direction }) => ({ column: columnNamed(layout, field), direction }));
}

/** The order by one column. Records without a value are last in both directions. */
export function orderOf({ column, direction }: SortColumn): Sql[] {
  return [raw(`${column.sql} IS NULL`), raw(`${column.sql} ${direction === "asc" ? "ASC" : "DESC"}`)];
}

/** The condition for records after a position: they come after it in one key of the sort, and are equal in all keys before that. */
export function behindPosition(columns: readonly SortColumn[], after: SortPosition): Sql {
  const [first, ...rest] = columns;
  const [value = null, ...others] = after;
  if (first === undefined) return sql`n.k > ${sqlOperand(value)}`;
  const name = raw(first.column.sql);
  const inner = behindPosition(rest, others as [...SortPosition]);
  if (value === null) return sql`(${name} IS NULL AND ${inner})`;
  const than = raw(first.direction === "asc" ? ">" : "<");
  const operand = sqlOperand(value);
  return sql`(${name} ${than} ${operand} OR ${name} IS NULL OR (${name} = ${unplanned(operand)} AND ${inner}))`;
}

interface Phase {
  readonly where: readonly Sql[];
  readonly order: readonly Sql[];
}

/**
 * The parts of a walk. An index can start each of them at any place: first the remaining records with the position's value, then those
 * with later values, then those without a value.
 */
export function phases(first: SortColumn | undefined, rest: readonly SortColumn[], after: SortPosition | undefined): Phase[] {
  if (first === undefined) return [{ where: after === undefined ? [] : [sql`n.k > ${sqlOperand(after[0])}`], order: [] }];
  const name = raw(first.column.sql);
  const inner = rest.flatMap(orderOf);
  const order = [raw(`${first.column.sql} ${first.direction === "asc" ? "ASC" : "DESC"}`), ...inner];
  const behind = after === undefined ? undefined : behindPosition(rest, withoutFirst(after) as [...SortPosition]);
  const [value] = after ?? [];
  const last: Phase = { where: [sql`${name} IS NULL`], order: inner };
  if (behind === undefined || value === undefined) return [{ where: [sql`${name} IS NOT NULL`], order }, last];
  if (value === null) return [{ where: [sql`${name} IS NULL`, behind], order: inner }];
  const operand = sqlOperand(value);
  const than = raw(first.direction === "asc" ? ">" : "<");
  return [
    { where: [sql`${name} = ${unplanned(operand)}`, behind], order: inner },
    { where: [sql`${name} ${than} ${operand}`], order },
    last,
  ];
}

export function withoutFirst(after: SortPosition | undefined): SortPosition | undefined {
  return after === undefined ? undefined : (after.slice(1) as [...SortPosition]);
}

/** The position of a stored record. @param id of a record that is stored */
export function positionOf(statements: Statements, layout: Layout, id: number, columns: readonly SortColumn[]): SortPosition {
  const names = [...columns.map(({ column }) => column.sql), "n.k"];
  const row = statements
    .get(`SELECT ${names.join(", ")} FROM ${layout.narrow} n WHERE n.id = ?`)
    .raw()
    .get(id) as SqliteValue[];
  return [...columns.map(({ column }, index) => givenValue(column, row[index])), String(row.at(-1))];
}
