import { setImmediate as pause } from "node:timers/promises";
import { binaryArray, type Queries } from "../../../postgres/index.ts";
import type { RecordObject } from "../../../search/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import { type ChangeNotes, differingFields } from "../../change-log.ts";
import { joinedRelations, type Relations, relationsOf } from "../../relations.ts";
import type { PageResult } from "../../store.ts";
import type { GoneMembership, Memberships } from "../../works/sync-runs.ts";
import { type Layout, wideColumns } from "../tables/layout.ts";
import { noteChanges } from "../tables/layout-rows.ts";
import type { WriteTarget } from "../tables/target.ts";
import { type FieldWord, KnownWords } from "../words/known-words.ts";
import { type FoundRecord, type KnownRecord, PageCounts } from "./page-counts.ts";
import { RowWriter, rowsInStatement, writeRows } from "./row-writer.ts";
import { type Row, recordOf, rowOf } from "./rows.ts";
import { dropTexts, queuedRow, queueStatements, textFields } from "./semantic-texts.ts";

// Writes the records of one entity into its tables, in the caller's transaction, which must have locked the entity's row of
// `store_collections`: so two transactions never write records of one instance and entity at the same time.

export interface SavedRecords extends PageResult {
  /** How many records were not in the scope before. */
  readonly joined: number;
  /** The words that were added to the vocabulary, unless it had them. */
  readonly words: readonly FieldWord[];
}

/** How many rows are made before other work of this process has its turn. */
const rowsAtOnce = 25;

export async function makeRows(layout: Layout, inst: number, records: readonly RecordObject[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const record of records) {
    rows.push(rowOf(layout, inst, record));
    if (rows.length % rowsAtOnce === 0) await pause();
  }
  return rows;
}

/**
 * Saves records, their memberships and their texts. While the server writes some of them, the rows of the next ones are made.
 *
 * @param known words that need not be added to the vocabulary
 * @param notes gets what that changes
 */
export async function saveRecords(
  queries: Queries,
  target: WriteTarget,
  found: readonly FoundRecord[],
  known: KnownWords,
  notes?: ChangeNotes,
): Promise<SavedRecords> {
  const { layout, inst, scope } = target;
  const keys = [...new Set(found.map(({ key }) => key))].sort();
  const parents = [...new Set(found.map(({ parent }) => parent))];
  const reading = Promise.all([
    queries.query<{ k: string; digest: string }>(
      sql`SELECT k, digest FROM ${raw(layout.records)} WHERE inst = ${inst} AND k = ANY (${binaryArray("text", keys)}::text[])`,
    ),
    queries.query<KnownRecord>(
      // Key by key: a table without statistics looks small to the engine, and it would read all of the scope.
      sql`SELECT r.k, bool_or(m.run = ${target.run}) AS seen,
          array_agg(m.parent) FILTER (WHERE m.run = ${target.run} AND m.parent = ANY (${binaryArray("text", parents)}::text[])) AS memberships
        FROM unnest(${binaryArray("text", keys)}::text[]) AS r (k) CROSS JOIN LATERAL
          (SELECT run, parent FROM ${raw(layout.members)} WHERE inst = ${inst} AND scope = ${scope} AND k = r.k OFFSET 0) AS m GROUP BY r.k`,
    ),
    textFields(queries, target),
  ]);
  // It is awaited with the first rows.
  reading.catch(() => undefined);
  // All memberships of a record decide about its relations.
  const isRelated = layout.relations.length > 0;
  if (isRelated) await queries.run(membersStatement(target, found));
  const relations = isRelated ? await relationsAt(queries, target, keys) : undefined;
  const digests = new Map<string, string>();
  const counts = new PageCounts(layout);
  const writer = new RowWriter(queries, target, known);
  for (let from = 0; from < found.length; from += rowsInStatement) {
    const part = found.slice(from, from + rowsInStatement);
    const rows = await makeRows(
      layout,
      inst,
      part.map(({ record, key }) => (relations === undefined ? record : { ...record, ...relations.get(key) })),
    );
    const [stored, members, fields] = await reading;
    if (from === 0) {
      for (const { k, digest } of stored) digests.set(k, digest);
      const seen = members.filter((one) => one.seen);
      const again = seen.map(({ k }) => k);
      counts.begin(seen, isRelated ? await storedRecords(queries, target, again) : new Map());
    }
    const changed = new Map<string, Row>();
    const updated: string[] = [];
    for (const [index, row] of rows.entries()) {
      const before = digests.get(row.key);
      const one = part[index];
      if (one !== undefined) counts.add(one, before, row.digest);
      if (before !== row.digest) {
        if (before === undefined) notes?.add(row.key, "created");
        else updated.push(row.key);
        changed.set(row.key, row);
      }
      digests.set(row.key, row.digest);
    }
    if (notes !== undefined) await noteUpdates(queries, target, updated, changed, notes);
    const written = [...changed.values()];
    const texts = queueStatements(
      target,
      fields,
      written.map((row) => queuedRow(layout, row)),
    );
    await writer.write(written, [...(isRelated ? [] : [membersStatement(target, part)]), ...texts]);
  }
  const words = await writer.end();
  const [, members] = await reading;
  return { ...counts.result, joined: keys.length - members.length, words };
}

