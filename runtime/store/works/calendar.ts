import { changesOf, type Dialect, rowOf, rowsOf, type Sql, sql, type Work } from "../../sql/index.ts";
import { isHeld, type LeaseAsk, type LeaseOf, mayTakeOver, removedOwner, type StoredLease, takenFamilies } from "../lease.ts";
import type { Schedule, ScopePlace, StoreInstance, TakenFamily } from "../store.ts";

// Leases and schedules: which process syncs what, and when. The time of a lease is that of the engine's clock, because the clocks of
// machines differ. Texts are given as they are stored.

/** A lease with the time at which it was read. */
type TimedLease = StoredLease & { readonly now: number };

interface ScheduleRow {
  readonly scopes: string;
  readonly minutes: number;
  readonly started_at: string | null;
}

/** The units of work of the calendar, for an engine. */
export function calendarOf({ lock, now }: Dialect) {
  /** Extends a lease of an owner that has it. @returns its fencing number; null where the owner does not have it */
  function* renew(inst: number, { scope, family, owner, run }: LeaseAsk, seconds: number): Work<number | null> {
    const renewed = yield* rowOf<{ fence: number }>(
      sql`UPDATE store_leases SET until = ${now()} + ${seconds * 1000}, run = coalesce(CAST(${run ?? null} AS text), run)
        WHERE inst = ${inst} AND scope = ${scope} AND family = ${family} AND owner = ${owner} AND fence > 0 RETURNING fence`,
    );
    return renewed?.fence ?? null;
  }

  /**
   * Locks the leases that one would overlap, and itself. It is made first where it is missing, and so is that of the whole instance, whose
   * lock lets the fencing numbers of an instance grow.
   */
  function* overlappingLeases(inst: number, of: LeaseOf): Work<TimedLease[]> {
    for (const { scope, family } of of.scope === "" ? [of] : [{ scope: "", family: "" }, of])
      yield* changesOf(
        sql`INSERT INTO store_leases (inst, scope, family, owner, until, fence) VALUES (${inst}, ${scope}, ${family}, '', 0, 0)
          ON CONFLICT DO NOTHING`,
      );
    // A statement does not see the leases that others make while it waits, so that it must not wait for these.
    yield* rowsOf(sql`SELECT 1 FROM store_leases WHERE inst = ${inst} AND scope = '' AND family = ''${lock.change}`);
    return yield* rowsOf<TimedLease>(
      sql`SELECT scope, family, owner, until, run, ${now()} AS now FROM store_leases WHERE ${overlapping(inst, of)}
        ORDER BY scope, family${lock.change}`,
    );
  }

  /** A process whose overlapping lease ran out while it was stopped holds a fencing number that no lease has any longer. */
  function* give(inst: number, ask: LeaseAsk, seconds: number): Work<number> {
    const { scope, family, owner } = ask;
    const last = yield* rowOf<{ fence: number | null; now: number }>(
      sql`SELECT max(fence) AS fence, ${now()} AS now FROM store_leases WHERE inst = ${inst}`,
    );
    // The time in the number makes it new even where the lease with the greatest one was removed together with its scope.
    const fence = Math.max((last?.fence ?? 0) + 1, last?.now ?? 0);
    const others = sql`${overlapping(inst, ask)} AND (scope, family) <> (${scope}, ${family})`;
    yield* changesOf(
      owner === removedOwner
        ? sql`DELETE FROM store_leases WHERE ${others}`
        : sql`UPDATE store_leases SET owner = '', until = 0, fence = 0 WHERE ${others} AND fence > 0`,
    );
    yield* changesOf(
      sql`UPDATE store_leases SET owner = ${owner}, until = ${now()} + ${seconds * 1000}, fence = ${fence}
        WHERE inst = ${inst} AND scope = ${scope} AND family = ${family}`,
    );
    return fence;
  }

  return {
    /** Takes, extends or gives back a lease; see `SyncStore.lease`. */
    *takeLease(inst: number, ask: LeaseAsk, seconds: number): Work<number | null> {
      const renewed = yield* renew(inst, { ...ask, run: seconds === 0 ? ask.run : undefined }, seconds);
      if (renewed !== null || seconds === 0) return renewed;
      const held = yield* overlappingLeases(inst, ask);
      return mayTakeOver(held, ask, latest(held)) ? yield* give(inst, ask, seconds) : null;
    },

    /** Takes the lease of an instance, and all those in it, from whoever has them. Writes under them that have begun end first. */
    *seizeLease(inst: number, owner: string, seconds: number): Work<number> {
      const ask = { scope: "", family: "", owner, run: undefined };
      const renewed = yield* renew(inst, ask, seconds);
      if (renewed !== null) return renewed;
      yield* overlappingLeases(inst, ask);
      return yield* give(inst, ask, seconds);
    },

    /** What of a scope nobody could take for a run of the schedule now. */
    *taken({ connector, instance, scope }: Required<ScopePlace>, run: string): Work<TakenFamily[]> {
      const rows = yield* rowsOf<TimedLease>(
        sql`SELECT l.scope, l.family, l.owner, l.until, l.run, ${now()} AS now FROM store_leases l JOIN store_instances i ON i.id = l.inst
          WHERE i.connector = ${connector} AND i.name = ${instance} AND l.scope IN ('', ${scope})`,
      );
      return takenFamilies(rows, run, latest(rows));
    },

    /** Whether anybody has a lease of an instance, or of something in it. */
    *isLeased({ connector, instance, scope }: ScopePlace): Work<boolean> {
      const which = scope === undefined ? sql`TRUE` : sql`l.scope IN ('', ${scope})`;
      const rows = yield* rowsOf<TimedLease>(
        sql`SELECT l.owner, l.until, ${now()} AS now FROM store_leases l JOIN store_instances i ON i.id = l.inst
          WHERE i.connector = ${connector} AND i.name = ${instance} AND l.until > ${now()} AND ${which}`,
      );
      return rows.some((held) => isHeld(held, held.now));
    },

    *readSchedule({ connector, instance }: StoreInstance): Work<Schedule | null> {
      const row = yield* rowOf<ScheduleRow>(
        sql`SELECT s.scopes, s.minutes, s.started_at FROM store_schedules s JOIN store_instances i ON i.id = s.inst
          WHERE i.connector = ${connector} AND i.name = ${instance}`,
      );
      return row === undefined
        ? null
        : { scopes: JSON.parse(row.scopes) as string[], minutes: row.minutes, startedAt: row.started_at };
    },

    *setSchedule(inst: number, schedule: Omit<Schedule, "startedAt"> | null): Work<void> {
      yield* changesOf(
        schedule === null
          ? sql`DELETE FROM store_schedules WHERE inst = ${inst}`
          : sql`INSERT INTO store_schedules (inst, scopes, minutes) VALUES (${inst}, ${JSON.stringify(schedule.scopes)}, ${schedule.minutes})
              ON CONFLICT (inst) DO UPDATE SET scopes = excluded.scopes, minutes = excluded.minutes`,
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
function overlapping(inst: number, { scope, family }: LeaseOf): Sql {
  if (scope === "") return sql`inst = ${inst}`;
  const ofScope = sql`inst = ${inst} AND scope IN ('', ${scope})`;
  return family === "" ? ofScope : sql`${ofScope} AND family IN ('', ${family})`;
}
