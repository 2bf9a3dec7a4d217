import type { Queries } from "../../../postgres/index.ts";
import { raw, type Sql, sql, steady } from "../../../sql/index.ts";
import {
  type CollectionSums,
  hasMisfits,
  isTroubled,
  loweredNames,
  misfitsOf,
  mostMisfitScopes,
  mostTroubled,
  neverSynced,
  readSchedule,
  type ScheduleRow,
  type ScopeSyncRow,
  type SyncedCollection,
  scopeSyncOf,
  staleBefore,
  staleIntervals,
  worstFirstOrder,
} from "../../collection-sync.ts";
import { givenText, storedText } from "../tables/text.ts";

/** What {@link sumsOf} reads: JSON, which is null where there is no schedule. */
export interface SumsRow {
  readonly sums: string;
  readonly schedule: string | null;
}

/**
 * Two columns: the sums of the states of a collection, and the schedule of its instance. The scopes on it are read only where some scope is
 * old.
 */
export function sumsOf(inst: number, entity: string): Sql {
  const now = new Date().toISOString();
  return sql`(SELECT json_build_array(a.scopes, a.done, a.oldest, a.failed,
        EXISTS (SELECT FROM store_states WHERE inst = ${inst} AND entity = ${entity} AND ${raw(hasMisfits.postgres)}),
        CASE WHEN a.oldest::timestamp < ${now}::timestamp - c.minutes * interval '1 minute' * ${staleIntervals}::integer THEN
          (SELECT min(t.completed_at) FROM ${statesOfScopes} WHERE s.inst = ${inst} AND t.entity = ${entity} AND ${isScheduled(inst, now)}) END)
        FROM (SELECT count(*) AS scopes, count(completed_at) AS done, min(completed_at) AS oldest, count(problem) AS failed
          FROM store_states WHERE inst = ${inst} AND entity = ${entity}) a LEFT JOIN store_schedules c ON c.inst = ${inst}) AS sums,
      (SELECT row_to_json(c) FROM (SELECT scopes, minutes, started_at, due FROM store_schedules WHERE inst = ${inst}) c) AS schedule`;
}

const statesOfScopes = raw("store_scopes s JOIN store_states t ON t.inst = s.inst AND t.scope = s.id");

/**
 * Whether a scope is due in each interval. One without parameters, which is part of every sync, has only its kind as its name. What
 * `readSchedule` says is the same for rows that are read.
 *
 * @param now ISO 8601
 */
function isScheduled(inst: number, now: string): Sql {
  const hasDue = sql`(c.due IS NOT NULL AND c.started_at::timestamp >= ${now}::timestamp - c.minutes * interval '1 minute' * ${staleIntervals}::integer)`;
  return sql`(lower(s.name) IN (SELECT lower(j.name COLLATE "C") FROM store_schedules c,
        json_array_elements_text(CASE WHEN ${hasDue} THEN c.due ELSE c.scopes END::json) AS j (name) WHERE c.inst = ${inst})
      OR (strpos(s.name, '=') = 0 AND NOT EXISTS (SELECT FROM store_schedules c WHERE c.inst = ${inst} AND ${hasDue})))`;
}

/**
 * How far a collection is synced. The states of single scopes are read only where the search names some, or one is in trouble.
 *
 * @param named scopes that the search names
 */
export async function syncedCollection(
  queries: Queries,
  { inst, entity }: { readonly inst: number; readonly entity: string },
  row: SumsRow,
  named: readonly string[] | undefined,
): Promise<SyncedCollection> {
  const [scopes, done, oldest, failed, misfit, scheduled] = JSON.parse(row.sums) as [
    number,
    number,
    string | null,
    number,
    boolean,
    string | null,
  ];
  const sums: CollectionSums = { scopes, done, oldest, failed };
  const schedule = readSchedule(row.schedule === null ? undefined : (JSON.parse(row.schedule) as ScheduleRow));
  const stale = staleBefore(schedule);
  const isRead = named !== undefined || isTroubled(sums, scheduled, stale);
  const reported = isRead ? await scopeRows(queries, { inst, entity }, named, stale ?? "") : [];
  const syncedAt = done === scopes ? oldest : null;
  const misfits = misfit ? misfitsOf(await misfitRows(queries, { inst, entity }), named) : {};
  return { syncedAt, sync: { scopes, reported: reported.map(scopeSyncOf), schedule, misfits } };
}

async function misfitRows(queries: Queries, { inst, entity }: { readonly inst: number; readonly entity: string }) {
  const rows = await queries.query<{ scope: string; notes: string }>(
    sql`SELECT s.name AS scope, t.notes FROM ${statesOfScopes} WHERE s.inst = ${inst} AND t.entity = ${entity}
      AND ${raw(hasMisfits.postgres)} LIMIT ${mostMisfitScopes}`,
  );
  return rows.map((row) => ({ ...row, scope: givenText(row.scope) }));
}

/** The same for a collection of which no record was ever stored. */
export async function emptyCollection(
  queries: Queries,
  inst: number | undefined,
  entity: string,
  named: readonly string[] | undefined,
): Promise<SyncedCollection> {
  const none = { syncedAt: null, sync: neverSynced };
  if (inst === undefined) return none;
  const [row] = await queries.query<SumsRow>(steady(sql`SELECT ${sumsOf(inst, entity)}`));
  return row === undefined ? none : syncedCollection(queries, { inst, entity }, row, named);
}

async function scopeRows(
  queries: Queries,
  { inst, entity }: { readonly inst: number; readonly entity: string },
  named: readonly string[] | undefined,
  stale: string,
): Promise<ScopeSyncRow[]> {
  const names = loweredNames((named ?? []).map(storedText));
  const of = sql`SELECT s.name AS scope, t.completed_at, t.problem FROM ${statesOfScopes} WHERE s.inst = ${inst} AND t.entity = ${entity}`;
  const rows = await queries.query<ScopeSyncRow>(
    named !== undefined
      ? sql`${of} AND lower(s.name) = ANY (${names}::text[]) ORDER BY s.name`
      : sql`${of} AND (t.completed_at IS NULL OR t.problem IS NOT NULL OR (t.completed_at < ${stale} AND ${isScheduled(inst, new Date().toISOString())}))
          ORDER BY ${raw(worstFirstOrder)} LIMIT ${mostTroubled}`,
  );
  return rows.map((row) => ({ ...row, scope: givenText(row.scope) }));
}
