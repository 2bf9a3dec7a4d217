import type { Json, StoredRecord } from "./platform-file.ts";
import type { DescribedWorld } from "./rest-routes.ts";

/** Finds the record that a value names by its id. */
export type Lookup = (id: Json | undefined) => StoredRecord | undefined;

const comparisons: Readonly<Record<string, (value: Json, wanted: Json) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  neq: (value, wanted) => value !== wanted,
  in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  nin: (value, wanted) => Array.isArray(wanted) && !wanted.includes(value),
  gt: (value, wanted) => isOrdered(value) && isOrdered(wanted) && value > wanted,
  gte: (value, wanted) => isOrdered(value) && isOrdered(wanted) && value >= wanted,
  lt: (value, wanted) => isOrdered(value) && isOrdered(wanted) && value < wanted,
  lte: (value, wanted) => isOrdered(value) && isOrdered(wanted) && value <= wanted,
  null: (value, wanted) => (value === null || value === undefined) === wanted,
  contains: (value, wanted) => String(value).includes(String(wanted)),
  containsIgnoreCase: (value, wanted) => String(value).toLowerCase().includes(String(wanted).toLowerCase()),
};

function isOrdered(value: Json): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** Whether a record fulfils a filter: comparisons of its fields, filters of the records that its fields name, `and` and `or`. */
export function fulfils(record: StoredRecord, filter: Json, find: Lookup): boolean {
  if (typeof filter !== "object" || filter === null || Array.isArray(filter)) return true;
  return Object.entries(filter).every(([key, wanted]) => {
    if (wanted === null) return true;
    if (key === "and" || key === "or") {
      const each = (Array.isArray(wanted) ? wanted : [wanted]).map((one) => fulfils(record, one, find));
      return key === "and" ? each.every(Boolean) : each.some(Boolean);
    }
    const value = record[key] ?? null;
    if (typeof wanted !== "object" || Array.isArray(wanted)) return value === wanted;
    const operators = Object.keys(wanted).filter((one) => Object.hasOwn(comparisons, one));
    if (operators.length === Object.keys(wanted).length)
      return operators.every((one) => comparisons[one]?.(value, wanted[one] ?? null));
    const other = find(value);
    return other !== undefined && fulfils(other, wanted, find);
  });
}

/** A lookup in all collections: ids are unique within a platform. */
export function lookupIn({ records }: DescribedWorld): Lookup {
  return (id) => {
    if (typeof id !== "string") return undefined;
    for (const all of Object.values(records)) {
      const found = all.find((one) => one["id"] === id);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
