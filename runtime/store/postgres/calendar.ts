import { type Database, type Queries, raw, type Sql, sql } from "../../postgres/index.ts";
import { isHeld, type Lease, type LeaseAsk, leaseLost, mayTakeOver, removedOwner, type StoredLease } from "../lease.ts";
import type { Fenced, Schedule, ScopePlace, StoreInstance } from "../store.ts";
import { storedText } from "./text.ts";

// Leases and schedules: which process syncs what, and when. The time of a lease is the server's, because the clocks of
// machines differ.

export const now = raw("(extract(epoch FROM clock_timestamp()) * 1000)::bigint");

/**
 * Takes, extends or gives back a lease; see `SyncStore.lease`. Whoever takes one locks the lease of the whole instance first, so that the
 * fencing numbers of an instance grow.
 */
export function takeLease(database: Database, inst: number, ask: LeaseAsk, seconds: number): Promise<number | null> {
  const scope = storedText(ask.scope);
  const { owner, run } = ask;
  const work = async (queries: Queries) => {
    const renewed = await renewLease(queries, inst, { scope, owner, run: seconds === 0 ? run : undefined }, seconds);
    if (renewed !== null || seconds === 0) return renewed;
    const held = await overlappingLeases(queries, inst, scope);
    return mayTakeOver(held, { ...ask, scope }, Math.max(...held.map((one) => one.now)))
      ? giveLease(queries, inst, { ...ask, scope }, seconds)
      : null;
  };
  return database.transaction(work, { repeatable: true });
}

/** Takes the lease of an instance, and those of all its scopes, from whoever has them. Writes under them that have begun end first. */
export function seizeLease(database: Database, inst: number, owner: string, seconds: number): Promise<number> {
  const ask = { scope: "", owner, run: undefined };
  const work = async (queries: Queries) => {
    const renewed = await renewLease(queries, inst, ask, seconds);
    if (renewed !== null) return renewed;
    await overlappingLeases(queries, inst, "");
    return giveLease(queries, inst, ask, seconds);
  };
  return database.transaction(work, { repeatable: true });
}

/** Extends a lease of an owner that has it. @returns its fencing number; null where the owner does not have it */
async function renewLease(
  queries: Queries,
  inst: number,
  { scope, owner, run }: LeaseAsk,
  seconds: number,
): Promise<number | null> {
  const [renewed] = await queries.query<FenceRow>(
    sql`UPDATE store_leases SET until = ${now} + ${seconds * 1000}::bigint, run = coalesce(${run ?? null}::text, run)
      WHERE inst = ${inst} AND scope = ${scope} AND owner = ${owner} AND fence > 0 RETURNING fence`,
  );
  return renewed?.fence ?? null;
}

type TimedLease = StoredLease & { readonly now: number };

/** Locks the leases that one would overlap, and itself. Those that are missing are made first. */
async function overlappingLeases(queries: Queries, inst: number, scope: string): Promise<TimedLease[]> {
  const names = [...new Set(["", scope])];
  await queries.run(
    sql`INSERT INTO store_leases (inst, scope, owner, until, fence) SELECT ${inst}, name, '', 0, 0 FROM unnest(${names}::text[]) AS name
      ON CONFLICT DO NOTHING`,
  );
  return queries.query<TimedLease>(
    sql`SELECT scope, owner, until, run, ${now} AS now FROM store_leases WHERE ${overlapping(inst, scope)} ORDER BY scope FOR UPDATE`,
  );
}

function overlapping(inst: number, scope: string): Sql {
  return scope === "" ? sql`inst = ${inst}` : sql`inst = ${inst} AND scope IN ('', ${scope})`;
}

/** A process whose overlapping lease ran out while it was stopped holds a fencing number that no lease has any longer. */
async function giveLease(queries: Queries, inst: number, { scope, owner }: LeaseAsk, seconds: number): Promise<number> {
  // The time in the number makes it new even where the lease with the greatest one was removed together with its scope.
  const [next] = await queries.query<FenceRow>(
    sql`SELECT greatest(max(fence) + 1, ${now}) AS fence FROM store_leases WHERE inst = ${inst}`,
  );
  const fence = next?.fence ?? 0;
  const others = sql`${overlapping(inst, scope)} AND scope <> ${scope}`;
  await queries.run(
    owner === removedOwner
      ? sql`DELETE FROM store_leases WHERE ${others}`
      : sql`UPDATE store_leases SET owner = '', until = 0, fence = 0 WHERE ${others}`,
  );
  await queries.run(
    sql`UPDATE store_leases SET owner = ${owner}, until = ${now} + ${seconds * 1000}::bigint, fence = ${fence}
      WHERE inst = ${inst} AND scope = ${scope}`,
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
