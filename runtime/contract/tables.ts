import type { SearchField, SearchType, StorePlan } from "./store.ts";

// What SQL sees of a connector: a table for each entity, with its searchable fields as columns.

/** The types of single values. A timestamp is in milliseconds since 1970, an interval in milliseconds; both are numbers in the engines. */
export type SqlScalar = "text" | "integer" | "number" | "boolean" | "timestamp" | "interval";

/** The type of a column. */
export type ColumnType = SqlScalar | `${SqlScalar}[]`;

const scalars: Readonly<Record<SearchType, SqlScalar>> = {
  string: "text",
  integer: "integer",
  number: "number",
  boolean: "boolean",
  timestamp: "timestamp",
};

/** The type of a searchable field as a column. */
export function columnType({ type, list }: Pick<SearchField, "type" | "list">): ColumnType {
  return list === undefined ? scalars[type] : `${scalars[type]}[]`;
}

/** A table that a statement may read: an entity, with its columns. */
export interface Table {
  readonly entity: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The columns that `*` leaves out. */
  readonly hidden: readonly string[];
  /** The columns of texts that are searched by their words. */
  readonly searched: readonly string[];
}

/** The column with the key of each record, which every table has. */
export const keyColumn = "key";
/**
 * Columns that say where syncs found a record: in which scopes, and below the records with which keys. `*` leaves them out, because they
 * are read from another table.
 */
export const membershipColumns = ["scope", "parent"] as const;
/** A column of where a record was found. */
export type MembershipColumn = (typeof membershipColumns)[number];

interface Tabled {
  readonly entities: Readonly<Record<string, { readonly store: Pick<StorePlan, "fields">; readonly sync: readonly unknown[] }>>;
}

/**
 * The tables of a connector's cache: the entities that are synced, with their searchable fields as columns.
 *
 * @param isReadable whether the caller may read an entity. There are no tables of the others
 */
export function tablesOf({ entities }: Tabled, isReadable: (entity: string) => boolean = () => true): Table[] {
  return Object.entries(entities).flatMap(([entity, { store, sync }]) =>
    sync.length > 0 && isReadable(entity) ? [tableOf(entity, store)] : [],
  );
}

/** The table of one entity. */
export function tableOf(entity: string, { fields }: Pick<StorePlan, "fields">): Table {
  const columns = Object.entries(fields).map(([name, field]): [string, ColumnType] => [name, columnType(field)]);
  // A field of one of these names is the column.
  const own: [string, ColumnType][] = Object.hasOwn(fields, keyColumn) ? [] : [[keyColumn, "text"]];
  const hidden = membershipColumns.filter((name) => !Object.hasOwn(fields, name));
  const memberships = hidden.map((name): [string, ColumnType] => [name, "text[]"]);
  const searched = Object.entries(fields).flatMap(([name, { type, index, list }]) =>
    type === "string" && index !== "exact" && list === undefined ? [name] : [],
  );
  return { entity, columns: Object.fromEntries([...own, ...columns, ...memberships]), hidden, searched };
}

/** A table that another one joins with. */
export interface Relation {
  readonly table: string;
  /** The condition of the join, in SQL. */
  readonly on: string;
}
