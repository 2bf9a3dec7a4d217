import { setImmediate as pause } from "node:timers/promises";
import { join, type Queries, raw, type Sql, sql } from "../../postgres/index.ts";
import type { RecordObject } from "../../search/index.ts";
import { joinedRelations, type Relations, relationsOf } from "../relations.ts";
import type { PageResult } from "../store.ts";
import { type FieldWord, KnownWords } from "./known-words.ts";
import { type Layout, wideColumns } from "./layout.ts";
import { type Row, recordOf, rowOf, shortToken } from "./rows.ts";
import { dropTexts } from "./semantic-texts.ts";
import type { Target } from "./target.ts";

// Writes the records of one entity into its tables, in the caller's transaction, which must have locked the entity's row of
// `store_shelves`: so two transactions never write records of one instance and entity at the same time.

/** A record as it was found in one place. */
export interface FoundRecord {
  readonly record: RecordObject;
  readonly row: Row;
  /** Key of the parent, which is the record for which it was read; empty where it belongs to the scope itself. */
  readonly parent: string;
}

export interface SavedRecords extends PageResult {
  /** How many records were not in the scope before. */
  readonly joined: number;
  /** The rows that were written. */
  readonly written: readonly Row[];
  /** The words that were added to the vocabulary, unless it had them. */
  readonly words: readonly FieldWord[];
}

/** How many rows are made before other work of this process has its turn. */
const rowsAtOnce = 25;
/** How many rows one statement writes. */
const rowsInStatement = 200;

export async function makeRows(layout: Layout, inst: number, records: readonly RecordObject[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const record of records) {
    rows.push(rowOf(layout, inst, record));
    if (rows.length % rowsAtOnce === 0) await pause();
  }
  return rows;
}

/** @param known words that need not be added to the vocabulary */
export async function saveRecords(
  queries: Queries,
  target: Target,
  found: readonly FoundRecord[],
  known: KnownWords,
): Promise<SavedRecords> {
  const { layout, inst, scope } = target;
  const keys = [...new Set(found.map(({ row }) => row.key))].sort();
  const of = sql`inst = ${inst} AND k = ANY (${keys}::text[])`;
  const stored = await queries.query<{ k: string; digest: string }>(
    sql`SELECT k, digest FROM ${raw(layout.records)} WHERE ${of}`,
  );
  const members = await queries.query<{ k: string }>(
    sql`SELECT DISTINCT k FROM ${raw(layout.members)} WHERE scope = ${scope} AND ${of}`,
  );
  await addMembers(queries, target, found);
  const rows = layout.relations.length === 0 ? found.map(({ row }) => row) : await joinedRows(queries, target, found);
  const digests = new Map(stored.map(({ k, digest }) => [k, digest]));
  const written = new Map<string, Row>();
  const result = { inserted: 0, changed: 0, unchanged: 0 };
  for (const row of rows) {
    const before = digests.get(row.key);
    result[before === undefined ? "inserted" : before === row.digest ? "unchanged" : "changed"]++;
    if (before !== row.digest) written.set(row.key, row);
    digests.set(row.key, row.digest);
  }
  const words = await writeRows(queries, target, [...written.values()], known);
  return { ...result, joined: keys.length - members.length, written: [...written.values()], words };
}

/** Inserts rows, or replaces those that are stored. @returns the words that were sent to the vocabulary */
export async function writeRows(
  queries: Queries,
  { layout, inst, turn }: Pick<Target, "layout" | "inst" | "turn">,
  rows: readonly Row[],
  known = new KnownWords(),
): Promise<FieldWord[]> {
  const names = layout.written.map(({ name }) => raw(name));
  const types = layout.written.map(({ sqlType }, index) => raw(`c${index} ${sqlType}`));
  const set = names.map((name) => sql`${name} = excluded.${name}`);
  const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  let running: Promise<unknown> = Promise.resolve();
  for (let from = 0; from < sorted.length; from += rowsInStatement) {
    const part = sorted.slice(from, from + rowsInStatement);
    const json = JSON.stringify(
      part.map(({ key, values }) =>
        Object.fromEntries([["k", key], ...layout.written.map(({ name }, index) => [`c${index}`, values[name] ?? null])]),
      ),
    );
    // The server writes a part while the next one is made here.
    await running;
    running = queries.run(
      sql`INSERT INTO ${raw(layout.records)} (inst, k, ${join(names, ", ")})
        SELECT ${inst}::integer, r.* FROM json_to_recordset(${json}::json) AS r (k text COLLATE "C", ${join(types, ", ")})
        ON CONFLICT (inst, k) DO UPDATE SET ${join(set, ", ")}`,
    );
  }
  const words = known.unknown(rows);
  await running;
  await addWords(queries, { layout, inst, turn }, words);
  return words;
}

