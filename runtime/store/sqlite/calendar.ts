import {
  isHeld,
  type Lease,
  type LeaseAsk,
  type LeaseOf,
  mayTakeOver,
  removedOwner,
  type StoredLease,
  takenFamilies,
} from "../lease.ts";
import type { LeasePlace, Schedule, ScopePlace, StoreInstance, TakenFamily } from "../store.ts";
import type { Connection, Statements } from "./connection.ts";
import type { SqlValue } from "./sql.ts";

/** Stores leases and schedules: which process syncs what, and when. */
export class Calendar {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #instance: (connector: string, name: string) => number;

  /** @param instance gives the id of a connector instance */
  constructor(db: Connection, statements: Statements, instance: (connector: string, name: string) => number) {
    this.#db = db;
    this.#statements = statements;
    this.#instance = instance;
  }

  /** Takes, extends or gives back a lease; see `SyncStore.lease`. */
  lease(
    { connector, instance, scope = "", family = "" }: LeasePlace,
    owner: string,
    seconds: number,
    run?: string,
  ): number | null {
    const ask = { scope, family, owner, run };
    return this.#db
      .transaction(() => {
        const inst = this.#instance(connector, instance);
        const renewed = this.#renew(inst, { ...ask, run: seconds === 0 ? run : undefined }, seconds);
        if (renewed !== null || seconds === 0) return renewed;
        const { where, params } = overlapping(inst, ask);
        const held = this.#statements
          .get(`SELECT scope, family, owner, until, run FROM leases WHERE ${where}`)
          .all(...params) as StoredLease[];
        return mayTakeOver(held, ask, Date.now()) ? this.#give(inst, ask, seconds) : null;
      })
      .immediate();
  }

  /** Takes the lease of an instance, and all those in it, from whoever has them. */
  seize({ connector, instance }: StoreInstance, owner: string, seconds: number): number {
    const ask = { scope: "", family: "", owner, run: undefined };
    return this.#db
      .transaction(() => {
        const inst = this.#instance(connector, instance);
        return this.#renew(inst, ask, seconds) ?? this.#give(inst, ask, seconds);
      })
      .immediate();
  }

  taken({ connector, instance, scope }: Required<ScopePlace>, run: string): TakenFamily[] {
    const stored = this.#db
      .prepare<[string, string, string], StoredLease>(
        "SELECT l.scope, l.family, l.owner, l.until, l.run FROM leases l JOIN instances i ON i.id = l.inst WHERE i.connector = ? AND i.name = ? AND l.scope IN ('', ?)",
      )
      .all(connector, instance, scope);
    return takenFamilies(stored, run, Date.now());
  }

  /** Extends a lease of an owner that has it. @returns its fencing number; null where the owner does not have it */
  #renew(inst: number, { scope, family, owner, run }: LeaseAsk, seconds: number): number | null {
    const renewed = this.#statements
      .get(
        "UPDATE leases SET until = ?, run = coalesce(?, run) WHERE inst = ? AND scope = ? AND family = ? AND owner = ? AND fence > 0 RETURNING fence",
      )
      .pluck()
      .get(Date.now() + seconds * 1000, run ?? null, inst, scope, family, owner);
    return renewed === undefined ? null : Number(renewed);
  }

  /** Whoever had a lease that overlaps, and wakes up after it has run out, has a fencing number that is nowhere any longer. */
  #give(inst: number, { scope, family, owner }: LeaseAsk, seconds: number): number {
    // The time in the number makes it new even where the lease with the greatest one was removed together with its scope.
    const last = this.#statements.get("SELECT max(fence) FROM leases WHERE inst = ?").pluck().get(inst);
    const fence = Math.max(Number(last ?? 0) + 1, Date.now());
    const { where, params } = overlapping(inst, { scope, family });
    const end =
      owner === removedOwner
        ? `DELETE FROM leases WHERE ${where}`
        : `UPDATE leases SET owner = '', until = 0, fence = 0 WHERE ${where} AND fence > 0`;
    this.#statements.get(end).run(...params);
    this.#statements
      .get(
        "INSERT INTO leases (inst, scope, family, owner, until, fence) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET owner = excluded.owner, until = excluded.until, fence = excluded.fence",
      )
      .run(inst, scope, family, owner, Date.now() + seconds * 1000, fence);
    return fence;
  }

  leased({ connector, instance, scope }: ScopePlace): boolean {
    const now = Date.now();
    const rows = this.#db
      .prepare<(string | number | null)[], Lease>(
        "SELECT l.owner, l.until FROM leases l JOIN instances i ON i.id = l.inst WHERE i.connector = ? AND i.name = ? AND l.until > ? AND (? IS NULL OR l.scope IN ('', ?))",
      )
      .all(connector, instance, now, scope ?? null, scope ?? null);
    return rows.some((held) => isHeld(held, now));
  }

  /** Whether any instance of a connector is synced now. */
  anyLeased(connector: string): boolean {
    const until = this.#statements
      .get("SELECT max(l.until) FROM leases l JOIN instances i ON i.id = l.inst WHERE i.connector = ?")
      .pluck()
      .get(connector);
    return Number(until ?? 0) > Date.now();
  }

  schedule({ connector, instance }: StoreInstance): Schedule | null {
    const row = this.#db
      .prepare<[string, string], { scopes: string; minutes: number; started_at: string | null }>(
        "SELECT s.scopes, s.minutes, s.started_at FROM schedules s JOIN instances i ON i.id = s.inst WHERE i.connector = ? AND i.name = ?",
      )
      .get(connector, instance);
    return row === undefined
      ? null
      : { scopes: JSON.parse(row.scopes) as string[], minutes: row.minutes, startedAt: row.started_at };
  }

  setSchedule({ connector, instance }: StoreInstance, schedule: Omit<Schedule, "startedAt"> | null): void {
    const inst = this.#instance(connector, instance);
    if (schedule === null) this.#statements.get("DELETE FROM schedules WHERE inst = ?").run(inst);
    else
      this.#statements
        .get(
          "INSERT INTO schedules (inst, scopes, minutes) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET scopes = excluded.scopes, minutes = excluded.minutes",
        )
        .run(inst, JSON.stringify(schedule.scopes), schedule.minutes);
  }

  started({ connector, instance }: StoreInstance, before: string | null): string | null {
    const at = new Date().toISOString();
    const { changes } = this.#statements
      .get("UPDATE schedules SET started_at = ? WHERE inst = ? AND started_at IS ?")
      .run(at, this.#instance(connector, instance), before);
    return changes > 0 ? at : null;
  }
}

/** The leases that one overlaps, and itself, as a condition and its parameters. */
function overlapping(inst: number, { scope, family }: LeaseOf): { readonly where: string; readonly params: readonly SqlValue[] } {
  if (scope === "") return { where: "inst = ?", params: [inst] };
  if (family === "") return { where: "inst = ? AND scope IN ('', ?)", params: [inst, scope] };
  return { where: "inst = ? AND scope IN ('', ?) AND family IN ('', ?)", params: [inst, scope, family] };
}
