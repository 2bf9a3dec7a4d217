import { type Queries, sql } from "../../postgres/index.ts";
import { completionTime } from "../completion.ts";
import { allScopes } from "../counts.ts";
import { takenOver } from "../lease.ts";
import { readProblem, type SyncProblem } from "../problem.ts";
import type { FinishOptions, ParentDone, ScopePlace, SyncNotes, SyncPosition, SyncState } from "../store.ts";
import { storedKey } from "./rows.ts";
import { givenText, storedText } from "./text.ts";

// The progress of syncs: positions of passes, marks of parents whose children were read, counts of records. All functions run in the
// caller's transaction, so that progress and records are saved together or not at all.

/** A scope of an instance, by the ids that both have in the database. */
export interface ScopeIds {
  readonly inst: number;
  readonly scope: number;
}

/** An entity within a scope. */
export interface ShelfIds extends ScopeIds {
  readonly entity: string;
}

/** The id of a scope. It is given when it is first asked for. */
export async function makeScope(queries: Queries, inst: number, name: string): Promise<number> {
  const known = await findScope(queries, inst, name);
  if (known !== undefined) return known;
  const made = await queries.query<{ id: number }>(
    sql`INSERT INTO store_scopes (inst, name) VALUES (${inst}, ${storedText(name)}) ON CONFLICT (inst, name) DO UPDATE SET name = excluded.name RETURNING id`,
  );
  return made[0]?.id ?? 0;
}

/** The id of a scope; undefined when nothing of it is stored. */
export async function findScope(queries: Pick<Queries, "query">, inst: number, name: string): Promise<number | undefined> {
  const rows = await queries.query<{ id: number }>(
    sql`SELECT id FROM store_scopes WHERE inst = ${inst} AND name = ${storedText(name)}`,
  );
  return rows[0]?.id;
}

interface StateRow extends Omit<SyncState, "position" | "problem" | "notes" | "completedAt" | "fullAt"> {
  readonly position: string | null;
  readonly problem: string | null;
  readonly notes: string;
  readonly completed_at: string | null;
  readonly full_at: string | null;
}

/** The state of every entity in every scope. */
export async function readStates(
  queries: Pick<Queries, "query">,
  { connector, instance, scope }: ScopePlace,
): Promise<SyncState[]> {
  const rows = await queries.query<StateRow>(
    sql`SELECT s.name AS scope, t.entity, t.pass, t.position, t.newest, t.source, t.completed_at, t.full_at, t.problem, t.notes, coalesce(c.records, 0) AS records,
        (SELECT count(*) FROM store_marks m WHERE m.inst = t.inst AND m.scope = t.scope AND m.entity = t.entity AND m.hidden) AS hidden
      FROM store_instances i JOIN store_states t ON t.inst = i.id JOIN store_scopes s ON s.inst = t.inst AND s.id = t.scope
      LEFT JOIN store_counts c ON c.inst = t.inst AND c.entity = t.entity AND c.scope = t.scope
      WHERE i.connector = ${connector} AND i.name = ${instance} AND ${scope === undefined ? sql`TRUE` : sql`s.name = ${scope}`}
      ORDER BY s.name, t.entity`,
  );
  return rows.map(({ scope, position, problem, notes, completed_at, full_at, ...rest }) => ({
    ...rest,
    scope: givenText(scope),
    position: position === null ? null : (JSON.parse(position) as SyncPosition),
    completedAt: completed_at,
    fullAt: full_at,
    problem: problem === null ? null : readProblem(problem),
    notes: JSON.parse(notes) as SyncNotes,
  }));
}

/**
 * Stops a pass when a newer one has begun. That happens when the process of the older pass was suspended for longer than its lease.
 *
 * @throws TenonError `sync_running`
 */
export async function refuseOlderPass(
  queries: Queries,
  { inst, scope, entity }: ShelfIds,
  { pass }: SyncPosition,
): Promise<void> {
  const rows = await queries.query<{ pass: number }>(
    sql`SELECT pass FROM store_states WHERE inst = ${inst} AND scope = ${scope} AND entity = ${entity} FOR UPDATE`,
  );
  if ((rows[0]?.pass ?? 0) > pass) throw takenOver();
}

/**
 * Stores how far a pass has read. When a pass with another spec has begun, the records come from both specs, so the digest of the last
 * complete pass is removed.
 */