async function addWords(
  queries: Queries,
  { layout, inst, turn }: Pick<Target, "layout" | "inst" | "turn">,
  words: readonly FieldWord[],
): Promise<void> {
  if (words.length === 0) return;
  const json = JSON.stringify(
    words.map(({ field, word }) => {
      const token = shortToken(word);
      return { f: field, t: token, ...(token === word ? {} : { w: word }) };
    }),
  );
  await queries.run(
    sql`INSERT INTO ${raw(layout.vocabulary)} (inst, field, token, word, turn)
      SELECT ${inst}::integer, r.f, r.t, r.w, ${turn}::bigint FROM json_to_recordset(${json}::json) AS r (f integer, t text COLLATE "C", w text)
      ORDER BY r.f, r.t ON CONFLICT DO NOTHING`,
  );
}

async function addMembers(queries: Queries, { layout, inst, scope, pass }: Target, found: readonly FoundRecord[]): Promise<void> {
  const places = new Map(
    found.map(({ record, row, parent }) => {
      const relations = relationsOf(record, layout.relations);
      const place = { k: row.key, p: parent, r: relations === undefined ? null : JSON.stringify(relations) };
      return [JSON.stringify([row.key, parent]), place];
    }),
  );
  if (places.size === 0) return;
  const json = JSON.stringify([...places.values()]);
  await queries.run(
    sql`INSERT INTO ${raw(layout.members)} (inst, scope, k, parent, pass, relations)
      SELECT ${inst}::integer, ${scope}::integer, r.k, r.p, ${pass}::bigint, r.r FROM json_to_recordset(${json}::json) AS r (k text COLLATE "C", p text COLLATE "C", r text)
      ORDER BY r.k, r.p ON CONFLICT (inst, scope, k, parent) DO UPDATE SET pass = excluded.pass, relations = excluded.relations`,
  );
}

/** The rows of records whose relation fields have the values of all places where they were found. */
async function joinedRows(queries: Queries, { layout, inst }: Target, found: readonly FoundRecord[]): Promise<Row[]> {
  const relations = await relationsAt(
    queries,
    { layout, inst },
    found.map(({ row }) => row.key),
  );
  return found.map(({ record, row }) => rowOf(layout, inst, { ...record, ...relations.get(row.key) }));
}

async function relationsAt(
  queries: Queries,
  { layout, inst }: Pick<Target, "layout" | "inst">,
  keys: readonly string[],
): Promise<Map<string, Record<string, unknown[]>>> {
  const rows = await queries.query<{ k: string; relations: string | null }>(
    sql`SELECT k, relations FROM ${raw(layout.members)} WHERE inst = ${inst} AND k = ANY (${keys}::text[])`,
  );
  const places = Map.groupBy(rows, ({ k }) => k);
  const read = (one: { relations: string | null }) => JSON.parse(one.relations ?? "{}") as Relations;
  return new Map([...places].map(([k, own]) => [k, joinedRelations(own.map(read), layout.relations)]));
}

/** A membership that is to be removed, by the stored keys of the record and its parent. */
export interface Gone {
  readonly k: string;
  readonly parent: string;
}

