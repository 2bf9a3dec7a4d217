import { createHash } from "node:crypto";
import type { SearchField, SearchType, StorePlan } from "../../../contract/index.ts";
import type { ArrayType } from "../../../postgres/index.ts";
import { raw, type Sql } from "../../../sql/index.ts";
import { entityName } from "../../catalogue.ts";
import { pairsOf } from "../../pairs.ts";
import { relationFields } from "../../relations.ts";

/** A searchable field as it is stored. */
export interface Column {
  readonly field: string;
  readonly type: SearchType;
  /**
   * Where the value is stored: as the record's key, in an indexed column, in a column for long texts, or, for a list, as the tokens of its
   * values in an array.
   */
  readonly kind: "key" | "narrow" | "list" | "wide";
  /** The quoted name of the column. */
  readonly name: string;
  /** The column as a part of a statement in which the records are `n`. */
  readonly sql: Sql;
  /** The type of the column in PostgreSQL. */
  readonly sqlType: string;
  /** The quoted name of the column with the folded text, with which beginnings of patterns are compared. */
  readonly folded?: string;
  readonly words?: WordColumn;
  /** Whether the field is an enumeration, of which a record may have a value that is not listed. */
  readonly listed?: readonly string[];
  /** Set for an enumeration and for a scope: their texts are stored as keys are, so that an index has all of each, and answers alone. */
  readonly isShort?: true;
}

/** The words of one field: their tokens in an array of each record, and all of them in a vocabulary. */
export interface WordColumn {
  readonly field: string;
  /** The quoted name of the column. */
  readonly name: string;
  /** What stands for the field in the entity's vocabulary. */
  readonly number: number;
}

/** A column of the records as it is written. */
export interface WrittenColumn {
  /** The quoted name of the column. */
  readonly name: string;
  /** The type of the column, or, where it is an array, that of its items. */
  readonly type: ArrayType;
  readonly isArray?: true;
  /** The number of the field whose words it has the tokens of. */
  readonly words?: number;
  /** Set where its values are large: they are kept beside the table, and are not written again while they stay the same. */
  readonly isLarge?: true;
}

/** An index with the words for it in an answer to `explain`. */
export interface NamedIndex {
  readonly name: string;
  readonly label: string;
  /** The words for what it has of each column, where several columns share it that are requested apart from each other. */
  readonly parts?: readonly { readonly column: string; readonly label: string }[];
  /** The table and what the index has of it. */
  readonly on: string;
  /** Set where the tables are of no use without it, so that it is made together with them. */
  readonly early?: true;
  /** Set where it is made when searches first ask for it: its name in `store_indexes`. @see `IndexDemand` */
  readonly demand?: string;
}

/**
 * The tables of one entity, derived from its plan. Every key and every index begins with the instance: as a column, or, in an index of an
 * array, as the beginning of each token.
 */
export interface Layout {
  /** The name of the entity, as `entityName` makes it. */
  readonly entity: string;
  readonly plan: StorePlan;
  /** A digest of everything that the tables depend on. It is a part of the names of the tables that are made anew when it changes. */
  readonly version: string;
  /** The table of the records. */
  readonly records: string;
  /** The table of memberships: in which scopes, and below which parents, each record was found. It is kept when the plan changes. */
  readonly members: string;
  readonly vocabulary: string;
  /** What a role for SQL sees of the records, and of where they were found. */
  readonly views: { readonly records: string; readonly memberships: string };
  readonly columns: ReadonlyMap<string, Column>;
  /** The fields whose values come from the memberships of a record. */
  readonly relations: readonly string[];
  /** The columns of the records, but for their keys, in the order in which they are written. */
  readonly written: readonly WrittenColumn[];
  /** The pairs of fields that have an index together. */
  readonly pairs: ReturnType<typeof pairsOf>;
  readonly tables: readonly string[];
  readonly indexes: readonly NamedIndex[];
  /** The index of the parts of words, which only a database with certain extensions can have. @see `Trigrams` */
  readonly parts: NamedIndex;
}

