import { instanceRemoved, type Lease, mayTakeLease, removedOwner } from "../lease.ts";
import type { Schedule, StoreInstance } from "../store.ts";
import type { Connection, Statements } from "./connection.ts";

type HeldLease = Lease & { readonly fence: number };

/** Stores leases and schedules: which process syncs an instance, and when it is synced. */
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

  /** Only one process at a time may sync an instance, because the passes of two would remove each other's records. */
  lease({ connector, instance }: StoreInstance, owner: string, seconds: number): number | null {
    return this.#db
      .transaction(() => {
        const inst = this.#instance(connector, instance);
        const held = this.#held(inst);
        if (held?.owner === removedOwner) throw instanceRemoved();
        return mayTakeLease(held, owner, Date.now()) ? this.#give(inst, owner, seconds, held) : null;
      })
      .immediate();
  }

  /** Takes the lease from whoever has it. */
  seize({ connector, instance }: StoreInstance, owner: string, seconds: number): number {
    return this.#db
      .transaction(() => {
        const inst = this.#instance(connector, instance);
        return this.#give(inst, owner, seconds, this.#held(inst));
      })
      .immediate();
  }

  #held(inst: number): HeldLease | undefined {
    return this.#db.prepare<[number], HeldLease>("SELECT owner, until, fence FROM leases WHERE inst = ?").get(inst);
  }

  #give(inst: number, owner: string, seconds: number, held: HeldLease | undefined): number {
    const fence = (held?.fence ?? 0) + (held?.owner === owner ? 0 : 1);
    this.#db
      .prepare("INSERT OR REPLACE INTO leases (inst, owner, until, fence) VALUES (?, ?, ?, ?)")
      .run(inst, owner, Date.now() + seconds * 1000, fence);
    return fence;
  }

  leased({ connector, instance }: StoreInstance): boolean {
    const until = this.#statements
      .get("SELECT l.until FROM leases l JOIN instances i ON i.id = l.inst WHERE i.connector = ? AND i.name = ?")
      .pluck()
      .get(connector, instance);
    return Number(until ?? 0) > Date.now();
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

  started({ connector, instance }: StoreInstance): void {
    this.#statements
      .get("UPDATE schedules SET started_at = ? WHERE inst = ?")
      .run(new Date().toISOString(), this.#instance(connector, instance));
  }
}
