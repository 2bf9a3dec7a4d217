import type { StorePlan } from "../contract/index.ts";
import type { RecordObject } from "../search/index.ts";

/** Values that a record has only because it was found in one place, by the names of the relation fields. */
export type Relations = Readonly<Record<string, readonly unknown[]>>;

/** The fields of an entity whose values come from the places in which a record was found. */
export function relationFields({ fields }: StorePlan): string[] {
  return Object.entries(fields).flatMap(([field, { list }]) => (list?.relation === undefined ? [] : [field]));
}

/** What a record has only because of the place where it was found; undefined where the entity has no relation fields. */
export function relationsOf(record: RecordObject, fields: readonly string[]): Relations | undefined {
  const values = (field: string) => (Array.isArray(record[field]) ? (record[field] as unknown[]) : []);
  return fields.length === 0 ? undefined : Object.fromEntries(fields.map((field) => [field, values(field)]));
}

/** The values of the relation fields from all places where a record was found: each once, in the order of the values. */
export function joinedRelations(places: readonly Relations[], fields: readonly string[]): Record<string, unknown[]> {
  const union = (field: string) => [...new Set(places.flatMap((one) => one[field] ?? []))].sort();
  return Object.fromEntries(fields.map((field) => [field, union(field)]));
}