export async function setPosition(queries: Queries, { inst, scope, entity }: ShelfIds, position: SyncPosition): Promise<void> {
  await queries.run(
    sql`INSERT INTO store_states AS s (inst, scope, entity, pass, position) VALUES (${inst}, ${scope}, ${entity}, ${position.pass}, ${JSON.stringify(position)})
      ON CONFLICT (inst, scope, entity) DO UPDATE SET pass = excluded.pass, position = excluded.position,
        source = CASE WHEN s.source IS NOT DISTINCT FROM ${position.source ?? null}::text THEN s.source END`,
  );
}

/** Notes that a pass is complete. Its position is dropped. */
export async function completePass(
  queries: Queries,
  { inst, scope, entity }: ShelfIds,
  position: SyncPosition,
  options: Pick<FinishOptions, "resumed">,
): Promise<void> {
  const { pass, full, newest, source } = position;
  const now = new Date().toISOString();
  const at = completionTime(position, options, now);
  await queries.run(
    sql`UPDATE store_states SET position = NULL, newest = coalesce(${newest ?? null}::text, newest), source = ${source ?? null}::text,
        completed_at = ${at}, full_at = CASE WHEN ${full} THEN ${now} ELSE full_at END, problem = NULL
      WHERE inst = ${inst} AND scope = ${scope} AND entity = ${entity}`,
  );
  if (full)
    await queries.run(
      sql`DELETE FROM store_marks WHERE inst = ${inst} AND scope = ${scope} AND entity = ${entity} AND pass <> ${pass}`,
    );
}

/** Notes why a pass could not continue. Its position is kept. */
export async function failPass(queries: Queries, { inst, scope, entity }: ShelfIds, problem: SyncProblem): Promise<void> {
  await queries.run(
    sql`INSERT INTO store_states (inst, scope, entity, pass, problem) VALUES (${inst}, ${scope}, ${entity}, 0, ${problem})
      ON CONFLICT (inst, scope, entity) DO UPDATE SET problem = excluded.problem`,
  );
}

/**
 * Notes why a pass is incomplete although it was read to its end. Records that it did not see have not been removed, so the next pass
 * must read the children of all parents again.
 *
 * @param again whether the next pass must read everything, because only such a pass can see whether records are still missing
 */
export async function abandonPass(queries: Queries, ids: ShelfIds, problem: SyncProblem, again = false): Promise<void> {
  const { inst, scope, entity } = ids;
  await failPass(queries, ids, problem);
  await queries.run(
    sql`UPDATE store_marks m SET mark = '' FROM store_states s
      WHERE m.inst = ${inst} AND m.scope = ${scope} AND m.entity = ${entity} AND s.inst = m.inst AND s.scope = m.scope AND s.entity = m.entity AND m.pass = s.pass`,
  );
  await queries.run(
    sql`UPDATE store_states SET position = NULL, full_at = CASE WHEN ${again} THEN NULL ELSE full_at END
      WHERE inst = ${inst} AND scope = ${scope} AND entity = ${entity}`,
  );
}

/** Whether a pass over an entity was ever completed in a scope. */
export async function isComplete(queries: Queries, { inst, scope, entity }: ShelfIds): Promise<boolean> {
  const rows = await queries.query(
    sql`SELECT 1 FROM store_states WHERE inst = ${inst} AND scope = ${scope} AND entity = ${entity} AND completed_at IS NOT NULL`,
  );
  return rows.length > 0;
}

/** Notes that a pass now would find what the last complete one has found. */
export async function confirmPass(queries: Queries, { inst, scope, entity }: ShelfIds): Promise<void> {
  await queries.run(
    sql`UPDATE store_states SET completed_at = ${new Date().toISOString()}
      WHERE inst = ${inst} AND scope = ${scope} AND entity = ${entity} AND completed_at IS NOT NULL`,
  );
}

/** Keeps notes of a sync beside those that it does not name. */
export async function keepNotes(queries: Queries, { inst, scope, entity }: ShelfIds, notes: object): Promise<void> {
  await queries.run(
    sql`INSERT INTO store_states (inst, scope, entity, pass) VALUES (${inst}, ${scope}, ${entity}, 0) ON CONFLICT DO NOTHING`,
  );
  const of = sql`inst = ${inst} AND scope = ${scope} AND entity = ${entity}`;
  const rows = await queries.query<{ notes: string }>(sql`SELECT notes FROM store_states WHERE ${of} FOR UPDATE`);
  const all = { ...(JSON.parse(rows[0]?.notes ?? "{}") as object), ...notes };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  await queries.run(sql`UPDATE store_states SET notes = ${JSON.stringify(kept)} WHERE ${of}`);
}

/**
 * Notes that the children of a parent were read to their end, and the value of the parent's `changed` field at that time; or that the
 * platform forbids to read them.
 */
