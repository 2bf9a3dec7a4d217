import { type Database, type Queries, raw, type Sql, sql } from "../../postgres/index.ts";
import {
  isHeld,
  type Lease,
  type LeaseAsk,
  type LeaseOf,
  leaseLost,
  mayTakeOver,
  removedOwner,
  type StoredLease,
  takenFamilies,
} from "../lease.ts";
import type { Fenced, Schedule, ScopePlace, StoreInstance, TakenFamily } from "../store.ts";
import { storedText } from "./text.ts";

// Leases and schedules: which process syncs what, and when. The time of a lease is the server's, because the clocks of
// machines differ.

export const now = raw("(extract(epoch FROM clock_timestamp()) * 1000)::bigint");

/**
 * Takes, extends or gives back a lease; see `SyncStore.lease`. Whoever takes one locks the lease of the whole instance first, so that the
 * fencing numbers of an instance grow.
 */
export function takeLease(database: Database, inst: number, given: LeaseAsk, seconds: number): Promise<number | null> {
  const ask = { ...given, scope: storedText(given.scope) };
  const work = async (queries: Queries) => {
    const renewed = await renewLease(queries, inst, { ...ask, run: seconds === 0 ? ask.run : undefined }, seconds);
    if (renewed !== null || seconds === 0) return renewed;
    const held = await overlappingLeases(queries, inst, ask);
    return mayTakeOver(held, ask, Math.max(...held.map((one) => one.now))) ? giveLease(queries, inst, ask, seconds) : null;
  };
  return database.transaction(work, { repeatable: true });
}

/** Takes the lease of an instance, and all those in it, from whoever has them. Writes under them that have begun end first. */
export function seizeLease(database: Database, inst: number, owner: string, seconds: number): Promise<number> {
  const ask = { scope: "", family: "", owner, run: undefined };
  const work = async (queries: Queries) => {
    const renewed = await renewLease(queries, inst, ask, seconds);
    if (renewed !== null) return renewed;
    await overlappingLeases(queries, inst, ask);
    return giveLease(queries, inst, ask, seconds);
  };
  return database.transaction(work, { repeatable: true });
}

/** Extends a lease of an owner that has it. @returns its fencing number; null where the owner does not have it */
async function renewLease(
  queries: Queries,
  inst: number,
  { scope, family, owner, run }: LeaseAsk,
  seconds: number,
): Promise<number | null> {
  const [renewed] = await queries.query<FenceRow>(
    sql`UPDATE store_leases SET until = ${now} + ${seconds * 1000}::bigint, run = coalesce(${run ?? null}::text, run)
      WHERE inst = ${inst} AND scope = ${scope} AND family = ${family} AND owner = ${owner} AND fence > 0 RETURNING fence`,
  );
  return renewed?.fence ?? null;
}

type TimedLease = StoredLease & { readonly now: number };

/** Locks the leases that one would overlap, and itself. It is made first where it is missing, and so is that of the whole instance. */
async function overlappingLeases(queries: Queries, inst: number, of: LeaseOf): Promise<TimedLease[]> {
  await queries.run(
    sql`INSERT INTO store_leases (inst, scope, family, owner, until, fence)
      SELECT ${inst}, scope, family, '', 0, 0 FROM unnest(${["", of.scope]}::text[], ${["", of.family]}::text[]) AS made (scope, family)
      ON CONFLICT DO NOTHING`,
  );
  // A statement does not see the leases that others make while it waits, so that it must not wait for these.
  await queries.query(sql`SELECT 1 FROM store_leases WHERE inst = ${inst} AND scope = '' AND family = '' FOR UPDATE`);
  return queries.query<TimedLease>(
    sql`SELECT scope, family, owner, until, run, ${now} AS now FROM store_leases WHERE ${overlapping(inst, of)} ORDER BY scope, family FOR UPDATE`,
  );
}

function overlapping(inst: number, { scope, family }: LeaseOf): Sql {
  if (scope === "") return sql`inst = ${inst}`;
  const ofScope = sql`inst = ${inst} AND scope IN ('', ${scope})`;
  return family === "" ? ofScope : sql`${ofScope} AND family IN ('', ${family})`;
}

