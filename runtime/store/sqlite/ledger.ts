import type { EntityId } from "../catalogue.ts";
import { completionTime } from "../completion.ts";
import { allScopes } from "../counts.ts";
import { leaseLost, takenOver } from "../lease.ts";
import { massDeleteRefused, readProblem, type SyncProblem } from "../problem.ts";
import type {
  Fenced,
  FinishOptions,
  ParentDone,
  ScopePlace,
  StoreInstance,
  SyncNotes,
  SyncPosition,
  SyncShelf,
  SyncState,
} from "../store.ts";
import type { Connection, Statements } from "./connection.ts";

/** An entity within a scope, named by the ids that instance and scope have in this file. */
export interface ShelfIds {
  readonly inst: number;
  readonly scope: number;
  readonly entity: string;
}

/**
 * Stores the progress of syncs: positions of passes, marks of parents whose children were read, counts of records. It runs in the
 * caller's transaction, so that progress and records are saved together or not at all.
 */
export class Ledger {
  readonly #db: Connection;
  readonly #statements: Statements;

  constructor(db: Connection, statements: Statements) {
    this.#db = db;
    this.#statements = statements;
  }

  /**
   * The ids of an instance and a scope. Ids are given when they are first asked for.
   *
   * @throws TenonError `sync_running` when another owner has taken the lease
   */
  ids({ connector, instance, scope, entity, fence }: SyncShelf): ShelfIds {
    const inst = this.instance(connector, instance);
    this.#refuseOldLease(inst, scope, fence);
    this.#statements.get("INSERT OR IGNORE INTO scopes (inst, name) VALUES (?, ?)").run(inst, scope);
    const id = this.#statements.get("SELECT id FROM scopes WHERE inst = ? AND name = ?").pluck().get(inst, scope);
    return { inst, scope: Number(id), entity };
  }

