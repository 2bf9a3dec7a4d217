import type { SyncPlan } from "../contract/index.ts";
import { instantOf, type RecordObject } from "../search/index.ts";

// How far a list has to be read whose records come in the order of their last change, or behind a head that tells whether it was rewritten.

/**
 * The newest value of the cursor field in the records, or the head of a list that has one.
 *
 * @param before what the pages before gave
 */
export function newestOf(
  { cursor, head }: SyncPlan,
  records: readonly RecordObject[],
  before: string | undefined,
): string | undefined {
  let newest = head === undefined ? before : (before ?? textOf(records[0]?.[head]));
  if (cursor === undefined) return newest;
  for (const record of records) {
    const value = textOf(record[cursor.field]);
    if (value !== undefined && (newest === undefined || (instantOf(value) ?? 0) > (instantOf(newest) ?? 0))) newest = value;
  }
  return newest;
}

/** Whether all records behind these are known, because these are older than the newest one that is known. */
export function isKnown({ cursor }: SyncPlan, records: readonly RecordObject[], newest: string | null | undefined): boolean {
  const until = instantOf(newest ?? "");
  if (cursor === undefined || until === undefined) return false;
  const last = instantOf(String(records.at(-1)?.[cursor.field]));
  return last !== undefined && last < until - cursor.overlap * 1000;
}

/** Whether the records have a known head, so that the list was not rewritten since. */
export function hasHead({ head }: SyncPlan, records: readonly RecordObject[], known: string | null): boolean {
  return head !== undefined && known !== null && records.some((record) => record[head] === known);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