/** A process whose overlapping lease ran out while it was stopped holds a fencing number that no lease has any longer. */
async function giveLease(queries: Queries, inst: number, ask: LeaseAsk, seconds: number): Promise<number> {
  const { scope, family, owner } = ask;
  // The time in the number makes it new even where the lease with the greatest one was removed together with its scope.
  const [next] = await queries.query<FenceRow>(
    sql`SELECT greatest(max(fence) + 1, ${now}) AS fence FROM store_leases WHERE inst = ${inst}`,
  );
  const fence = next?.fence ?? 0;
  const others = sql`${overlapping(inst, ask)} AND (scope, family) <> (${scope}, ${family})`;
  await queries.run(
    owner === removedOwner
      ? sql`DELETE FROM store_leases WHERE ${others}`
      : sql`UPDATE store_leases SET owner = '', until = 0, fence = 0 WHERE ${others} AND fence > 0`,
  );
  await queries.run(
    sql`UPDATE store_leases SET owner = ${owner}, until = ${now} + ${seconds * 1000}::bigint, fence = ${fence}
      WHERE inst = ${inst} AND scope = ${scope} AND family = ${family}`,
  );
  return fence;
}

interface FenceRow {
  readonly fence: number;
}

/**
 * Keeps a lease as it is until the caller's transaction ends.
 *
 * @throws TenonError `sync_running` when another owner has taken it, or one that overlaps; `unknown_connector` when the instance was removed
 */
export async function holdLease(queries: Queries, inst: number, scope: string, { fence }: Fenced): Promise<void> {
  if (fence === undefined) return;
  const rows = await queries.query(
    sql`SELECT 1 FROM store_leases WHERE inst = ${inst} AND scope IN ('', ${storedText(scope)}) AND fence = ${fence} FOR SHARE`,
  );
  if (rows.length > 0) return;
  const [whole] = await queries.query<{ readonly owner: string }>(
    sql`SELECT owner FROM store_leases WHERE inst = ${inst} AND scope = ''`,
  );
  throw leaseLost(whole?.owner);
}

/** What of a scope nobody could take for a run of the schedule now. */
export async function readTaken(
  database: Database,
  { connector, instance, scope }: Required<ScopePlace>,
  run: string,
): Promise<TakenFamily[]> {
  const rows = await database.query<TimedLease>(
    sql`SELECT l.scope, l.family, l.owner, l.until, l.run, ${now} AS now FROM store_leases l JOIN store_instances i ON i.id = l.inst
      WHERE i.connector = ${connector} AND i.name = ${instance} AND l.scope IN ('', ${storedText(scope)})`,
  );
  return takenFamilies(rows, run, Math.max(...rows.map((one) => one.now)));
}

export async function isLeased(database: Database, { connector, instance, scope }: ScopePlace): Promise<boolean> {
  const which = scope === undefined ? sql`TRUE` : sql`l.scope IN ('', ${storedText(scope)})`;
  const rows = await database.query<Lease & { readonly now: number }>(
    sql`SELECT l.owner, l.until, ${now} AS now FROM store_leases l JOIN store_instances i ON i.id = l.inst
      WHERE i.connector = ${connector} AND i.name = ${instance} AND l.until > ${now} AND ${which}`,
  );
  return rows.some((held) => isHeld(held, held.now));
}

interface ScheduleRow {
  readonly scopes: string;
  readonly minutes: number;
  readonly started_at: string | null;
}

export async function readSchedule(database: Database, { connector, instance }: StoreInstance): Promise<Schedule | null> {
  const [row] = await database.query<ScheduleRow>(
    sql`SELECT s.scopes, s.minutes, s.started_at FROM store_schedules s JOIN store_instances i ON i.id = s.inst
      WHERE i.connector = ${connector} AND i.name = ${instance}`,
  );
  return row === undefined
    ? null
    : { scopes: JSON.parse(row.scopes) as string[], minutes: row.minutes, startedAt: row.started_at };
}

export async function storeSchedule(
  database: Database,
  inst: number,
  schedule: Omit<Schedule, "startedAt"> | null,
): Promise<void> {
  await database.run(
    schedule === null
      ? sql`DELETE FROM store_schedules WHERE inst = ${inst}`
      : sql`INSERT INTO store_schedules (inst, scopes, minutes) VALUES (${inst}, ${JSON.stringify(schedule.scopes)}, ${schedule.minutes})
          ON CONFLICT (inst) DO UPDATE SET scopes = excluded.scopes, minutes = excluded.minutes`,
  );
}

/** Notes that a scheduled sync begins now; see `SyncStore.started`. */
export async function noteStart(database: Database, inst: number, before: string | null): Promise<string | null> {
  const at = new Date().toISOString();
  const noted = await database.run(
    sql`UPDATE store_schedules SET started_at = ${at} WHERE inst = ${inst} AND started_at IS NOT DISTINCT FROM ${before}::text`,
  );
  return noted > 0 ? at : null;
}
