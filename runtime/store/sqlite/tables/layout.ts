import { createHash } from "node:crypto";
import type { SearchField, SearchType, StorePlan } from "../../../contract/index.ts";
import { pairsOf } from "../../pairs.ts";
import { relationFields } from "../../relations.ts";

/** A searchable field as it is stored. */
export interface Column {
  readonly field: string;
  readonly type: SearchType;
  /**
   * Where the value is stored: as the record's key, in a column of the narrow table, or in a column of the wide table. The values of a list
   * are stored as JSON in a column of the narrow table, and each of them in a table of its own; an empty list is NULL.
   */
  readonly kind: "key" | "narrow" | "list" | "wide";
  /** The quoted name of the column with the alias `n` of its table; for a column of the wide table, a subquery that reads it. */
  readonly sql: string;
  /** Name of the column with the folded text, with which patterns are compared. */
  readonly folded?: string;
  /** An index of the column and the key. Long texts and lists have none. */
  readonly index?: string;
  /** The table with a row for each value of a list, in the order of value and key. */
  readonly items?: string;
  readonly foldedIndex?: string;
  readonly words?: WordTables;
  /** Whether the field has only few values, because it is a boolean or an enumeration. */
  readonly few: boolean;
}

/** Tables for the words of one field: an index from words to records, and a vocabulary of all words. */
export interface WordTables {
  readonly field: string;
  readonly index: string;
  readonly vocabulary: string;
  /** Name of a temporary table of the words that the index has. */
  readonly indexed: string;
}

/** An index of two fields (`pairsOf`), which gives the records with one value of the first field in the order of the second one. */
export interface Composite {
  readonly fixed: string;
  readonly by: string;
  readonly name: string;
}

/**
 * The tables of one entity, derived from its plan. The values that are compared are in a narrow table with all indexes, so that a search
 * reads few pages. The records themselves are in a wide table, from which only the results are read.
 */
export interface Layout {
  readonly plan: StorePlan;
  /** A digest of everything that the tables depend on. */
  readonly version: string;
  readonly narrow: string;
  readonly wide: string;
  readonly keyIndex: string;
  /** The table of memberships: in which scopes, and below which parents, each record was found. */
  readonly members: string;
  /** Fields whose values come from the memberships of a record. */
  readonly relations: readonly string[];
  readonly columns: ReadonlyMap<string, Column>;
  readonly composites: readonly Composite[];
  /** Statements that make the tables, and the indexes that the writer needs. The other indexes can be made after the tables are filled. */
  readonly tables: readonly string[];
  readonly indexes: readonly { readonly name: string; readonly create: string }[];
}

/** Must be raised when stored columns change their meaning, or tables and indexes their names, so that older files are rebuilt. */
const layoutVersion = 1;

/**
 * Makes the layout of an entity. All names in the file begin with connector and entity. A colon follows in the names that every entity
 * has, a dot in the names that belong to a field. Therefore a field may have any name, such as `key` or `rowid`.
 */