/** Must be raised when stored columns change their meaning, or tables and indexes their names, so that older tables are made anew. */
const layoutVersion = 1;
/** The order of texts, and of the tokens of lists: by the rules of a language, an index of them takes three times as long to make. */
const codePoints = 'COLLATE "C"';
/** Bytes of the longest name that PostgreSQL keeps whole. */
const longestName = 63;
/** How many characters of a text its index has. An entry of an index has a place for 2,700 bytes, and a text may be longer. */
export const indexedLength = 128;

export function layoutOf(connector: string, entity: string, plan: StorePlan): Layout {
  const version = createHash("sha256").update(JSON.stringify({ layoutVersion, plan })).digest("hex").slice(0, 8);
  const prefix = entityName({ connector, entity });
  const { records, vocabulary } = tablesMadeAnew(prefix, version);
  const members = named(`${prefix}:member`);
  const fields = Object.entries(plan.fields);
  const columns = new Map(fields.map(([field, spec], number) => [field, makeColumn(field, spec, number, plan)]));
  const written: WrittenColumn[] = [
    { name: "digest", type: "text" },
    ...[...columns.values()].flatMap((column) => columnsOf(column)),
    { name: "found", type: "text", isLarge: true },
    { name: "more", type: "text", isLarge: true },
  ];
  const pairs = pairsOf(fields);
  const views = { records: viewMadeAnew(prefix, version), memberships: named(`${prefix}:places`) };
  const relations = relationFields(plan);
  const layout = { entity: prefix, plan, version, records, members, vocabulary, views, columns, relations, written, pairs };
  return { ...layout, tables: tablesOf(layout), indexes: indexesOf(layout), parts: partsIndex(layout) };
}

/**
 * The tables of an entity that are made anew when its plan changes.
 *
 * @param name of the entity, as `entityName` makes it
 */
export function tablesMadeAnew(name: string, version: string): Pick<Layout, "records" | "vocabulary"> {
  return { records: named(`${name}:record@${version}`), vocabulary: named(`${name}:vocabulary@${version}`) };
}

/** The view of the records, which goes with their table. */
export function viewMadeAnew(name: string, version: string): string {
  return named(`${name}:sql@${version}`);
}

const arrayTypes = {
  string: "text",
  // All numbers of a record are those of JavaScript.
  integer: "double precision",
  number: "double precision",
  boolean: "boolean",
  timestamp: "double precision",
} as const satisfies Record<SearchType, ArrayType>;

function makeColumn(field: string, spec: SearchField, number: number, plan: StorePlan): Column {
  const { type, index, values, nullable, list } = spec;
  const words = index === "exact" || type !== "string" ? {} : { words: { field, name: named(`${field}:words`), number } };
  const of = (kind: Column["kind"], name: string, sqlType: string) => ({
    field,
    type,
    kind,
    name,
    sql: raw(`n.${name}`),
    sqlType,
  });
  const listed = values === undefined ? {} : { listed: values };
  if (list !== undefined) return { ...of("list", named(`:${field}`), `text[] ${codePoints}`), ...words, ...listed };
  // A field that is the whole key needs no column of its own.
  if (plan.key.length === 1 && plan.key[0] === field && type === "string" && nullable === undefined)
    return { ...of("key", "k", text()), ...words };
  if (index === "text") return { ...of("wide", named(`:${field}`), text()), ...words };
  return {
    ...of("narrow", named(`:${field}`), sqlTypeOf({ name: "", type: arrayTypes[type] })),
    ...words,
    ...(index === "name" && type === "string" ? { folded: named(`~${field}`) } : {}),
    ...(type === "string" && (values !== undefined || spec.scope === true) ? ({ isShort: true } as const) : {}),
    ...listed,
  };
}

function columnsOf({ kind, name, type, folded, words }: Column): WrittenColumn[] {
  const wide = kind === "wide" ? ({ isLarge: true } as const) : {};
  return [
    ...(kind === "key" ? [] : [{ name, ...(kind === "list" ? listType : { type: arrayTypes[type] }), ...wide }]),
    ...(folded === undefined ? [] : [{ name: folded, type: "text" } as const]),
    ...(words === undefined ? [] : [{ name: words.name, type: "bigint", isArray: true, words: words.number, ...wide } as const]),
  ];
}

