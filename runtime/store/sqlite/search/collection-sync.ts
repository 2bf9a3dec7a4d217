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
import type { Collection } from "../../store.ts";

/**
 * Reads how far a collection is synced. In most searches these are two small statements: the states of single scopes are read only where
 * the search names some, or one is in trouble.
 *
 * @param named scopes that the search names
 */
export function syncedCollection(
  statements: Statements,
  collection: Collection,
  named: readonly string[] | undefined,
): SyncedCollection {
  const inst = statements
    .get("SELECT id FROM store_instances WHERE connector = ? AND name = ?")
    .pluck()
    .get(collection.connector, collection.instance);
  if (typeof inst !== "number") return { syncedAt: null, sync: neverSynced };
  const sums = statements
    .get(
      "SELECT count(*) AS scopes, count(completed_at) AS done, min(completed_at) AS oldest, count(problem) AS failed FROM store_states WHERE inst = likely(?) AND entity = likely(?)",
    )
    .get(inst, collection.entity) as CollectionSums;
  const schedule = readSchedule(
    statements.get("SELECT scopes, minutes, started_at, due FROM store_schedules WHERE inst = likely(?)").get(inst) as
      | ScheduleRow
      | undefined,
  );
  const stale = staleBefore(schedule);
  const { scopes = [], due = null } = schedule ?? {};
  const scheduled = JSON.stringify(loweredNames(due ?? scopes));
  const place = { inst, entity: collection.entity, scheduled, isWhole: due === null ? 1 : 0 };
  const rows = () => {
    if (named !== undefined) return namedRows(statements, place, named);
    // Only where some scope is old, it matters whether one on the schedule is.
    const oldest = isOlder(sums.oldest, stale) ? oldestScheduled(statements, place) : null;
    return isTroubled(sums, oldest, stale) ? troubledRows(statements, place, stale ?? "") : [];
  };
  const syncedAt = sums.done === sums.scopes ? sums.oldest : null;
  const misfits = misfitsOf(misfitRows(statements, place), named);
  return { syncedAt, sync: { scopes: sums.scopes, reported: rows().map(scopeSyncOf), schedule, misfits } };
}

function misfitRows(statements: Statements, { inst, entity }: Place): { scope: string; notes: string }[] {
  return statements
    .get(
      `SELECT s.name AS scope, t.notes FROM store_states t INDEXED BY store_states_misfits CROSS JOIN store_scopes s ON s.id = t.scope
        WHERE ${hasMisfits.sqlite} AND t.inst = ? AND t.entity = ? LIMIT ${mostMisfitScopes}`,
    )
    .all(inst, entity) as { scope: string; notes: string }[];
}

interface Place {
  readonly inst: number;
  readonly entity: string;
  /** The lowered names of the scopes that are due in each interval, as JSON, and 1 where these are all on the schedule. */
  readonly scheduled: string;
  readonly isWhole: number;
}

// A scope without parameters, which is part of every sync, has only its kind as its name.
const isScheduled = "(lower(s.name) IN (SELECT value FROM json_each(?)) OR (? AND instr(s.name, '=') = 0))";

// Cross joins keep the order of the tables: only the states of the scopes in question are read.
const statesOfScopes =
  "store_scopes s CROSS JOIN store_states t ON t.inst = s.inst AND t.scope = s.id WHERE s.inst = likely(?) AND t.entity = likely(?)";

function oldestScheduled(statements: Statements, { inst, entity, scheduled, isWhole }: Place): string | null {
  return statements
    .get(`SELECT min(t.completed_at) FROM ${statesOfScopes} AND ${isScheduled}`)
    .pluck()
    .get(inst, entity, scheduled, isWhole) as string | null;
}

function namedRows(statements: Statements, { inst, entity }: Place, named: readonly string[]): ScopeSyncRow[] {
  return statements
    .get(
      `SELECT s.name AS scope, t.completed_at, t.problem FROM json_each(?) j CROSS JOIN ${statesOfScopes} AND lower(s.name) = j.value ORDER BY s.name`,
    )
    .all(JSON.stringify(loweredNames(named)), inst, entity) as ScopeSyncRow[];
}

function troubledRows(statements: Statements, { inst, entity, scheduled, isWhole }: Place, stale: string): ScopeSyncRow[] {
  return statements
    .get(
      `SELECT s.name AS scope, t.completed_at, t.problem FROM ${statesOfScopes}
        AND (t.completed_at IS NULL OR t.problem IS NOT NULL OR (t.completed_at < ? AND ${isScheduled}))
        ORDER BY ${worstFirstOrder} LIMIT ${mostTroubled}`,
    )
    .all(inst, entity, stale, scheduled, isWhole) as ScopeSyncRow[];
}