/** Removes memberships of a scope, and each record with its last one. @returns the keys of the records that were removed */
export async function removeMembers(queries: Queries, target: Target, gone: readonly Gone[]): Promise<string[]> {
  const { layout, inst, scope } = target;
  const keys = [...new Set(gone.map(({ k }) => k))];
  if (keys.length === 0) return [];
  await queries.run(
    sql`DELETE FROM ${raw(layout.members)} m USING ${placesOf(gone)} AS g (k, parent)
      WHERE m.inst = ${inst} AND m.scope = ${scope} AND m.k = g.k AND m.parent = g.parent`,
  );
  const removed = await queries.query<{ k: string }>(
    sql`DELETE FROM ${raw(layout.records)} n WHERE n.inst = ${inst} AND n.k = ANY (${keys}::text[])
      AND NOT EXISTS (SELECT 1 FROM ${raw(layout.members)} m WHERE m.inst = n.inst AND m.inst = ${inst} AND m.k = n.k) RETURNING n.k`,
  );
  const out = new Set(removed.map(({ k }) => k));
  await dropTexts(queries, target, [...out]);
  if (layout.relations.length > 0)
    await rejoin(
      queries,
      target,
      keys.filter((key) => !out.has(key)),
    );
  return [...out];
}

/** How many of a scope's records have no membership left in it when some are removed: their keys. */
export async function leavingKeys(queries: Queries, { layout, inst, scope }: Target, gone: readonly Gone[]): Promise<string[]> {
  const rows = await queries.query<{ k: string }>(
    sql`SELECT m.k FROM ${raw(layout.members)} m LEFT JOIN ${placesOf(gone)} AS g (k, parent) ON g.k = m.k AND g.parent = m.parent
      WHERE m.inst = ${inst} AND m.scope = ${scope} AND m.k = ANY (${[...new Set(gone.map(({ k }) => k))]}::text[])
      GROUP BY m.k HAVING count(*) = count(g.k)`,
  );
  return rows.map(({ k }) => k);
}

/** Some memberships of a scope. */
export function someMembers(queries: Queries, { layout, inst, scope }: Target, most: number): Promise<Gone[]> {
  return queries.query<Gone>(
    sql`SELECT k, parent FROM ${raw(layout.members)} WHERE inst = ${inst} AND scope = ${scope} LIMIT ${most}`,
  );
}

/** Writes records again that have lost one of several places. */
async function rejoin(queries: Queries, target: Target, keys: readonly string[]): Promise<void> {
  const { layout, inst } = target;
  const wide = wideColumns(layout);
  const rows = await queries.query<StoredRow>(
    sql`SELECT ${storedColumns(layout)} FROM ${raw(layout.records)} n WHERE n.inst = ${inst} AND n.k = ANY (${keys}::text[])`,
  );
  const relations = await relationsAt(queries, target, keys);
  const joined = rows.map((row) =>
    rowOf(layout, inst, { ...recordOf(wide, row.found, textsOf(wide.length, row), row.more), ...relations.get(row.k) }),
  );
  await writeRows(queries, target, joined);
}

/** A row with everything from which a record is made. Its long texts are `w0`, `w1` … */
export interface StoredRow extends Readonly<Record<string, unknown>> {
  readonly k: string;
  readonly found: string;
  readonly more: string;
}

/** The columns of a `StoredRow` of the records `n`. */
export function storedColumns(layout: Layout): Sql {
  const wide = wideColumns(layout).map(({ sql: name }, index) => sql`, ${name} AS ${raw(`w${index}`)}`);
  return sql`n.k, n.found, n.more${join(wide, "")}`;
}

/** The long texts of a row. */
export function textsOf(count: number, row: Readonly<Record<string, unknown>>): (string | null)[] {
  return Array.from({ length: count }, (_, index) => {
    const text = row[`w${index}`];
    return typeof text === "string" ? text : null;
  });
}

/** A list of memberships as a table `(k, parent)`. */
function placesOf(gone: readonly Gone[]): Sql {
  const [keys, parents] = [gone.map(({ k }) => k), gone.map(({ parent }) => parent)];
  return sql`unnest(${keys}::text[], ${parents}::text[])`;
}