export function layoutOf(connector: string, entity: string, plan: StorePlan): Layout {
  const prefix = `${connector}_${entity}`;
  const narrow = quoted(`${prefix}:find`);
  const wide = quoted(`${prefix}:record`);
  const fields = Object.entries(plan.fields);
  const columns = new Map(fields.map(([field, spec]) => [field, makeColumn(prefix, field, spec, plan)]));
  const composites = compositesOf(prefix, fields);
  const members = quoted(`${prefix}:member`);
  const relations = relationFields(plan);
  const all = [...columns.values()];
  const narrowColumns = all
    .filter(isInNarrow)
    .flatMap((column) => [
      `${quoted(columnName(column.field))} ${column.kind === "list" ? "TEXT" : sqlTypes[column.type]}`,
      ...(column.folded === undefined ? [] : [`${quoted(foldedName(column.field))} TEXT`]),
    ]);
  const wideColumns = all.filter(({ kind }) => kind === "wide").map((column) => `${quoted(columnName(column.field))} TEXT, `);
  return {
    plan,
    version: createHash("sha256").update(JSON.stringify({ layoutVersion, plan })).digest("hex").slice(0, 16),
    narrow,
    wide,
    keyIndex: quoted(`${prefix}:key`),
    members,
    relations,
    columns,
    composites,
    tables: [
      `CREATE TABLE ${narrow} (id INTEGER PRIMARY KEY, inst INTEGER NOT NULL, k TEXT NOT NULL, ${narrowColumns.map((one) => `${one}, `).join("")}members INTEGER NOT NULL)`,
      `CREATE TABLE ${members} (scope INTEGER NOT NULL, k TEXT NOT NULL, parent TEXT NOT NULL, id INTEGER NOT NULL, run INTEGER NOT NULL, relations TEXT, PRIMARY KEY (scope, k, parent)) WITHOUT ROWID`,
      `CREATE UNIQUE INDEX ${quoted(`${prefix}:key`)} ON ${narrow} (inst, k)`,
      ...(relations.length === 0 ? [] : [`CREATE INDEX ${quoted(`${prefix}:place`)} ON ${members} (id)`]),
      `CREATE TABLE ${wide} (id INTEGER PRIMARY KEY, found TEXT NOT NULL, ${wideColumns.join("")}more TEXT NOT NULL)`,
      ...all.flatMap(({ items }) =>
        items === undefined
          ? []
          : [
              `CREATE TABLE ${items} (inst INTEGER NOT NULL, v NOT NULL, k TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (inst, v, k)) WITHOUT ROWID`,
            ],
      ),
      ...all.flatMap(({ words }) =>
        words === undefined
          ? []
          : [
              // The indexed text is already a list of words, so the tokenizer only has to split it at spaces.
              `CREATE VIRTUAL TABLE ${words.index} USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
              `CREATE TABLE ${words.vocabulary} (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE)`,
            ],
      ),
    ],
    indexes: [
      ...all.flatMap((column) => [
        ...(column.index === undefined || column.kind === "key"
          ? []
          : [indexOn(column.index, narrow, [quoted(columnName(column.field))])]),
        ...(column.foldedIndex === undefined ? [] : [indexOn(column.foldedIndex, narrow, [quoted(foldedName(column.field))])]),
      ]),
      ...composites.map(({ name, fixed, by }) => indexOn(name, narrow, [quoted(columnName(fixed)), quoted(columnName(by))])),
    ],
  };
}

/**
 * The layout as it is while many records are loaded: without the indexes and the words, which are made when the last record is there.
 * Searches test every record then.
 */
export function bareLayout(layout: Layout): Layout {
  const columns = [...layout.columns].map(([field, { index, foldedIndex, words, ...column }]): [string, Column] => [
    field,
    column.kind === "key" && index !== undefined ? { ...column, index } : column,
  ]);
  return { ...layout, columns: new Map(columns), composites: [] };
}

const sqlTypes: Readonly<Record<SearchType, string>> = {
  string: "TEXT",
  integer: "INTEGER",
  number: "REAL",
  boolean: "INTEGER",
  timestamp: "INTEGER",
};

function makeColumn(prefix: string, field: string, spec: SearchField, plan: StorePlan): Column {
  const { type, index, values, nullable, list } = spec;
  const few = type === "boolean" || values !== undefined;
  const words = index === "exact" || type !== "string" ? undefined : wordTables(prefix, field);
  const withWords = words === undefined ? {} : { words };
  if (list !== undefined) {
    const items = quoted(`${prefix}.${field}:items`);
    return { field, type, kind: "list", few: false, sql: `n.${quoted(columnName(field))}`, items, ...withWords };
  }
  // A field that is the whole key needs no column of its own.
  if (plan.key.length === 1 && plan.key[0] === field && type === "string" && nullable === undefined)
    return { field, type, kind: "key", few: false, sql: "n.k", index: quoted(`${prefix}:key`), ...withWords };
  if (index === "text") return { field, type, kind: "wide", few: false, sql: wideColumn(prefix, field), ...withWords };
  const folded =
    index === "name" && type === "string"
      ? { folded: `n.${quoted(foldedName(field))}`, foldedIndex: quoted(`${prefix}.~${field}`) }
      : {};
  return {
    field,
    type,
    kind: "narrow",
    few,
    sql: `n.${quoted(columnName(field))}`,
    index: quoted(`${prefix}.${field}`),
    ...folded,
    ...withWords,
  };
}

/** A subquery is used, because a join would read the wide row of every record that is looked at. */
function wideColumn(prefix: string, field: string): string {
  return `(SELECT w.${quoted(columnName(field))} FROM ${quoted(`${prefix}:record`)} w WHERE w.id = n.id)`;
}

function wordTables(prefix: string, field: string): WordTables {
  const name = (end: string) => quoted(`${prefix}.${field}:${end}`);
  return { field, index: name("words"), vocabulary: name("vocabulary"), indexed: name("indexed") };
}

function compositesOf(prefix: string, fields: readonly [string, SearchField][]): Composite[] {
  return pairsOf(fields).map(({ fixed, by }) => ({ fixed, by, name: quoted(`${prefix}.${fixed}+${by}`) }));
}

function indexOn(name: string, table: string, columns: readonly string[]) {
  return { name, create: `CREATE INDEX ${name} ON ${table} (inst, ${columns.join(", ")}, k)` };
}

/** Whether a column is one of the narrow table. */
export function isInNarrow({ kind }: Column): boolean {
  return kind === "narrow" || kind === "list";
}

/**
 * Stands for an empty list in the table of its values, so that an index finds the empty ones too. It is of another type than the values, so
 * that it never equals one of them.
 */
export function emptyList({ type }: Pick<Column, "type">): string | number {
  return type === "string" ? 0 : "";
}

/** @throws Error for a field that is not searchable, which the caller must have checked */
export function columnNamed(layout: Layout, field: string): Column {
  const column = layout.columns.get(field);
  if (column === undefined) throw new Error(`"${field}" is not a searchable field`);
  return column;
}

/** The colon keeps columns of fields apart from those that every table has, such as `id`. */
export function columnName(field: string): string {
  return `:${field}`;
}

export function foldedName(field: string): string {
  return `~${field}`;
}

/** A name in SQL. Names come from specs, never from callers. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