export async function setMark(
  queries: Queries,
  { inst, scope, entity }: ShelfIds,
  { step, pass }: SyncPosition,
  { key, mark, hidden }: ParentDone,
): Promise<void> {
  const stored = mark === null ? null : storedText(mark);
  await queries.run(
    sql`INSERT INTO store_marks (inst, scope, entity, step, parent, mark, pass, hidden)
      VALUES (${inst}, ${scope}, ${entity}, ${step}, ${storedKey(key)}, ${stored}, ${pass}, ${hidden === true})
      ON CONFLICT (inst, scope, entity, step, parent) DO UPDATE SET mark = excluded.mark, pass = excluded.pass, hidden = excluded.hidden`,
  );
}

/** How many parents have a mark of a pass. */
export async function markedParents(
  queries: Queries,
  { inst, scope, entity }: ShelfIds,
  { pass }: SyncPosition,
): Promise<number> {
  const rows = await queries.query<{ count: number }>(
    sql`SELECT count(*) FROM store_marks WHERE inst = ${inst} AND scope = ${scope} AND entity = ${entity} AND pass = ${pass} AND NOT hidden`,
  );
  return rows[0]?.count ?? 0;
}

/** Drops all marks of an entity's parents. */
export async function dropMarks(queries: Queries, { inst, scope, entity }: ShelfIds): Promise<void> {
  await queries.run(sql`DELETE FROM store_marks WHERE inst = ${inst} AND scope = ${scope} AND entity = ${entity}`);
}

/** Drops the marks of parents whose lists were not read in a pass. */
export async function dropMarksOf(
  queries: Queries,
  { inst, scope, entity }: ShelfIds,
  parents: readonly string[],
  pass: number,
): Promise<void> {
  await queries.run(
    sql`DELETE FROM store_marks WHERE inst = ${inst} AND scope = ${scope} AND entity = ${entity} AND parent = ANY (${parents}::text[]) AND pass <> ${pass}`,
  );
}

/** Drops the marks of records' children, so that they are read again if the record comes back. @param entities of the children */
export async function dropChildMarks(
  queries: Queries,
  { inst, scope }: ScopeIds,
  entities: readonly string[],
  keys: readonly string[],
): Promise<void> {
  await queries.run(
    sql`DELETE FROM store_marks WHERE inst = ${inst} AND scope = ${scope} AND entity = ANY (${entities}::text[]) AND parent = ANY (${keys}::text[])`,
  );
}

/** Makes the states of a scope those of one that was never read. */
export async function restartScope(queries: Queries, { inst, scope }: ScopeIds): Promise<void> {
  await queries.run(
    sql`UPDATE store_states SET position = NULL, newest = NULL, source = NULL, completed_at = NULL, full_at = NULL WHERE inst = ${inst} AND scope = ${scope}`,
  );
  await queries.run(sql`DELETE FROM store_marks WHERE inst = ${inst} AND scope = ${scope}`);
}

/** Removes what is noted of a scope that has no records any longer. */
export async function removeScope(queries: Queries, { inst, scope }: ScopeIds): Promise<void> {
  await queries.run(sql`DELETE FROM store_states WHERE inst = ${inst} AND scope = ${scope}`);
  await queries.run(sql`DELETE FROM store_counts WHERE inst = ${inst} AND scope = ${scope}`);
  await queries.run(
    sql`DELETE FROM store_leases WHERE inst = ${inst} AND scope = (SELECT name FROM store_scopes WHERE inst = ${inst} AND id = ${scope})`,
  );
  await queries.run(sql`DELETE FROM store_scopes WHERE inst = ${inst} AND id = ${scope}`);
}

/** Adds to the counts of an entity's records: of those in a scope, and of all that its instance has. */
export async function addCounts(
  queries: Queries,
  { inst, scope, entity }: ShelfIds,
  by: { readonly scope: number; readonly all: number },
): Promise<void> {
  for (const [on, count] of [
    [scope, by.scope],
    [allScopes, by.all],
  ] as const)
    if (count !== 0)
      await queries.run(
        sql`INSERT INTO store_counts AS c (inst, entity, scope, records) VALUES (${inst}, ${entity}, ${on}, ${count})
          ON CONFLICT (inst, entity, scope) DO UPDATE SET records = c.records + excluded.records`,
      );
}

/** How many records an entity has in a scope. */
export async function countedRecords(queries: Queries, { inst, scope, entity }: ShelfIds): Promise<number> {
  const rows = await queries.query<{ records: number }>(
    sql`SELECT records FROM store_counts WHERE inst = ${inst} AND entity = ${entity} AND scope = ${scope}`,
  );
  return rows[0]?.records ?? 0;
}
