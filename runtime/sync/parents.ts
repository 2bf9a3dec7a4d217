import picomatch from "picomatch";
import type { Operation, SyncEach } from "../contract/index.ts";
import { instantOf, type RecordObject } from "../search/index.ts";

/** Makes a test of whether a parent may have children. Its own fields may tell that it has none. */
export function parentFilter({ where = {}, unless = {}, atMost = {}, paths }: SyncEach): (record: RecordObject) => boolean {
  const isIncluded = pathFilter(paths);
  return (record) =>
    Object.entries(where).every(([field, value]) => record[field] === value) &&
    Object.entries(unless).every(([field, value]) => record[field] !== value) &&
    Object.entries(atMost).every(([field, value]) => Number(record[field] ?? 0) <= value) &&
    isIncluded(record);
}

function pathFilter(paths: SyncEach["paths"]): (record: RecordObject) => boolean {
  if (paths === undefined) return () => true;
  const isIncluded = picomatch([...paths.include], { dot: true, ignore: [...paths.exclude] });
  return (record) => isIncluded(String(record[paths.field] ?? ""));
}

/**
 * The marker of a parent: the value of its `changed` field, which changes whenever its children may have changed. Null without such a
 * field.
 */
export function markerOf({ changed }: SyncEach, record: RecordObject): string | null {
  const value = changed === undefined ? null : record[changed];
  return value === null || value === undefined ? null : String(value);
}

/** Milliseconds within which two changes may have the same time, because a platform counts seconds and its clocks differ. */
export const sameTime = 60_000;

/**
 * The marker to keep when the children of a parent have just been read. A parent that changed a moment ago may change again and have
 * the same marker afterwards. It gets an empty marker, which equals no other one, so that the next sync reads its children once more.
 */
export function markerToKeep(marker: string | null): string | null {
  const changed = instantOf(marker ?? "");
  return changed !== undefined && changed > Date.now() - sameTime ? "" : marker;
}

/** The parameters of an action that a parent's fields give. */
export function parentParams({ params }: SyncEach, record: RecordObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([param, field]) => [param, record[field]]));
}

/**
 * The place of a parent in the answers of an operation that reads what belongs to it: response keys down to the record that the
 * parent's parameters name. That is the key before the list, or the record itself where one record is read.
 *
 * Undefined where an answer cannot tell whether the parent is gone or all of its scope: a REST API answers 404 in both cases, and a
 * GraphQL answer with nothing above the parent's key says nothing of the scope.
 */
export function parentPath(operation: Operation): readonly string[] | undefined {
  switch (operation.kind) {
    case "rest":
    case "graphql-write":
      return undefined;
    case "graphql-get":
      return operation.path.length > 1 ? operation.path : undefined;
    case "graphql-list":
      return operation.path.length > 2 ? operation.path.slice(0, -1) : undefined;
  }
}