  /** The id of an instance. The id is given when it is first asked for. */
  instance(connector: string, name: string): number {
    this.#statements.get("INSERT OR IGNORE INTO instances (connector, name) VALUES (?, ?)").run(connector, name);
    return Number(this.#statements.get("SELECT id FROM instances WHERE connector = ? AND name = ?").pluck().get(connector, name));
  }

  /** The state of every entity in every scope. */
  states({ connector, instance, scope }: ScopePlace): SyncState[] {
    const rows = this.#db
      .prepare<[string, string, string | null, string | null], Record<string, string | number | null>>(
        `SELECT s.name AS scope, t.entity, t.pass, t.position, t.newest, t.source, t.completed_at, t.full_at, t.problem, t.notes, coalesce(c.records, 0) AS records,
           (SELECT count(*) FROM marks m WHERE m.scope = t.scope AND m.entity = t.entity AND m.pass < 0) AS hidden
         FROM instances i JOIN states t ON t.inst = i.id JOIN scopes s ON s.id = t.scope
         LEFT JOIN counts c ON c.inst = i.id AND c.entity = t.entity AND c.scope = t.scope
         WHERE i.connector = ? AND i.name = ? AND (? IS NULL OR s.name = ?) ORDER BY s.name, t.entity`,
      )
      .all(connector, instance, scope ?? null, scope ?? null);
    return rows.map((row) => ({
      scope: String(row["scope"]),
      entity: String(row["entity"]),
      records: Number(row["records"]),
      pass: Number(row["pass"]),
      position: row["position"] === null ? null : (JSON.parse(String(row["position"])) as SyncPosition),
      newest: textOrNull(row["newest"]),
      source: textOrNull(row["source"]),
      completedAt: textOrNull(row["completed_at"]),
      fullAt: textOrNull(row["full_at"]),
      problem: row["problem"] === null ? null : readProblem(String(row["problem"])),
      hidden: Number(row["hidden"]),
      notes: JSON.parse(String(row["notes"])) as SyncNotes,
    }));
  }

  /** Notes that a pass is complete. Its position is dropped. */
  complete({ inst, scope, entity }: ShelfIds, position: SyncPosition, options: Pick<FinishOptions, "resumed">): void {
    const { pass, full, newest, source } = position;
    const now = new Date().toISOString();
    const at = completionTime(position, options, now);
    this.#statements
      .get(
        "UPDATE states SET position = NULL, newest = coalesce(?, newest), source = ?, completed_at = ?, full_at = CASE WHEN ? THEN ? ELSE full_at END, problem = NULL WHERE inst = ? AND scope = ? AND entity = ?",
      )
      .run(newest ?? null, source ?? null, at, full ? 1 : 0, now, inst, scope, entity);
    if (full)
      this.#statements.get("DELETE FROM marks WHERE scope = ? AND entity = ? AND abs(pass) <> ?").run(scope, entity, pass);
  }

  /** Notes why a pass could not continue. Its position is kept. */
  fail({ inst, scope, entity }: ShelfIds, problem: SyncProblem): void {
    this.#statements
      .get(
        "INSERT INTO states (inst, scope, entity, pass, problem) VALUES (?, ?, ?, 0, ?) ON CONFLICT DO UPDATE SET problem = excluded.problem",
      )
      .run(inst, scope, entity, problem);
  }

  /** Notes that a pass now would find what the last complete one has found. */
  confirm({ inst, scope, entity }: ShelfIds): void {
    this.#statements
      .get("UPDATE states SET completed_at = ? WHERE inst = ? AND scope = ? AND entity = ? AND completed_at IS NOT NULL")
      .run(new Date().toISOString(), inst, scope, entity);
  }

  /** Keeps notes of a sync beside those that it does not name. */
  note({ inst, scope, entity }: ShelfIds, notes: object): void {
    this.#statements
      .get(
        "INSERT INTO states (inst, scope, entity, pass, notes) VALUES (?, ?, ?, 0, json_patch('{}', ?)) ON CONFLICT DO UPDATE SET notes = json_patch(notes, ?)",
      )
      .run(inst, scope, entity, JSON.stringify(notes), JSON.stringify(notes));
  }

  /**
   * Notes why a pass is incomplete although it was read to its end. Records that it did not see have not been removed, so the next pass
   * must read the children of all parents again.
   */
  abandon(on: ShelfIds, problem: SyncProblem): void {
    const { inst, scope, entity } = on;
    this.fail(on, problem);
    this.#statements
      .get(
        "UPDATE marks SET mark = '' WHERE scope = ? AND entity = ? AND abs(pass) = (SELECT s.pass FROM states s WHERE s.scope = marks.scope AND s.entity = marks.entity)",
      )
      .run(scope, entity);
    this.#statements
      .get("UPDATE states SET position = NULL WHERE inst = ? AND scope = ? AND entity = ?")
      .run(inst, scope, entity);
  }

  /** Notes that a pass would have removed too much. The next one must read everything: only it can see whether the records are still missing. */
  refuse(on: ShelfIds): void {
    this.abandon(on, massDeleteRefused);
    this.#statements
      .get("UPDATE states SET full_at = NULL WHERE inst = ? AND scope = ? AND entity = ?")
      .run(on.inst, on.scope, on.entity);
  }

  /**
   * Stops a pass when a newer one has begun. That happens when the process of the older pass was suspended for longer than its lease.
   *
   * @throws TenonError `sync_running`
   */
  fence({ inst, scope, entity }: ShelfIds, { pass }: SyncPosition): void {
    const newest = this.#statements
      .get("SELECT pass FROM states WHERE inst = ? AND scope = ? AND entity = ?")
      .pluck()
      .get(inst, scope, entity);
    if (Number(newest ?? 0) > pass) throw takenOver();
  }

  /**
   * Stores how far a pass has read. When a pass with another spec has begun, the records come from both specs, so the digest of the last
   * complete pass is removed.
   */
  setPosition({ inst, scope, entity }: ShelfIds, position: SyncPosition): void {
    this.#statements
      .get(
        "INSERT INTO states (inst, scope, entity, pass, position) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET pass = excluded.pass, position = excluded.position, source = CASE WHEN source IS ? THEN source END",
      )
      .run(inst, scope, entity, position.pass, JSON.stringify(position), position.source ?? null);
  }

  /**
   * Notes that the children of a parent were read to their end, and the value of the parent's `changed` field at that time. A hidden parent
   * has the negative number of the pass, so that nobody who looks for parents that were read finds it.
   */
  mark({ scope, entity }: ShelfIds, { step, pass }: SyncPosition, { key, mark, hidden }: ParentDone): void {
    this.#statements
      .get("INSERT OR REPLACE INTO marks (scope, entity, step, parent, mark, pass) VALUES (?, ?, ?, ?, ?, ?)")
      .run(scope, entity, step, key, mark, hidden ? -pass : pass);
  }

  /** The id of a scope; undefined when nothing of it is stored. */
  scope({ connector, instance, fence }: StoreInstance & Fenced, name: string): Pick<ShelfIds, "inst" | "scope"> | undefined {
    const ids = this.#statements
      .get(
        "SELECT s.inst, s.id AS scope FROM scopes s JOIN instances i ON i.id = s.inst WHERE i.connector = ? AND i.name = ? AND s.name = ?",
      )
      .get(connector, instance, name) as Pick<ShelfIds, "inst" | "scope"> | undefined;
    if (ids !== undefined) this.#refuseOldLease(ids.inst, name, fence);
    return ids;
  }

  #refuseOldLease(inst: number, scope: string, fence: number | undefined): void {
    if (fence === undefined) return;
    const held = this.#statements.get("SELECT 1 FROM leases WHERE inst = ? AND scope IN ('', ?) AND fence = ?");
    if (held.get(inst, scope, fence) !== undefined) return;
    const owner = this.#statements.get("SELECT owner FROM leases WHERE inst = ? AND scope = ''").pluck().get(inst);
    throw leaseLost(owner as string | undefined);
  }

