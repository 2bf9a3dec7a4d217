import type { Database, Queries } from "../../../postgres/index.ts";
import { raw, type Sql, sql } from "../../../sql/index.ts";
import { type EntityId, entityName } from "../../catalogue.ts";
import { makeRows, type StoredRow, textsOf } from "../rows/records.ts";
import { writeRows } from "../rows/row-writer.ts";
import { queuedRow, queueTexts } from "../rows/semantic-texts.ts";
import { writing } from "../tables/collections.ts";
import { type Layout, named, tablesMadeAnew } from "../tables/layout.ts";
import { currentLayout, keyOf, type LayoutRow, standingOf } from "../tables/layout-rows.ts";
import { givenText } from "../tables/text.ts";
import { KnownWords } from "../words/known-words.ts";

// Copies records from the current layout of an entity to another one. Each step is a short transaction, which locks the layout that it
// fills, and keeps others from writing to the entity of one instance; so any number of processes may do it, and it goes on where it was
// cut off.

/** How many records are copied at once. */
const batch = 500;

/** Milliseconds that a step waits for a lock. Others who want the same lock wait behind it, so it is given up and tried again. */
const lockTime = 2_000;

/** Does a transaction that waits for no lock for long, and does it again while somebody holds one. */
export function shortly<Result>(
  database: Database,
  work: (queries: Queries) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const timed = async (queries: Queries) => {
    await queries.run(sql`SET LOCAL lock_timeout = ${raw(String(lockTime))}`);
    return work(queries);
  };
  return writing(() => database.transaction(timed), signal);
}

/** What a step copies, and where to. */
interface Copy {
  readonly entity: EntityId;
  readonly layout: Layout;
  readonly own: LayoutRow;
  readonly current: LayoutRow;
}

/**
 * Copies the next records to new tables.
 *
 * @param words that the new vocabulary is known to have, by the ids of instances
 * @returns how many were copied; undefined when there are no more
 */
export async function fillSome(
  database: Database,
  entity: EntityId,
  layout: Layout,
  words: Map<number, KnownWords>,
): Promise<number | undefined> {
  const done = await shortly(database, async (queries) => {
    const copy = await begin(queries, entity, layout);
    if (copy?.own.state !== "filling") return undefined;
    const { own } = copy;
    const [collection] = await queries.query<{ inst: number }>(
      sql`SELECT s.inst FROM store_collections s JOIN store_instances i ON i.id = s.inst
        WHERE i.connector = ${entity.connector} AND s.entity = ${entity.entity} AND s.inst >= ${own.inst} ORDER BY s.inst LIMIT 1`,
    );
    if (collection === undefined) return undefined;
    const { inst } = collection;
    const revision = await nextRevision(queries, entity, inst);
    const after = inst === own.inst ? own.k : "";
    const rows = await stored(queries, copy, inst, sql`n.k > ${after} ORDER BY n.k LIMIT ${batch}`);
    const known = words.get(inst) ?? new KnownWords(inst);
    const added = await write(queries, copy, { inst, revision }, rows, known);
    const next = rows.length < batch ? { inst: inst + 1, k: "" } : { inst, k: rows.at(-1)?.k ?? "" };
    await queries.run(sql`UPDATE store_layouts SET at_inst = ${next.inst}, at_key = ${next.k} WHERE id = ${own.id}`);
    return { inst, known, added, count: rows.length };
  });
  if (done === undefined) return undefined;
  done.known.add(done.added);
  words.set(done.inst, done.known);
  return done.count;
}

/** Copies records that were changed in the current layout. @returns how many; fewer than {@link mostAtOnce} when there are no more */
export function followSome(database: Database, entity: EntityId, layout: Layout): Promise<number> {
  return shortly(database, async (queries) => {
    const copy = await begin(queries, entity, layout);
    return copy === undefined ? 0 : copyChanges(queries, copy);
  });
}

/** How many changes are copied at once. */
export const mostAtOnce = batch;