/** Notes which fields of stored records change. A record that was inserted on this page is noted as created. */
async function noteUpdates(
  queries: Queries,
  target: WriteTarget,
  keys: readonly string[],
  rows: ReadonlyMap<string, Row>,
  notes: ChangeNotes,
): Promise<void> {
  for (const [key, before] of await storedRecords(queries, target, keys)) {
    const row = rows.get(key);
    if (row !== undefined) notes.add(key, "updated", differingFields(before, recordIn(target.layout, row)));
  }
}

/** The statement that notes where records were found, of which there is at least one. */
function membersStatement({ layout, inst, scope, run }: WriteTarget, found: readonly FoundRecord[]): Sql {
  const memberships = new Map(
    found.map(({ record, key, parent }) => {
      const relations = relationsOf(record, layout.relations);
      const membership = { key, parent, relations: relations === undefined ? null : JSON.stringify(relations) };
      return [JSON.stringify([key, parent]), membership];
    }),
  );
  const all = [...memberships.values()];
  const texts = (member: "key" | "parent" | "relations") =>
    sql`${binaryArray(
      "text",
      all.map((membership) => membership[member]),
    )}::text[]`;
  return sql`INSERT INTO ${raw(layout.members)} (inst, scope, k, parent, run, relations)
    SELECT ${inst}::integer, ${scope}::integer, r.k, r.parent, ${run}::bigint, r.relations
    FROM unnest(${texts("key")}, ${texts("parent")}, ${texts("relations")}) AS r (k, parent, relations)
    ORDER BY r.k COLLATE "C", r.parent COLLATE "C"
    ON CONFLICT (inst, scope, k, parent) DO UPDATE SET run = excluded.run, relations = excluded.relations`;
}

async function relationsAt(
  queries: Queries,
  { layout, inst }: Pick<WriteTarget, "layout" | "inst">,
  keys: readonly string[],
): Promise<Map<string, Record<string, unknown[]>>> {
  const rows = await queries.query<{ k: string; relations: string | null }>(
    sql`SELECT k, relations FROM ${raw(layout.members)} WHERE inst = ${inst} AND k = ANY (${keys}::text[])`,
  );
  const memberships = Map.groupBy(rows, ({ k }) => k);
  const read = (one: { relations: string | null }) => JSON.parse(one.relations ?? "{}") as Relations;
  return new Map([...memberships].map(([k, own]) => [k, joinedRelations(own.map(read), layout.relations)]));
}

/** Removes memberships of a scope, and each record with its last one. @returns how many records were removed */
async function removeMembers(
  queries: Queries,
  target: WriteTarget,
  gone: readonly GoneMembership[],
  changes: ChangeNotes,
): Promise<number> {
  const { layout, inst, scope } = target;
  const keys = [...new Set(gone.map(({ key }) => key))];
  if (keys.length === 0) return 0;
  await queries.run(
    sql`DELETE FROM ${raw(layout.members)} m USING ${goneRows(gone)} AS g (k, parent)
      WHERE m.inst = ${inst} AND m.scope = ${scope} AND m.k = g.k AND m.parent = g.parent`,
  );
  const removed = await queries.query<{ k: string }>(
    sql`DELETE FROM ${raw(layout.records)} n WHERE n.inst = ${inst} AND n.k = ANY (${keys}::text[])
      AND NOT EXISTS (SELECT 1 FROM ${raw(layout.members)} m WHERE m.inst = n.inst AND m.inst = ${inst} AND m.k = n.k) RETURNING n.k`,
  );
  const out = new Set(removed.map(({ k }) => k));
  for (const key of out) changes.add(key, "deleted");
  for (const statement of noteChanges(target, [...out])) await queries.run(statement);
  await dropTexts(queries, target, [...out]);
  if (layout.relations.length > 0)
    await rejoin(
      queries,
      target,
      keys.filter((key) => !out.has(key)),
      changes,
    );
  return out.size;
}