  /** Makes the states of a scope those of one that was never read. */
  restart({ inst, scope }: Pick<ShelfIds, "inst" | "scope">): void {
    this.#statements
      .get(
        "UPDATE states SET position = NULL, newest = NULL, source = NULL, completed_at = NULL, full_at = NULL WHERE inst = ? AND scope = ?",
      )
      .run(inst, scope);
    this.#statements.get("DELETE FROM marks WHERE scope = ?").run(scope);
  }

  /** Removes what is noted of a scope that has no records any longer. */
  removeScope({ inst, scope }: Pick<ShelfIds, "inst" | "scope">): void {
    for (const table of ["states", "counts"])
      this.#statements.get(`DELETE FROM ${table} WHERE inst = ? AND scope = ?`).run(inst, scope);
    this.#statements.get("DELETE FROM leases WHERE inst = ? AND scope = (SELECT name FROM scopes WHERE id = ?)").run(inst, scope);
    this.#statements.get("DELETE FROM scopes WHERE id = ?").run(scope);
  }

  /** Drops the marks of a record's children, so that they are read again if the record comes back. @param entity of the children */
  unmarkChildren(scope: number, entity: string, key: string): void {
    this.#statements.get("DELETE FROM marks WHERE scope = ? AND entity = ? AND parent = ?").run(scope, entity, key);
  }

  /** How many parents have a mark of a pass. */
  marked({ scope, entity }: ShelfIds, { pass }: SyncPosition): number {
    const found = this.#statements.get("SELECT count(*) FROM marks WHERE scope = ? AND entity = ? AND pass = ?").pluck();
    return Number(found.get(scope, entity, pass));
  }

  /** Drops all marks of an entity's parents. */
  unmarkAll({ scope, entity }: ShelfIds): void {
    this.#statements.get("DELETE FROM marks WHERE scope = ? AND entity = ?").run(scope, entity);
  }

  /** Drops the mark of a parent whose list was not read in a pass. */
  unmark({ scope, entity }: ShelfIds, parent: string, pass: number): void {
    this.#statements
      .get("DELETE FROM marks WHERE scope = ? AND entity = ? AND parent = ? AND pass <> ?")
      .run(scope, entity, parent, pass);
  }

  /** Adds to the counts of an entity's records: of those in a scope, and of all that its instance has. */
  count({ inst, scope, entity }: ShelfIds, by: { readonly scope: number; readonly all: number }): void {
    const add = this.#statements.get(
      "INSERT INTO counts (inst, entity, scope, records) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET records = records + excluded.records",
    );
    if (by.scope !== 0) add.run(inst, entity, scope, by.scope);
    if (by.all !== 0) add.run(inst, entity, allScopes, by.all);
  }

  /** Whether a pass over an entity was ever completed in a scope. */
  isComplete({ inst, scope, entity }: ShelfIds): boolean {
    const at = this.#statements.get("SELECT completed_at FROM states WHERE inst = ? AND scope = ? AND entity = ?").pluck();
    return typeof at.get(inst, scope, entity) === "string";
  }

  /** How many records an entity has in all instances. */
  all({ connector, entity }: EntityId): number {
    const sum =
      "SELECT coalesce(sum(c.records), 0) FROM counts c JOIN instances i ON i.id = c.inst WHERE i.connector = ? AND c.entity = ? AND c.scope = ?";
    return Number(this.#statements.get(sum).pluck().get(connector, entity, allScopes));
  }

  /** How many records an entity has in a scope. */
  counted({ inst, scope, entity }: ShelfIds): number {
    const found = this.#statements
      .get("SELECT records FROM counts WHERE inst = ? AND entity = ? AND scope = ?")
      .pluck()
      .get(inst, entity, scope);
    return Number(found ?? 0);
  }
}

function textOrNull(value: string | number | null | undefined): string | null {
  return typeof value === "string" ? value : null;
}
