import { createHash } from "node:crypto";
import type { SearchField, SearchType, StorePlan } from "../../contract/index.ts";

/** A searchable field as it is stored. */
export interface Column {
  readonly field: string;
  readonly type: SearchType;
  /** Where the value is stored: as the record's key, in a column of the narrow table, or in a column of the wide table. */
  readonly kind: "key" | "narrow" | "wide";
  /** The quoted name of the column with the alias `n` of its table; for a column of the wide table, a subquery that reads it. */
  readonly sql: string;
  /** Name of the column with the folded text, with which patterns are compared. */
  readonly folded?: string;
  /** An index of the column and the key. Long texts have none. */
  readonly index?: string;
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
}

/** An index of an enumeration followed by a timestamp. It answers "the open ones, latest first" without sorting. */
export interface Composite {
  readonly few: string;
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
  /** Index of the records of a scope by key, so that a sync reads no records of other scopes. */
  readonly scopeIndex: string;
  readonly columns: ReadonlyMap<string, Column>;
  readonly composites: readonly Composite[];
  /** Statements that make the tables. The indexes are separate, because they can be made after the tables are filled. */
  readonly tables: readonly string[];
  readonly indexes: readonly { readonly name: string; readonly create: string }[];
}

/** Must be raised when stored columns change their meaning, or tables and indexes their names, so that older files are rebuilt. */
const layoutVersion = 3;

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
  const all = [...columns.values()];
  const narrowColumns = all
    .filter(({ kind }) => kind === "narrow")
    .flatMap((column) => [
      `${quoted(columnName(column.field))} ${sqlTypes[column.type]}`,
      ...(column.folded === undefined ? [] : [`${quoted(foldedName(column.field))} TEXT`]),
    ]);
  const wideColumns = all.filter(({ kind }) => kind === "wide").map((column) => `${quoted(columnName(column.field))} TEXT, `);
  return {
    plan,
    version: createHash("sha256")
      .update(JSON.stringify([layoutVersion, plan]))
      .digest("hex")
      .slice(0, 16),
    narrow,
    wide,
    keyIndex: quoted(`${prefix}:key`),
    scopeIndex: quoted(`${prefix}:scope`),
    columns,
    composites,
    tables: [
      `CREATE TABLE ${narrow} (id INTEGER PRIMARY KEY, inst INTEGER NOT NULL, k TEXT NOT NULL, ${narrowColumns.map((one) => `${one}, `).join("")}scope INTEGER NOT NULL, parent TEXT, pass INTEGER NOT NULL)`,
      `CREATE UNIQUE INDEX ${quoted(`${prefix}:key`)} ON ${narrow} (inst, k)`,
      `CREATE TABLE ${wide} (id INTEGER PRIMARY KEY, found TEXT NOT NULL, ${wideColumns.join("")}more TEXT NOT NULL)`,
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
      {
        name: quoted(`${prefix}:scope`),
        create: `CREATE INDEX ${quoted(`${prefix}:scope`)} ON ${narrow} (scope, k)`,
      },
      ...composites.map(({ name, few, by }) => indexOn(name, narrow, [quoted(columnName(few)), quoted(columnName(by))])),
    ],
  };
}

const sqlTypes: Readonly<Record<SearchType, string>> = {
  string: "TEXT",
  integer: "INTEGER",
  number: "REAL",
  boolean: "INTEGER",
  timestamp: "INTEGER",
};

function makeColumn(prefix: string, field: string, { type, index, values, nullable }: SearchField, plan: StorePlan): Column {
  const few = type === "boolean" || values !== undefined;
  const words = index === "exact" || type !== "string" ? undefined : wordTables(prefix, field);
  const withWords = words === undefined ? {} : { words };
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
  return { field, index: quoted(`${prefix}.${field}:words`), vocabulary: quoted(`${prefix}.${field}:vocabulary`) };
}

function compositesOf(prefix: string, fields: readonly [string, SearchField][]): Composite[] {
  const few = fields.filter(([, { values }]) => values !== undefined);
  const then = fields.filter(([, { type, nullable }]) => type === "timestamp" && nullable === undefined);
  return few.flatMap(([one]) => then.map(([other]) => ({ few: one, by: other, name: quoted(`${prefix}.${one}+${other}`) })));
}

function indexOn(name: string, table: string, columns: readonly string[]) {
  return { name, create: `CREATE INDEX ${name} ON ${table} (inst, ${columns.join(", ")}, k)` };
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