const listType = { type: "text", isArray: true } as const;

type Tables = Omit<Layout, "tables" | "indexes" | "parts">;

function tablesOf({ records, members, vocabulary, written }: Tables): string[] {
  const stays = ["k", ...written.filter(hasLength).flatMap(({ name, isLarge }) => (isLarge ? [] : [name]))];
  const large = written.filter(({ isLarge }) => isLarge);
  // The tokens of words have no pattern that can be compressed.
  const tokens = large.filter(({ type }) => type === "bigint");
  return [
    `CREATE TABLE ${records} (inst integer NOT NULL, k ${text()} NOT NULL, ${written.map((column) => `${column.name} ${sqlTypeOf(column)}`).join(", ")}, PRIMARY KEY (inst, k)) WITH (toast_tuple_target = 256)`,
    // Large values are kept beside the table, so that a walk through the others reads few pages.
    `ALTER TABLE ${records} ${[...stays.map((name) => withStorage(name, "MAIN")), ...tokens.map(({ name }) => withStorage(name, "EXTERNAL"))].join(", ")}`,
    withFastCompression(
      records,
      large.flatMap(({ name, type }) => (type === "bigint" ? [] : [name])),
    ),
    // Every run notes that it has seen a record. With room in its page, that changes no index. Another layout may have made the table, in
    // whatever schema.
    `DO $make$ BEGIN IF to_regclass('${members.replaceAll("'", "''")}') IS NULL THEN CREATE TABLE ${members} (inst integer NOT NULL, scope integer NOT NULL, k ${text()} NOT NULL, parent ${text()} NOT NULL, run double precision NOT NULL, relations text, PRIMARY KEY (inst, scope, k, parent)) WITH (fillfactor = 50); END IF; END $make$`,
    `CREATE TABLE ${vocabulary} (inst integer NOT NULL, field integer NOT NULL, token ${text()} NOT NULL, word ${text()}, decomposed ${text()}, revision bigint NOT NULL, PRIMARY KEY (inst, field, token))`,
  ];
}

function sqlTypeOf({ type, isArray }: WrittenColumn): string {
  return `${type}${isArray === true ? "[]" : ""}${type === "text" ? ` ${codePoints}` : ""}`;
}

/** Whether values of a column differ in their length. */
function hasLength({ type, isArray }: WrittenColumn): boolean {
  return isArray === true || type === "text";
}

function withStorage(name: string, storage: "MAIN" | "EXTERNAL"): string {
  return `ALTER COLUMN ${name} SET STORAGE ${storage}`;
}

/** Not every build of PostgreSQL has the faster way to compress large values. */
function withFastCompression(table: string, columns: readonly string[]): string {
  const change = `ALTER TABLE ${table} ${columns.map((name) => `ALTER COLUMN ${name} SET COMPRESSION lz4`).join(", ")}`;
  return `DO $$ BEGIN
    IF 'lz4' = ANY (SELECT unnest(enumvals) FROM pg_settings WHERE name = 'default_toast_compression') THEN ${change}; END IF;
  END $$`;
}

/**
 * The indexes of an entity. What every search may need is always there: the words, the records of a scope by their times, and all records
 * by their times. The others cost every write and are used by few, so they are made when a search first asks for them.
 */
function indexesOf({ entity, version, records, members, vocabulary, columns, pairs, plan }: Tables): NamedIndex[] {
  const index = (name: string, label: string, on: string): NamedIndex => ({
    name: named(`${entity}.${name}@${version}`),
    label,
    on,
  });
  const ordered = (name: string, label: string, of: string, always: boolean): NamedIndex => ({
    ...index(name, label, `${records} (inst, ${of}, k)`),
    ...(always ? {} : { demand: name }),
  });
  const isScope = (field: string) => plan.fields[field]?.scope === true;
  const all = [...columns.values()];
  const place = named(`${entity}:place`);
  return [
    { name: place, label: "places", on: `${members} (inst, k)`, early: true },
    { ...index(":revision", "newest words", `${vocabulary} (inst, field, revision, token)`), early: true },
    ...all.flatMap((column) => {
      const { field, kind, folded } = column;
      // The pairs of a scope begin with it, so they find its records too.
      const isBeginning = isScope(field) && pairs.some(({ fixed }) => fixed === field);
      return [
        ...(kind === "narrow" && !isBeginning
          ? [
              ordered(
                field,
                `order of ${field}`,
                indexed(column),
                pairs.some(({ by }) => by === field),
              ),
            ]
          : []),
        ...(folded === undefined ? [] : [ordered(`~${field}`, `beginning of ${field}`, cut(folded), false)]),
      ];
    }),
    ...tokenIndexes(all, records, index),
    ...pairs.map(({ fixed, by }) =>
      ordered(
        `${fixed}+${by}`,
        `order of ${by} by ${fixed}`,
        [fixed, by].map((field) => indexedField(columns, field)).join(", "),
        isScope(fixed),
      ),
    ),
  ];
}

