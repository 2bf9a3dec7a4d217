import type { SearchField } from "../../contract/index.ts";
import { comparedValue, fold, keyText, type RecordObject } from "../../search/index.ts";
import { columnName, foldedName, type Layout } from "./layout.ts";
import type { SqlValue } from "./sql.ts";

/** A record in the form in which the tables store it. */
export interface Row {
  readonly key: string;
  /** `found`: JSON of the searchable fields without the long texts. `more`: JSON of all other fields. */
  readonly found: string;
  readonly more: string;
  /** Values of the narrow table's columns, by name. */
  readonly narrow: Readonly<Record<string, SqlValue>>;
  /** Long texts. */
  readonly wide: Readonly<Record<string, SqlValue>>;
}

export function rowOf(layout: Layout, given: RecordObject): Row {
  const record = wellFormed(given);
  const narrow: Record<string, SqlValue> = {};
  const wide: Record<string, SqlValue> = {};
  const found: Record<string, unknown> = {};
  for (const [field, column] of layout.columns) {
    const value = sqlValue(layout.plan.fields[field], record[field]);
    if (column.kind === "wide") wide[columnName(field)] = value;
    else found[field] = record[field] ?? null;
    if (column.kind === "narrow") narrow[columnName(field)] = value;
    if (column.folded !== undefined) narrow[foldedName(field)] = typeof value === "string" ? fold(value) : null;
  }
  const more = Object.fromEntries(Object.entries(record).filter(([name]) => !layout.columns.has(name)));
  return { key: keyText(layout.plan, record), found: JSON.stringify(found), more: JSON.stringify(more), narrow, wide };
}

/** A value as SQLite compares it: texts by UTF-8 bytes, which is the order of code points; instants and booleans as integers. */
function sqlValue(field: SearchField | undefined, value: unknown): SqlValue {
  const compared = comparedValue(field?.type ?? "string", value);
  return typeof compared === "boolean" ? Number(compared) : compared;
}

/** Makes the record of a stored row: first the searchable fields, then the others. */
export function recordOf(layout: Layout, found: string, texts: readonly SqlValue[], more: string): Record<string, unknown> {
  const record = JSON.parse(found) as Record<string, unknown>;
  for (const [index, field] of wideFields(layout).entries()) record[field] = texts[index] ?? null;
  return Object.assign(record, JSON.parse(more));
}

export function wideFields(layout: Layout): string[] {
  return [...layout.columns.values()].filter(({ kind }) => kind === "wide").map(({ field }) => field);
}

/** Replaces half surrogate pairs, which UTF-8 cannot store, by U+FFFD in columns and JSON alike, so that search and answer agree. */
function wellFormed<Value>(value: Value): Value {
  if (isWellFormed(value)) return value;
  return JSON.parse(JSON.stringify(value), (_key, one: unknown) => (typeof one === "string" ? one.toWellFormed() : one)) as Value;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Array.isArray(value) ? value.every(isWellFormed) : Object.values(value).every(isWellFormed);
}
