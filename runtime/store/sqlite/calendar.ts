import { hostname } from "node:os";
import type { Schedule, StoreInstance } from "../store.ts";
import type { Connection, Statements } from "./connection.ts";

/** Who syncs an instance, and when it is to be synced by itself. */
export class Calendar {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #instance: (connector: string, name: string) => number;

  /** @param instance gives the number of a connector instance */
  constructor(db: Connection, statements: Statements, instance: (connector: string, name: string) => number) {
    this.#db = db;
    this.#statements = statements;
    this.#instance = instance;
  }

  /** Only one process at a time syncs an instance: two would tell each other's pages apart only by luck. */
  lease({ connector, instance }: StoreInstance, owner: string, seconds: number): boolean {
    return this.#db
      .transaction(() => {
        const inst = this.#instance(connector, instance);
        const now = Date.now();
        const held = this.#db
          .prepare<[number], { owner: string; until: number }>("SELECT owner, until FROM leases WHERE inst = ?")
          .get(inst);
        if (held !== undefined && held.owner !== owner && held.until > now && !isDead(held.owner)) return false;
        this.#db
          .prepare("INSERT OR REPLACE INTO leases (inst, owner, until) VALUES (?, ?, ?)")
          .run(inst, owner, now + seconds * 1000);
        return true;
      })
      .immediate();
  }

  /** Whether any process syncs the instance now. */
  leased({ connector, instance }: StoreInstance): boolean {
    const until = this.#statements
      .get("SELECT l.until FROM leases l JOIN instances i ON i.id = l.inst WHERE i.connector = ? AND i.name = ?")
      .pluck()
      .get(connector, instance);
    return Number(until ?? 0) > Date.now();
  }

  /** What is synced by itself; null when nothing is. */
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

  /** The schedule's sync begins now. */
  started({ connector, instance }: StoreInstance): void {
    this.#statements
      .get("UPDATE schedules SET started_at = ? WHERE inst = ?")
      .run(new Date().toISOString(), this.#instance(connector, instance));
  }
}

/** Whether an owner (`host:process:…`) was a process of this machine that has ended without giving back its lease. */
function isDead(owner: string): boolean {
  const [host, pid] = owner.split(":");
  if (host !== hostname() || !/^\d+$/.test(pid ?? "")) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH";
  }
}
