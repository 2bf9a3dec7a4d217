import type { Connector, StorePlan } from "../contract/index.ts";
import type { Table } from "./scope.ts";
import { type Type, typeOfField } from "./types.ts";

/** The column with the key of each record, which every table has. */
export const keyColumn = "key";
/**
 * Columns that say where syncs found a record: in which scopes, and below the records with which keys. `*` leaves them out, because they
 * are read from another table.
 */
export const placeColumns = ["scope", "parent"] as const;
/** A column of where a record was found. */
export type PlaceColumn = (typeof placeColumns)[number];

/**
 * The tables of a connector's cache: its entities, with their searchable fields as columns.
 *
 * @param readable the entities that the caller may read; undefined for all. There are no tables of the others
 */
export function tablesOf({ entities }: Connector, readable: ReadonlySet<string> | undefined): Table[] {
  return Object.entries(entities).flatMap(([entity, { store }]): Table[] => {
    return readable?.has(entity) === false ? [] : [tableOf(entity, store)];
  });
}

/** The table of one entity. */
export function tableOf(entity: string, { fields }: StorePlan): Table {
  const columns = Object.entries(fields).map(([name, field]): [string, Type] => [name, typeOfField(field)]);
  // A field of one of these names is the column.
  const own: [string, Type][] = Object.hasOwn(fields, keyColumn) ? [] : [[keyColumn, "text"]];
  const hidden = placeColumns.filter((name) => !Object.hasOwn(fields, name));
  const places = hidden.map((name): [string, Type] => [name, "text[]"]);
  return { entity, columns: Object.fromEntries([...own, ...columns, ...places]), hidden };
}