/** How many of a scope's records have no membership left in it when some are removed: their keys. */
async function leavingKeys(
  queries: Queries,
  { layout, inst, scope }: WriteTarget,
  gone: readonly GoneMembership[],
): Promise<string[]> {
  const rows = await queries.query<{ k: string }>(
    sql`SELECT m.k FROM ${raw(layout.members)} m LEFT JOIN ${goneRows(gone)} AS g (k, parent) ON g.k = m.k AND g.parent = m.parent
      WHERE m.inst = ${inst} AND m.scope = ${scope} AND m.k = ANY (${[...new Set(gone.map(({ key }) => key))]}::text[])
      GROUP BY m.k HAVING count(*) = count(g.k)`,
  );
  return rows.map(({ k }) => k);
}

/** Some memberships of a scope. */
function someMembers(queries: Queries, { layout, inst, scope }: WriteTarget, most: number): Promise<GoneMembership[]> {
  return queries.query<GoneMembership>(
    sql`SELECT k AS key, parent FROM ${raw(layout.members)} WHERE inst = ${inst} AND scope = ${scope} LIMIT ${most}`,
  );
}

/** Writes records again that have lost one of several memberships. */
async function rejoin(queries: Queries, target: WriteTarget, keys: readonly string[], changes: ChangeNotes): Promise<void> {
  const { layout, inst } = target;
  const records = await storedRecords(queries, target, keys);
  const relations = await relationsAt(queries, target, keys);
  const joined = [...records].map(([key, record]) => {
    const row = rowOf(layout, inst, { ...record, ...relations.get(key) });
    changes.add(key, "updated", differingFields(record, recordIn(layout, row)));
    return row;
  });
  await writeRows(queries, target, joined, new KnownWords(inst));
}

/** Stored records by their stored keys. */
export async function storedRecords(
  queries: Pick<Queries, "query">,
  { layout, inst }: Pick<WriteTarget, "layout" | "inst">,
  keys: readonly string[],
): Promise<Map<string, RecordObject>> {
  if (keys.length === 0) return new Map();
  const wide = wideColumns(layout);
  const rows = await queries.query<StoredRow>(
    sql`SELECT ${storedColumns(layout)} FROM ${raw(layout.records)} n WHERE n.inst = ${inst} AND n.k = ANY (${keys}::text[])`,
  );
  return new Map(rows.map((row) => [row.k, recordOf(wide, row.found, textsOf(wide.length, row), row.more)]));
}

/** The record of a row that is to be written. */
function recordIn(layout: Layout, { values }: Row): RecordObject {
  const wide = wideColumns(layout);
  const texts = wide.map(({ name }) => values[name]).map((text) => (typeof text === "string" ? text : null));
  return recordOf(wide, String(values["found"]), texts, String(values["more"]));
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
  // Making the names anew for each of many rows takes longer than all else here.
  while (textNames.length < count) textNames.push(`w${textNames.length}`);
  const texts: (string | null)[] = [];
  for (let index = 0; index < count; index++) {
    const text = row[textNames[index] ?? ""];
    texts.push(typeof text === "string" ? text : null);
  }
  return texts;
}

const textNames: string[] = [];

/** The memberships of an entity in a scope, for the ledger. */
export function membershipsOf(queries: Queries, target: WriteTarget): Memberships<GoneMembership> {
  return {
    ids: target,
    some: (most) => someMembers(queries, target, most),
    leaving: (gone) => leavingKeys(queries, target, gone),
    remove: (gone, notes) => removeMembers(queries, target, gone, notes),
  };
}

/** A list of memberships as a table `(k, parent)`. */
function goneRows(gone: readonly GoneMembership[]): Sql {
  const [keys, parents] = [gone.map(({ key }) => key), gone.map(({ parent }) => parent)];
  return sql`unnest(${keys}::text[], ${parents}::text[])`;
}