/** As `followSome`, in the transaction of a caller who has locked the layout and the entity. */
export async function copyChanges(queries: Queries, copy: Copy): Promise<number> {
  const { entity, layout, own, current } = copy;
  if (own.id === current.id || own.key !== current.key || own.state === "none" || own.state === "left") return 0;
  const changes = await queries.query<{ inst: number; k: string }>(
    sql`SELECT inst, k FROM store_changes WHERE layout = ${own.id} ORDER BY inst, k LIMIT ${batch}`,
  );
  for (const [inst, some] of Map.groupBy(changes, (one) => one.inst)) {
    const revision = await nextRevision(queries, entity, inst);
    const keys = some.map(({ k }) => k);
    const rows = await stored(queries, copy, inst, sql`n.k = ANY (${keys}::text[])`);
    const there = new Set(rows.map(({ k }) => k));
    const gone = keys.filter((key) => !there.has(key));
    await queries.run(sql`DELETE FROM ${raw(layout.records)} WHERE inst = ${inst} AND k = ANY (${gone}::text[])`);
    await write(queries, copy, { inst, revision }, rows, new KnownWords(inst));
    await queries.run(sql`DELETE FROM store_changes WHERE layout = ${own.id} AND inst = ${inst} AND k = ANY (${keys}::text[])`);
  }
  return changes.length;
}

/** Locks the layout that is filled; and the entity, as those who write to it do. */
async function begin(queries: Queries, entity: EntityId, layout: Layout): Promise<Copy | undefined> {
  const standing = await standingOf(queries, entity, layout, "FOR UPDATE");
  const current = await currentLayout(queries, entity, "FOR SHARE");
  if (standing === undefined || current === undefined || current.key !== keyOf(layout)) return undefined;
  return { entity, layout, own: standing.own, current };
}

async function nextRevision(queries: Queries, { entity }: EntityId, inst: number): Promise<number> {
  const [collection] = await queries.query<{ revision: number }>(
    sql`UPDATE store_collections SET revision = revision + 1 WHERE inst = ${inst} AND entity = ${entity} RETURNING revision`,
  );
  return collection?.revision ?? 0;
}

async function write(
  queries: Queries,
  { entity, layout }: Copy,
  { inst, revision }: { readonly inst: number; readonly revision: number },
  rows: readonly CopiedRow[],
  known: KnownWords,
) {
  const made = await makeRows(
    layout,
    inst,
    rows.map(({ record }) => record),
  );
  const added = await writeRows(queries, { layout, inst, revision, followers: [] }, made, known);
  await queueTexts(
    queries,
    { layout, inst, entity: entity.entity },
    made.map((row) => queuedRow(layout, row)),
  );
  return added;
}

interface CopiedRow {
  readonly k: string;
  readonly record: Record<string, unknown>;
}

/** Records of the current layout, whose plan this process need not know. */
async function stored(queries: Queries, { entity, current }: Copy, inst: number, where: Sql): Promise<CopiedRow[]> {
  const { records } = tablesMadeAnew(entityName(entity), current.version);
  const texts = JSON.parse(current.texts) as [field: string, column: string][];
  const wide = texts.map(([, column], index) => raw(`, n.${named(column.slice(1, -1))} AS w${index}`));
  const columns = wide.reduce((all, one) => sql`${all}${one}`, raw("n.k, n.found, n.more"));
  const rows = await queries.query<StoredRow>(sql`SELECT ${columns} FROM ${raw(records)} n WHERE n.inst = ${inst} AND ${where}`);
  return rows.map((row) => {
    const values = textsOf(texts.length, row);
    const long = texts.map(([field], index) => [field, values[index] == null ? null : givenText(values[index])]);
    // A value that is no text is among the other fields.
    const record = { ...JSON.parse(row.found), ...Object.fromEntries(long), ...JSON.parse(row.more) };
    return { k: row.k, record };
  });
}
