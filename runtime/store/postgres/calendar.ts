import { type Database, type Queries, raw, sql } from "../../postgres/index.ts";
import { type LeaseAsk, mayTakeOver, type StoredLease, takenOver } from "../lease.ts";
import type { Fenced, Schedule, ScopePlace, StoreInstance } from "../store.ts";

// Leases and schedules: which process syncs what, and when. The time of a lease is the server's, because the clocks of
// machines differ.

export const now = raw("(extract(epoch FROM clock_timestamp()) * 1000)::bigint");

/**
 * Takes, extends or gives back a lease; see `SyncStore.lease`. Whoever takes one locks the lease of the whole instance first, so that the
 * fencing numbers of an instance grow.
 */
export function takeLease(database: Database, inst: number, ask: LeaseAsk, seconds: number): Promise<number | null> {
  const { scope, owner, run } = ask;
  const until = sql`${now} + ${seconds * 1000}::bigint`;
  const own = sql`inst = ${inst} AND scope = ${scope}`;
  const work = async (queries: Queries) => {
    const synced = seconds === 0 ? (run ?? null) : null;
    const [renewed] = await queries.query<FenceRow>(
      sql`UPDATE store_leases SET until = ${until}, run = coalesce(${synced}::text, run) WHERE ${own} AND owner = ${owner} AND fence > 0
        RETURNING fence`,
    );
    if (renewed !== undefined || seconds === 0) return renewed?.fence ?? null;
    await queries.run(
      sql`INSERT INTO store_leases (inst, scope, owner, until, fence) SELECT ${inst}, one, '', 0, 0
        FROM unnest(${[...new Set(["", scope])]}::text[]) AS one ON CONFLICT DO NOTHING`,
    );
    const overlapping = scope === "" ? sql`inst = ${inst}` : sql`inst = ${inst} AND scope IN ('', ${scope})`;
    const held = await queries.query<StoredLease & { readonly now: number }>(
      sql`SELECT scope, owner, until, run, ${now} AS now FROM store_leases WHERE ${overlapping} ORDER BY scope FOR UPDATE`,
    );
    if (!mayTakeOver(held, ask, Math.max(...held.map((one) => one.now)))) return null;
    const [last] = await queries.query<FenceRow>(sql`SELECT max(fence) AS fence FROM store_leases WHERE inst = ${inst}`);
    const fence = (last?.fence ?? 0) + 1;
    // Whoever had an overlapping lease, and wakes up after it has run out, has a fencing number that is nowhere any longer.
    await queries.run(
      sql`UPDATE store_leases SET owner = '', until = 0, fence = 0 WHERE ${overlapping} AND scope <> ${scope} AND fence > 0`,
    );
    await queries.run(sql`UPDATE store_leases SET owner = ${owner}, until = ${until}, fence = ${fence} WHERE ${own}`);
    return fence;
  };
  return database.transaction(work, { repeatable: true });
}

interface FenceRow {
  readonly fence: number;
}

/**
 * Keeps a lease as it is until the caller's transaction ends.
 *
 * @throws TenonError `sync_running` when another owner has taken it, or one that overlaps
 */
export async function holdLease(queries: Queries, inst: number, scope: string, { fence }: Fenced): Promise<void> {
  if (fence === undefined) return;
  const rows = await queries.query(
    sql`SELECT 1 FROM store_leases WHERE inst = ${inst} AND scope IN ('', ${scope}) AND fence = ${fence} FOR SHARE`,
  );
  if (rows.length === 0) throw takenOver();
}

export async function isLeased(database: Database, { connector, instance, scope }: ScopePlace): Promise<boolean> {
  const which = scope === undefined ? sql`TRUE` : sql`l.scope IN ('', ${scope})`;
  const rows = await database.query(
    sql`SELECT 1 FROM store_leases l JOIN store_instances i ON i.id = l.inst
      WHERE i.connector = ${connector} AND i.name = ${instance} AND l.until > ${now} AND ${which} LIMIT 1`,
  );
  return rows.length > 0;
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
