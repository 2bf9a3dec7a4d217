import type { SyncPlan } from "../contract/index.ts";
import { instantOf, type RecordObject } from "../search/index.ts";

// How far a list has to be read whose records come in the order of their last change, or behind a newest known record that tells whether it
// was rewritten.

/**
 * The newest value of the cursor field in the records, or what names the first record of a list that is read down to its newest known
 * record.
 *
 * @param before what the pages before gave
 * @param now in milliseconds since 1970. A value after it does not count: all that is changed until then would be taken for known.
 */
export function newestOf(
  { cursor, newestKnown }: SyncPlan,
  records: readonly RecordObject[],
  before: string | undefined,
  now: number,
): string | undefined {
  let newest = newestKnown === undefined ? before : (before ?? textOf(records[0]?.[newestKnown]));
  if (cursor === undefined) return newest;
  for (const record of records) {
    const value = textOf(record[cursor.field]);
    const at = instantOf(value ?? "");
    if (at !== undefined && at <= now && at > (instantOf(newest ?? "") ?? Number.NEGATIVE_INFINITY)) newest = value;
  }
  return newest;
}

/**
 * Whether all records behind these are known, because these are older than the newest one that is known. Records that do not come newest
 * first say nothing of those behind them: the platform has not ordered the list as requested.
 */
export function isKnown({ cursor }: SyncPlan, records: readonly RecordObject[], newest: string | null | undefined): boolean {
  const until = instantOf(newest ?? "");
  if (cursor === undefined || until === undefined) return false;
  const times = records.map((record) => instantOf(String(record[cursor.field])));
  const last = times.at(-1);
  const ordered = times.every((time, index) => (time ?? Number.NaN) <= (times[index - 1] ?? Number.POSITIVE_INFINITY));
  return last !== undefined && ordered && last < until - cursor.overlap * 1000;
}

/** Whether the records include the newest known record, so that the list was not rewritten since. */
export function hasNewestKnown({ newestKnown }: SyncPlan, records: readonly RecordObject[], known: string | null): boolean {
  return newestKnown !== undefined && known !== null && records.some((record) => record[newestKnown] === known);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
