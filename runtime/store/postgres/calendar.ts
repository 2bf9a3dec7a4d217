import { type Database, type Queries, raw, sql } from "../../postgres/index.ts";
import { instanceRemoved, type Lease, leaseLost, mayTakeLease, removedOwner } from "../lease.ts";
import type { Fenced, Schedule, StoreInstance } from "../store.ts";

// Leases and schedules: which process syncs an instance, and when it is synced. The time of a lease is the server's, because the clocks of
// machines differ.

export const now = raw("(extract(epoch FROM clock_timestamp()) * 1000)::bigint");

/** Only one process at a time may sync an instance, because the passes of two would remove each other's records. */
export function takeLease(database: Database, inst: number, owner: string, seconds: number): Promise<number | null> {
  const work = async (queries: Queries) => {
    await queries.run(
      sql`INSERT INTO store_leases (inst, owner, until, fence) VALUES (${inst}, '', 0, 0) ON CONFLICT DO NOTHING`,
    );
    const [held] = await queries.query<Lease & { readonly now: number }>(
      sql`SELECT owner, until, ${now} AS now FROM store_leases WHERE inst = ${inst} FOR UPDATE`,
    );
    if (held?.owner === removedOwner) throw instanceRemoved();
    if (held === undefined || !mayTakeLease(held, owner, held.now)) return null;
    const [taken] = await queries.query<{ readonly fence: number }>(
      sql`UPDATE store_leases SET fence = CASE WHEN owner = ${owner} THEN fence ELSE fence + 1 END, owner = ${owner},
        until = ${now} + ${seconds * 1000}::bigint WHERE inst = ${inst} RETURNING fence`,
    );
    return taken?.fence ?? null;
  };
  return database.transaction(work, { repeatable: true });
}

/** Takes the lease from whoever has it. Writes under it that have begun end first. */
export async function seizeLease(database: Database, inst: number, owner: string, seconds: number): Promise<number> {
  const [seized] = await database.query<{ readonly fence: number }>(
    sql`INSERT INTO store_leases (inst, owner, until, fence) VALUES (${inst}, ${owner}, ${now} + ${seconds * 1000}::bigint, 1)
      ON CONFLICT (inst) DO UPDATE SET owner = excluded.owner, until = excluded.until,
        fence = CASE WHEN store_leases.owner = excluded.owner THEN store_leases.fence ELSE store_leases.fence + 1 END
      RETURNING fence`,
  );
  if (seized === undefined) throw new Error("the lease was not written");
  return seized.fence;
}

/**
 * Keeps the lease as it is until the caller's transaction ends.
 *
 * @throws TenonError `sync_running` when another owner has taken it, `unknown_connector` when the instance was removed
 */
export async function holdLease(queries: Queries, inst: number, { fence }: Fenced): Promise<void> {
  if (fence === undefined) return;
  const [held] = await queries.query<{ readonly owner: string; readonly fence: number }>(
    sql`SELECT owner, fence FROM store_leases WHERE inst = ${inst} FOR SHARE`,
  );
  if (held?.fence !== fence) throw leaseLost(held?.owner);
}

export async function isLeased(database: Database, { connector, instance }: StoreInstance): Promise<boolean> {
  const rows = await database.query(
    sql`SELECT 1 FROM store_leases l JOIN store_instances i ON i.id = l.inst WHERE i.connector = ${connector} AND i.name = ${instance} AND l.until > ${now}`,
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

/** Notes that a scheduled sync begins now. */
export async function noteStart(database: Database, inst: number): Promise<void> {
  await database.run(sql`UPDATE store_schedules SET started_at = ${new Date().toISOString()} WHERE inst = ${inst}`);
}
