import { TenonError } from "../../errors.ts";
import { readProblem, type SyncProblem } from "../problem.ts";
import type { StoreInstance, SyncPosition, SyncShelf, SyncState } from "../store.ts";
import type { Connection, Statements } from "./connection.ts";

/** Numbers of a connector instance and of a scope within it. */
export interface PlaceNumbers {
  readonly inst: number;
  readonly scope: number;
}

/**
 * What passes of syncs note of themselves: positions, marks of parents that were read, counts of records. Runs in the caller's
 * transaction, because a note stands or falls with the records that it speaks of.
 */
export class Ledger {
  readonly #db: Connection;
  readonly #statements: Statements;

  constructor(db: Connection, statements: Statements) {
    this.#db = db;
    this.#statements = statements;
  }

  /** The numbers of an instance and a scope, which are given when first asked for. */
  place({ connector, instance, scope }: SyncShelf): PlaceNumbers {
    const inst = this.instance(connector, instance);
    this.#statements.get("INSERT OR IGNORE INTO scopes (inst, name) VALUES (?, ?)").run(inst, scope);
    const id = this.#statements.get("SELECT id FROM scopes WHERE inst = ? AND name = ?").pluck().get(inst, scope);
    return { inst, scope: Number(id) };
  }

  /** The number of an instance, which is given when first asked for. */
  instance(connector: string, name: string): number {
    this.#statements.get("INSERT OR IGNORE INTO instances (connector, name) VALUES (?, ?)").run(connector, name);
    return Number(this.#statements.get("SELECT id FROM instances WHERE connector = ? AND name = ?").pluck().get(connector, name));
  }

  /** How far every entity of every scope is. */
  states({ connector, instance }: StoreInstance): SyncState[] {
    const rows = this.#db
      .prepare<[string, string], Record<string, string | number | null>>(
        `SELECT s.name AS scope, t.entity, t.pass, t.position, t.newest, t.source, t.completed_at, t.full_at, t.problem, coalesce(c.records, 0) AS records
         FROM instances i JOIN states t ON t.inst = i.id JOIN scopes s ON s.id = t.scope
         LEFT JOIN counts c ON c.inst = i.id AND c.entity = t.entity AND c.scope = t.scope
         WHERE i.connector = ? AND i.name = ? ORDER BY s.name, t.entity`,
      )
      .all(connector, instance);
    return rows.map((row) => ({
      scope: String(row["scope"]),
      entity: String(row["entity"]),
      records: Number(row["records"]),
      pass: Number(row["pass"]),
      position: row["position"] === null ? null : (JSON.parse(String(row["position"])) as SyncPosition),
      newest: textOf(row["newest"]),
      source: textOf(row["source"]),
      completedAt: textOf(row["completed_at"]),
      fullAt: textOf(row["full_at"]),
      problem: row["problem"] === null ? null : readProblem(String(row["problem"])),
    }));
  }

  /** A pass has read all that it had to: there is no position to go on from. */
  complete(inst: number, scope: number, entity: string, { pass, full, newest, source }: SyncPosition): void {
    const now = new Date().toISOString();
    this.#statements
      .get(
        "UPDATE states SET position = NULL, newest = coalesce(?, newest), source = ?, completed_at = ?, full_at = CASE WHEN ? THEN ? ELSE full_at END, problem = NULL WHERE inst = ? AND scope = ? AND entity = ?",
      )
      .run(newest ?? null, source ?? null, now, full ? 1 : 0, now, inst, scope, entity);
    if (full) this.#statements.get("DELETE FROM marks WHERE scope = ? AND entity = ? AND pass <> ?").run(scope, entity, pass);
  }

  /** A pass could not go on; its position stays. */
  fail(inst: number, scope: number, entity: string, problem: SyncProblem): void {
    this.#statements
      .get(
        "INSERT INTO states (inst, scope, entity, pass, problem) VALUES (?, ?, ?, 0, ?) ON CONFLICT DO UPDATE SET problem = excluded.problem",
      )
      .run(inst, scope, entity, problem);
  }

  /** What belongs to a parent that this pass has read is read again, because nothing of what it did not see was removed. */
  abandon(inst: number, scope: number, entity: string, problem: SyncProblem): void {
    this.fail(inst, scope, entity, problem);
    this.#statements
      .get(
        "UPDATE marks SET mark = '' WHERE scope = ? AND entity = ? AND pass = (SELECT s.pass FROM states s WHERE s.scope = marks.scope AND s.entity = marks.entity)",
      )
      .run(scope, entity);
    this.#statements
      .get("UPDATE states SET position = NULL WHERE inst = ? AND scope = ? AND entity = ?")
      .run(inst, scope, entity);
  }

  /**
   * Two processes may sync an instance when one of them has slept for longer than its lease: the older pass writes no more.
   *
   * @throws TenonError `sync_running`
   */
  fence(inst: number, scope: number, entity: string, { pass }: SyncPosition): void {
    const newest = this.#statements
      .get("SELECT pass FROM states WHERE inst = ? AND scope = ? AND entity = ?")
      .pluck()
      .get(inst, scope, entity);
    if (Number(newest ?? 0) > pass)
      throw new TenonError("sync_running", "Another process has taken over this sync.", { retryAfter: 60 });
  }

  /** Where a pass stands. By which spec the entity was read is no longer known once a pass by another one has begun. */
  setPosition(inst: number, scope: number, entity: string, position: SyncPosition): void {
    this.#statements
      .get(
        "INSERT INTO states (inst, scope, entity, pass, position) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET pass = excluded.pass, position = excluded.position, source = CASE WHEN source IS ? THEN source END",
      )
      .run(inst, scope, entity, position.pass, JSON.stringify(position), position.source ?? null);
  }

  /** A parent was read to its end, and what it said of itself then. */
  mark(scope: number, entity: string, { step, pass }: SyncPosition, { key, mark }: { key: string; mark: string | null }): void {
    this.#statements
      .get("INSERT OR REPLACE INTO marks (scope, entity, step, parent, mark, pass) VALUES (?, ?, ?, ?, ?, ?)")
      .run(scope, entity, step, key, mark, pass);
  }

  /** There are so many records more, or fewer. */
  count(inst: number, entity: string, scope: number, by: number): void {
    if (by === 0) return;
    this.#statements
      .get(
        "INSERT INTO counts (inst, entity, scope, records) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET records = records + excluded.records",
      )
      .run(inst, entity, scope, by);
  }

  /** Records of an entity in all instances. */
  all(connector: string, entity: string): number {
    const sum =
      "SELECT coalesce(sum(c.records), 0) FROM counts c JOIN instances i ON i.id = c.inst WHERE i.connector = ? AND c.entity = ?";
    return Number(this.#statements.get(sum).pluck().get(connector, entity));
  }

  /** Records of an entity in one scope. */
  counted(inst: number, entity: string, scope: number): number {
    const found = this.#statements
      .get("SELECT records FROM counts WHERE inst = ? AND entity = ? AND scope = ?")
      .pluck()
      .get(inst, entity, scope);
    return Number(found ?? 0);
  }
}

function textOf(value: string | number | null | undefined): string | null {
  return typeof value === "string" ? value : null;
}
