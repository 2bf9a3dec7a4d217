import { createHash } from "node:crypto";
import type { StorePlan } from "../contract/index.ts";
import type { Condition, SortKey } from "./condition.ts";
import { compareRecords, interpret, keyText, type RecordObject } from "./interpret.ts";
import { type Comparable, comparedValue, compareTexts, compareValues } from "./value.ts";

/** The position of a record in the order of a sort: the record's values of the sort's fields, then its key. */
export type SortPosition = readonly [...Comparable[], string];

/** A search of the records of one entity. */
export interface SearchQuery {
  /** Without a filter all records are found. */
  readonly filter?: Condition;
  readonly sort: readonly SortKey[];
  readonly limit: number;
  /** Only records after this position are found. */
  readonly after?: SortPosition;
}

/** The reference meaning of a whole query. It gives the records found, in order, and whether there are more. */
export function interpretQuery(
  records: readonly RecordObject[],
  { filter, sort, limit, after }: SearchQuery,
  plan: StorePlan,
): { records: RecordObject[]; more: boolean } {
  const holds = filter === undefined ? () => true : interpret(filter, plan.fields);
  const found = records
    .filter(holds)
    .filter((record) => after === undefined || comparePositions(positionOf(record, sort, plan), after, sort) > 0)
    .sort(compareRecords(sort, plan));
  return { records: found.slice(0, limit), more: found.length > limit };
}

/** Records that have the same values in some fields, and how many there are. The values stand in the order of the fields. */
export interface Group {
  readonly values: readonly Comparable[];
  readonly count: number;
}

/** The reference meaning of groups: those of the records found, the largest first, groups of one size by their values. */
export function interpretGroups(
  records: readonly RecordObject[],
  { filter, by }: { readonly filter?: Condition; readonly by: readonly string[] },
  plan: StorePlan,
): Group[] {
  const holds = filter === undefined ? () => true : interpret(filter, plan.fields);
  const groups = new Map<string, Group>();
  for (const record of records.filter(holds)) {
    const values = by.map((field) => comparedValue(plan.fields[field]?.type ?? "string", record[field]));
    const key = JSON.stringify(values);
    groups.set(key, { values, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()].sort(compareGroups);
}

/** The largest group is first. Groups of one size are in the order of their values, in which null is last. */
export function compareGroups(a: Group, b: Group): number {
  if (a.count !== b.count) return b.count - a.count;
  for (const [index, value] of a.values.entries()) {
    const other = b.values[index] ?? null;
    if (value === other) continue;
    if (value === null || other === null) return value === null ? 1 : -1;
    return compareValues(value, other);
  }
  return 0;
}

export function positionOf(record: RecordObject, sort: readonly SortKey[], plan: StorePlan): SortPosition {
  const values = sort.map(({ field }) => comparedValue(plan.fields[field]?.type ?? "string", record[field]));
  return [...values, keyText(plan, record)];
}

function comparePositions(a: SortPosition, b: SortPosition, sort: readonly SortKey[]): number {
  for (const [index, { direction }] of sort.entries()) {
    const one = a[index] ?? null;
    const other = b[index] ?? null;
    if (one === other) continue;
    if (one === null || other === null) return one === null ? 1 : -1;
    return compareValues(one, other) * (direction === "asc" ? 1 : -1);
  }
  return compareTexts(String(a.at(-1)), String(b.at(-1)));
}

/** A digest of entity, filter and sort, to which a cursor is bound. It is the same for every way of writing them. */
export function digestOf(entity: string, { filter, sort }: Pick<SearchQuery, "filter" | "sort">): string {
  return hash([entity, filter === undefined ? null : digestOfCondition(filter), sort]).slice(0, 16);
}

/** Sorts joined conditions, because members of a JSON object have no order and must give the same digest. */
function digestOfCondition(condition: Condition): string {
  switch (condition.kind) {
    case "not":
      return hash(["not", digestOfCondition(condition.condition)]);
    case "and":
    case "or":
      return hash([condition.kind, ...condition.conditions.map(digestOfCondition).sort()]);
    case "test":
      return hash([condition.operator, condition.field, condition.operand]);
  }
}

function hash(value: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}

/** Makes a cursor, which is an opaque text for a position. It contains only values of a record that the caller has received. */
export function writeCursor(entity: string, query: Pick<SearchQuery, "filter" | "sort">, position: SortPosition): string {
  return Buffer.from(JSON.stringify([digestOf(entity, query), ...position])).toString("base64url");
}

/** Reads the position from a cursor; undefined when the cursor was not made for this query. */
export function readCursor(
  entity: string,
  query: Pick<SearchQuery, "filter" | "sort">,
  plan: StorePlan,
  cursor: string,
): SortPosition | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== query.sort.length + 2) return undefined;
  const [digest, ...position] = parts as unknown[];
  const key = position.at(-1);
  const fits = query.sort.every(({ field }, index) => {
    const value = position[index];
    const type = plan.fields[field]?.type;
    return value === null || typeof value === (type === "integer" || type === "timestamp" ? "number" : type);
  });
  return fits && typeof key === "string" && digest === digestOf(entity, query)
    ? (position as Comparable[] as [...Comparable[], string])
    : undefined;
}
