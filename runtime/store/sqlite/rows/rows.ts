import { wellFormed } from "../../../base/well-formed.ts";
import type { SearchField } from "../../../contract/index.ts";
import { type Comparable, comparedValue, fold, keyText, type RecordObject, testedValues } from "../../../search/index.ts";
import type { SqliteValue } from "../../../sqlite/index.ts";
import { type Column, columnName, emptyList, foldedName, isInNarrow, type Layout } from "../tables/layout.ts";

/** A record in the form in which the tables store it. */
export interface Row {
  readonly key: string;
  /** `found`: JSON of the searchable fields without the long texts. `more`: JSON of all other fields. */
  readonly found: string;
  readonly more: string;
  /** What these two texts were made from. */
  readonly values: { readonly found: RecordObject; readonly more: RecordObject };
  /** Values of the narrow table's columns, by name. */
  readonly narrow: Readonly<Record<string, SqliteValue>>;
  /** Long texts. */
  readonly wide: Readonly<Record<string, SqliteValue>>;
}

export function rowOf(layout: Layout, given: RecordObject): Row {
  const record = wellFormed(given);
  const narrow: Record<string, SqliteValue> = {};
  const wide: Record<string, SqliteValue> = {};
  const found: Record<string, unknown> = {};
  for (const [field, column] of layout.columns) {
    const value = sqlValue(layout.plan.fields[field], record[field]);
    if (column.kind === "wide") wide[columnName(field)] = value;
    else found[field] = record[field] ?? null;
    if (isInNarrow(column)) narrow[columnName(field)] = value;
    if (column.folded !== undefined) narrow[foldedName(field)] = typeof value === "string" ? fold(value) : null;
  }
  // A long text has a column of its own. What is no text has no place there.
  const isOdd = (name: string) => wide[columnName(name)] === null && record[name] !== null && record[name] !== undefined;
  const inMore = (name: string) => (layout.columns.get(name)?.kind === "wide" ? isOdd(name) : !layout.columns.has(name));
  const more = Object.fromEntries(Object.entries(record).filter(([name]) => inMore(name)));
  const values = { found, more };
  return { key: keyText(layout.plan, record), found: JSON.stringify(found), more: JSON.stringify(more), values, narrow, wide };
}

/**
 * A value as SQLite compares it: texts by UTF-8 bytes, which is the order of code points; instants and booleans as integers. The values of
 * a list as JSON, or null for an empty list.
 */
function sqlValue(field: SearchField | undefined, value: unknown): SqliteValue {
  if (field?.list === undefined) return sqlOperand(comparedValue(field?.type ?? "string", value));
  const values = testedValues(field, value).filter((one) => one !== null);
  return values.length === 0 ? null : JSON.stringify(values.map(sqlOperand));
}

/** A value as SQLite stores it: booleans are integers. */
export function sqlOperand(value: Comparable): SqliteValue {
  return typeof value === "boolean" ? Number(value) : value;
}

/** The value that a column stores: booleans are stored as integers. */
export function givenValue({ type }: Column, stored: SqliteValue = null): Comparable {
  return type === "boolean" && stored !== null ? stored === 1 : stored;
}

/** The values of a list from its column of the narrow table. */
export function listValues(stored: unknown): readonly (string | number)[] {
  return typeof stored === "string" ? (JSON.parse(stored) as (string | number)[]) : [];
}

/** The rows that a list has in the table of its values, from its column of the narrow table. */
export function itemsOf(column: Column, stored: SqliteValue | undefined): readonly (string | number)[] {
  return typeof stored === "string" ? listValues(stored) : [emptyList(column)];
}

/**
 * Makes the record of a stored row: first the searchable fields, then the others.
 *
 * @param texts the long texts, of the fields that `wide` names
 */
export function recordOf(
  layout: Layout,
  found: string,
  texts: readonly SqliteValue[],
  more: string,
  wide: readonly string[] = wideFields(layout),
): Record<string, unknown> {
  const record = JSON.parse(found) as Record<string, unknown>;
  for (const [index, field] of wide.entries()) record[field] = texts[index] ?? null;
  return Object.assign(record, JSON.parse(more));
}

export function wideFields(layout: Layout): string[] {
  return [...layout.columns.values()].filter(({ kind }) => kind === "wide").map(({ field }) => field);
}
