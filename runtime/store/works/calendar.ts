import { changesOf, type Dialect, rowOf, rowsOf, type Sql, sql, type Work } from "../../sql/index.ts";
import { readSchedule, type ScheduleRow } from "../collection-sync.ts";
import {
  isHeld,
  type LeaseOf,
  type LeaseRequest,
  mayTakeOver,
  removedOwner,
  type StoredLease,
  takenSyncGroups,
} from "../lease.ts";
import type { InstanceScope, Schedule, SetSchedule, StoreInstance, TakenSyncGroup } from "../store.ts";

// Leases and schedules: which process syncs what, and when. The time of a lease is that of the engine's clock, because the clocks of
// machines differ. Texts are given as they are stored.

/** A lease with the time at which it was read. */
type TimedLease = StoredLease & { readonly now: number };

/** The units of work of the calendar, for an engine. @param removeLog removes the change log of an instance that is removed */
export function calendarOf({ lock, now }: Dialect, removeLog: (inst: number) => Work<void>) {
  /** Extends a lease of an owner that has it. @returns its fencing token; null where the owner does not have it */
  function* renew(inst: number, { scope, syncGroup, owner, scheduledAt }: LeaseRequest, seconds: number): Work<number | null> {
    const renewed = yield* rowOf<{ fencing_token: number }>(
      sql`UPDATE store_leases SET until = ${now()} + ${seconds * 1000}, scheduled_at = coalesce(CAST(${scheduledAt ?? null} AS text), scheduled_at)
        WHERE inst = ${inst} AND scope = ${scope} AND sync_group = ${syncGroup} AND owner = ${owner} AND fencing_token > 0 RETURNING fencing_token`,
    );
    return renewed?.fencing_token ?? null;
  }

  /**
   * Locks the leases that one would overlap, and itself. It is made first where it is missing, and so is that of the whole instance, whose
   * lock lets the fencing tokens of an instance grow.
   */
  function* overlappingLeases(inst: number, of: LeaseOf): Work<TimedLease[]> {
    for (const { scope, syncGroup } of of.scope === "" ? [of] : [{ scope: "", syncGroup: "" }, of])
      yield* changesOf(
        sql`INSERT INTO store_leases (inst, scope, sync_group, owner, until, fencing_token) VALUES (${inst}, ${scope}, ${syncGroup}, '', 0, 0)
          ON CONFLICT DO NOTHING`,
      );
    // Locking this row first lets the next statement begin after others have committed, so that it sees the leases that they have taken:
    // a statement that waits for a lock does not see rows that were added meanwhile (READ COMMITTED).
    yield* rowsOf(sql`SELECT 1 FROM store_leases WHERE inst = ${inst} AND scope = '' AND sync_group = ''${lock.change}`);
    return yield* rowsOf<TimedLease>(
      sql`SELECT scope, sync_group AS "syncGroup", owner, until, scheduled_at AS "scheduledAt", ${now()} AS now FROM store_leases WHERE ${overlapping(inst, of)}
        ORDER BY scope, sync_group${lock.change}`,
    );
  }

  /** A process whose overlapping lease ran out while it was stopped holds a fencing token that no lease has any longer. */
  function* give(inst: number, request: LeaseRequest, seconds: number): Work<number> {
    const { scope, syncGroup, owner } = request;
    const last = yield* rowOf<{ greatest: number | null; now: number }>(
      sql`SELECT max(fencing_token) AS greatest, ${now()} AS now FROM store_leases WHERE inst = ${inst}`,
    );
    // The time in the number makes it new even where the lease with the greatest one was removed together with its scope.
    const fencingToken = Math.max((last?.greatest ?? 0) + 1, last?.now ?? 0);
    const others = sql`${overlapping(inst, request)} AND (scope, sync_group) <> (${scope}, ${syncGroup})`;
    yield* changesOf(
      owner === removedOwner
        ? sql`DELETE FROM store_leases WHERE ${others}`
        : sql`UPDATE store_leases SET owner = '', until = 0, fencing_token = 0 WHERE ${others} AND fencing_token > 0`,
    );
    if (owner === removedOwner) yield* removeLog(inst);
    yield* changesOf(
      sql`UPDATE store_leases SET owner = ${owner}, until = ${now()} + ${seconds * 1000}, fencing_token = ${fencingToken}
        WHERE inst = ${inst} AND scope = ${scope} AND sync_group = ${syncGroup}`,
    );
    return fencingToken;
  }

  return {
    /** Takes, extends or gives back a lease; see `SyncStore.lease`. */
    *takeLease(inst: number, request: LeaseRequest, seconds: number): Work<number | null> {
      const renewed = yield* renew(inst, { ...request, scheduledAt: seconds === 0 ? request.scheduledAt : undefined }, seconds);
      if (renewed !== null || seconds === 0) return renewed;
      const held = yield* overlappingLeases(inst, request);
      return mayTakeOver(held, request, latest(held)) ? yield* give(inst, request, seconds) : null;
    },

    /** Takes the lease of an instance, and all those in it, from whoever has them. Writes under them that have begun end first. */
    *seizeLease(inst: number, owner: string, seconds: number): Work<number> {
      const request = { scope: "", syncGroup: "", owner, scheduledAt: undefined };
      const renewed = yield* renew(inst, request, seconds);
      if (renewed !== null) return renewed;
      yield* overlappingLeases(inst, request);
      return yield* give(inst, request, seconds);
    },

    /** What of a scope nobody could take for a scheduled sync now. */
    *taken({ connector, instance, scope }: Required<InstanceScope>, scheduledAt: string): Work<TakenSyncGroup[]> {
      const rows = yield* rowsOf<TimedLease>(
        sql`SELECT l.scope, l.sync_group AS "syncGroup", l.owner, l.until, l.scheduled_at AS "scheduledAt", ${now()} AS now FROM store_leases l JOIN store_instances i ON i.id = l.inst
          WHERE i.connector = ${connector} AND i.name = ${instance} AND l.scope IN ('', ${scope})`,
      );
      return takenSyncGroups(rows, scheduledAt, latest(rows));
    },

    /** Whether anybody has a lease of an instance, or of something in it. */
    *isLeased({ connector, instance, scope }: InstanceScope): Work<boolean> {
      const which = scope === undefined ? sql`TRUE` : sql`l.scope IN ('', ${scope})`;
      const rows = yield* rowsOf<TimedLease>(
        sql`SELECT l.owner, l.until, ${now()} AS now FROM store_leases l JOIN store_instances i ON i.id = l.inst
          WHERE i.connector = ${connector} AND i.name = ${instance} AND l.until > ${now()} AND ${which}`,
      );
      return rows.some((held) => isHeld(held, held.now));
    },

    *readSchedule({ connector, instance }: StoreInstance): Work<Schedule | null> {
      const row = yield* rowOf<ScheduleRow>(
        sql`SELECT s.scopes, s.minutes, s.started_at, s.due FROM store_schedules s JOIN store_instances i ON i.id = s.inst
          WHERE i.connector = ${connector} AND i.name = ${instance}`,
      );
      const schedule = readSchedule(row);
      return schedule === null || row === undefined ? null : { ...schedule, startedAt: row.started_at };
    },

    *setSchedule(inst: number, schedule: SetSchedule | null): Work<void> {
      if (schedule === null) {
        yield* changesOf(sql`DELETE FROM store_schedules WHERE inst = ${inst}`);
        return;
      }
      const { scopes, minutes, due } = schedule;
      const given = due === undefined || due === null ? null : JSON.stringify(due);
      // A process that starts does not know yet what webhooks keep up to date.
      const kept = due === undefined ? sql`CASE WHEN s.scopes = excluded.scopes THEN s.due END` : sql`excluded.due`;
      yield* changesOf(
        sql`INSERT INTO store_schedules AS s (inst, scopes, minutes, due) VALUES (${inst}, ${JSON.stringify(scopes)}, ${minutes}, CAST(${given} AS text))
          ON CONFLICT (inst) DO UPDATE SET scopes = excluded.scopes, minutes = excluded.minutes, due = ${kept}`,
      );
    },

    /** Notes that a scheduled sync begins now; see `SyncStore.started`. */
    *noteStart(inst: number, before: string | null): Work<string | null> {
      const at = new Date().toISOString();
      const noted = yield* changesOf(
        sql`UPDATE store_schedules SET started_at = ${at} WHERE inst = ${inst} AND started_at IS NOT DISTINCT FROM CAST(${before} AS text)`,
      );
      return noted > 0 ? at : null;
    },
  };
}

/** When the last of some leases was read. */
function latest(rows: readonly TimedLease[]): number {
  return rows.reduce((last, { now }) => Math.max(last, now), 0);
}

/** The leases that one overlaps, and itself. */
function overlapping(inst: number, { scope, syncGroup }: LeaseOf): Sql {
  if (scope === "") return sql`inst = ${inst}`;
  const ofScope = sql`inst = ${inst} AND scope IN ('', ${scope})`;
  return syncGroup === "" ? ofScope : sql`${ofScope} AND sync_group IN ('', ${syncGroup})`;
}
