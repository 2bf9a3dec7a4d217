import type { Statements } from "../../../sqlite/index.ts";
import {
  type CollectionSums,
  hasMisfits,
  isOlder,
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
  worstFirstOrder,
} from "../../collection-sync.ts";

/** What the file has about the syncs of a collection; the states of its scopes are read where they matter. */
export interface SyncState {
  /** The id of the instance; undefined when nothing was ever stored. */
  readonly inst: number | undefined;
  readonly entity: string;
  readonly sums: CollectionSums;
  readonly schedule: ScheduleRow | undefined;
  readonly anyMisfits: boolean;
}

/** @param inst the id of the instance; undefined when nothing was ever stored */
export function readSyncState(statements: Statements, inst: number | undefined, entity: string): SyncState {
  const sums = statements
    .get(
      "SELECT count(*) AS scopes, count(completed_at) AS done, min(completed_at) AS oldest, count(problem) AS failed FROM store_states WHERE inst = likely(?) AND entity = likely(?)",
    )
    .get(inst ?? null, entity) as CollectionSums;
  const schedule = statements
    .get("SELECT scopes, minutes, started_at, due FROM store_schedules WHERE inst = likely(?)")
    .get(inst ?? null) as ScheduleRow | undefined;
  return {
    inst,
    entity,
    sums,
    schedule,
    anyMisfits: inst !== undefined && misfitRows(statements, { inst, entity }, 1).length > 0,
  };
}

/**
 * How far a collection is synced. In most searches this reads nothing: the states of single scopes are read only where the search names
 * some, or one is in trouble.
 *
 * @param named scopes that the search names
 */
export function syncedCollection(
  statements: Statements,
  { inst, entity, sums, schedule: row, anyMisfits }: SyncState,
  named: readonly string[] | undefined,
): SyncedCollection {
  if (inst === undefined) return { syncedAt: null, sync: neverSynced };
  const schedule = readSchedule(row);
  const stale = staleBefore(schedule);
  const { scopes = [], due = null } = schedule ?? {};
  const place = { inst, entity };
  const scheduled = (): Scheduled => ({ names: JSON.stringify(loweredNames(due ?? scopes)), isWhole: due === null ? 1 : 0 });
  const rows = () => {
    if (named !== undefined) return namedRows(statements, place, named);
    // Only where some scope is old, it matters whether one on the schedule is.
    const oldest = isOlder(sums.oldest, stale) ? oldestScheduled(statements, place, scheduled()) : null;
    return isTroubled(sums, oldest, stale) ? troubledRows(statements, place, scheduled(), stale ?? "") : [];
  };
  const syncedAt = sums.done === sums.scopes ? sums.oldest : null;
  const misfits = anyMisfits ? misfitsOf(misfitRows(statements, place, mostMisfitScopes), named) : {};
  return { syncedAt, sync: { scopes: sums.scopes, reported: rows().map(scopeSyncOf), schedule, misfits } };
}

function misfitRows(statements: Statements, { inst, entity }: Place, most: number): { scope: string; notes: string }[] {
  return statements
    .get(
      `SELECT s.name AS scope, t.notes FROM store_states t INDEXED BY store_states_misfits CROSS JOIN store_scopes s ON s.id = t.scope
        WHERE ${hasMisfits.sqlite} AND t.inst = ? AND t.entity = ? LIMIT ${most}`,
    )
    .all(inst, entity) as { scope: string; notes: string }[];
}

interface Place {
  readonly inst: number;
  readonly entity: string;
}

/** The lowered names of the scopes that are due in each interval, as JSON, and 1 where these are all on the schedule. */
interface Scheduled {
  readonly names: string;
  readonly isWhole: number;
}

// A scope without parameters, which is part of every sync, has only its kind as its name.
const isScheduled = "(lower(s.name) IN (SELECT value FROM json_each(?)) OR (? AND instr(s.name, '=') = 0))";

// Cross joins keep the order of the tables: only the states of the scopes in question are read.
const statesOfScopes =
  "store_scopes s CROSS JOIN store_states t ON t.inst = s.inst AND t.scope = s.id WHERE s.inst = likely(?) AND t.entity = likely(?)";

function oldestScheduled(statements: Statements, { inst, entity }: Place, { names, isWhole }: Scheduled): string | null {
  return statements
    .get(`SELECT min(t.completed_at) FROM ${statesOfScopes} AND ${isScheduled}`)
    .pluck()
    .get(inst, entity, names, isWhole) as string | null;
}

function namedRows(statements: Statements, { inst, entity }: Place, named: readonly string[]): ScopeSyncRow[] {
  return statements
    .get(
      `SELECT s.name AS scope, t.completed_at, t.problem FROM json_each(?) j CROSS JOIN ${statesOfScopes} AND lower(s.name) = j.value ORDER BY s.name`,
    )
    .all(JSON.stringify(loweredNames(named)), inst, entity) as ScopeSyncRow[];
}

function troubledRows(
  statements: Statements,
  { inst, entity }: Place,
  { names, isWhole }: Scheduled,
  stale: string,
): ScopeSyncRow[] {
  return statements
    .get(
      `SELECT s.name AS scope, t.completed_at, t.problem FROM ${statesOfScopes}
        AND (t.completed_at IS NULL OR t.problem IS NOT NULL OR (t.completed_at < ? AND ${isScheduled}))
        ORDER BY ${worstFirstOrder} LIMIT ${mostTroubled}`,
    )
    .all(inst, entity, stale, names, isWhole) as ScopeSyncRow[];
}
