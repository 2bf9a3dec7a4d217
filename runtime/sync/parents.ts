import picomatch from "picomatch";
import type { SyncEach } from "../contract/index.ts";
import { instantOf, type RecordObject } from "../search/index.ts";

/** Whether something is to be read for a record: its fields say that there may be something. */
export function parentFilter({ where = {}, unless = {}, atMost = {}, paths }: SyncEach): (record: RecordObject) => boolean {
  const included = paths === undefined ? () => true : picomatch([...paths.include], { dot: true, ignore: [...paths.exclude] });
  return (record) =>
    Object.entries(where).every(([field, value]) => record[field] === value) &&
    Object.entries(unless).every(([field, value]) => record[field] !== value) &&
    Object.entries(atMost).every(([field, value]) => Number(record[field] ?? 0) <= value) &&
    (paths === undefined || included(String(record[paths.field] ?? "")));
}

/** What a record says of itself that changes whenever the reading may give something else. */
export function markOf({ changed }: SyncEach, record: RecordObject): string | null {
  const value = changed === undefined ? null : record[changed];
  return value === null || value === undefined ? null : String(value);
}

/** For how long after a change another one may bear the same time, because a platform counts seconds and its clocks differ; milliseconds. */
const sameTime = 60_000;

/**
 * The mark to keep of a reading that has just been made. A record that changed only now may change again without another mark: it
 * gets one that nothing equals, so that it is read once more.
 */
export function settled(mark: string | null): string | null {
  const changed = instantOf(mark ?? "");
  return changed !== undefined && changed > Date.now() - sameTime ? "" : mark;
}

/** Parameters that a record gives. */
export function parentParams({ params }: SyncEach, record: RecordObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([param, field]) => [param, record[field]]));
}