/** A word of the vocabulary; a long one has a digest as its token. */
export const vocabularyWord = "coalesce(word, token)";
/** The same in NFD, in which letters and marks are apart. */
export const decomposedWord = "coalesce(decomposed, word, token)";

function partsIndex({ entity, version, vocabulary }: Tables): NamedIndex {
  return {
    name: named(`${entity}.:parts@${version}`),
    label: "parts of words",
    on: `${vocabulary} USING gin (inst, field, (${decomposedWord}) gin_trgm_ops)`,
  };
}

/** The most columns of one index. */
const mostColumns = 32;

/**
 * The indexes of all arrays of tokens: of words, and of the values of lists. Columns share an index, because most of what a record costs an
 * index is the same for one column and for many.
 */
function tokenIndexes(
  columns: readonly Column[],
  records: string,
  index: (name: string, label: string, on: string) => NamedIndex,
): NamedIndex[] {
  const parts = columns.flatMap(({ field, kind, name, words }) => [
    ...(kind === "list" ? [{ column: name, label: `values of ${field}` }] : []),
    ...(words === undefined ? [] : [{ column: words.name, label: `words of ${field}` }]),
  ]);
  return Array.from({ length: Math.ceil(parts.length / mostColumns) }, (_, at) => {
    const own = parts.slice(at * mostColumns, (at + 1) * mostColumns);
    const names = own.map(({ column }) => column).join(", ");
    // How many new tokens may wait to be sorted, each transaction says: see `TokenSorting`.
    return { ...index(`:tokens${at}`, "words and lists", `${records} USING gin (${names})`), parts: own };
  });
}

function indexedField(columns: ReadonlyMap<string, Column>, field: string): string {
  const column = columns.get(field);
  return column === undefined ? "k" : indexed(column);
}

/** What an index has of a column. @param name the column as a part of a statement */
export function indexed(column: Pick<Column, "kind" | "name" | "sqlType" | "isShort">, name = column.name): string {
  return isCut(column) ? cut(name) : name;
}

/** Whether the index of a column has only the beginnings of its texts. */
export function isCut({ kind, sqlType, isShort }: Pick<Column, "kind" | "sqlType" | "isShort">): boolean {
  return kind === "narrow" && sqlType === text() && isShort !== true;
}

function cut(name: string): string {
  return `left(${name}, ${indexedLength})`;
}

/** Texts are ordered by code point, whatever the language of the database. */
function text(): string {
  return `text ${codePoints}`;
}

/** @throws Error for a field that is not searchable, which the caller must have checked */
export function columnNamed(layout: Layout, field: string): Column {
  const column = layout.columns.get(field);
  if (column === undefined) throw new Error(`"${field}" is not a searchable field`);
  return column;
}

export function wideColumns(layout: Layout): Column[] {
  return [...layout.columns.values()].filter(({ kind }) => kind === "wide");
}

/** A name in SQL. A name that PostgreSQL would cut off ends in a digest instead. Names come from specs, never from callers. */
export function named(name: string): string {
  const bytes = Buffer.from(name);
  const short =
    bytes.length <= longestName
      ? name
      : `${bytes
          .subarray(0, longestName - 9)
          .toString()
          .replace(/\ufffd+$/, "")}#${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
  return `"${short.replaceAll('"', '""')}"`;
}
