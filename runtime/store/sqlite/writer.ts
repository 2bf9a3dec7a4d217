import { hostname } from "node:os";
import { TenonError } from "../../errors.ts";
import type {
  ChildStep,
  FinishOptions,
  Page,
  PageResult,
  Parent,
  Removal,
  Schedule,
  Shelf,
  StoreInstance,
  SyncPosition,
  SyncShelf,
  SyncState,
} from "../store.ts";
import { type Catalogue, entityName } from "./catalogue.ts";
import { type Connection, openWriter, Statements } from "./connection.ts";
import { EntityWriter, type Place } from "./entity-writer.ts";
import { columnName, type Layout, quoted } from "./layout.ts";
import { type Migration, prepareEntity } from "./migrate.ts";
import { recordOf, rowOf, wideFields } from "./rows.ts";
import { anotherSpec, prepareFile } from "./schema.ts";
import type { SqlValue } from "./sql.ts";

interface Gone {
  readonly id: number;
  readonly key: string;
  readonly parent: string | null;
}

interface Ready {
  readonly layout: Layout;
  readonly writer: EntityWriter;
}

/** Problem of a pass that would have removed more than half of an entity. */
export const massDeleteRefused = "mass_delete_refused";

/** Everything that changes the file. Lives in one thread; other processes may write too, one transaction at a time. */
export class Writer {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #catalogue: Catalogue;
  readonly #tell: (migration: Migration, entity: string) => void;
  readonly #ready = new Map<string, Ready>();

  /** @throws TenonError `store_unusable` for a file that is not ours */
  constructor(file: string, catalogue: Catalogue, tell: (migration: Migration, entity: string) => void) {
    this.#catalogue = catalogue;
    this.#tell = tell;
    this.#db = openWriter(file, prepareFile);
    this.#statements = new Statements(this.#db);
    // Before anything is read: a sync must not go by positions and marks of records that are no longer there as they were.
    const stored = new Set(this.#db.prepare<[], string>("SELECT name FROM entities").pluck().all());
    for (const shelf of catalogue.shelves) if (stored.has(entityName(shelf))) this.#entity(shelf);
  }

  save(shelf: SyncShelf, page: Page): PageResult {
    const { layout, writer } = this.#entity(shelf);
    const rows = page.records.map((record) => rowOf(layout, record));
    const result = { inserted: 0, changed: 0, unchanged: 0 };
    this.#transaction(shelf, writer, () => {
      const { inst, scope } = this.#place(shelf);
      this.#fence(inst, scope, shelf.entity, page.position);
      const place: Place = { scope, parent: page.parent ?? null, pass: page.position.pass };
      const counts = new Map<number, number>();
      const count = (of: number, by: number) => counts.set(of, (counts.get(of) ?? 0) + by);
      for (const row of rows) {
        const { kind, before } = writer.save(inst, row, place);
        result[kind]++;
        if (before?.scope === scope) continue;
        count(scope, 1);
        if (before !== undefined) count(before.scope, -1);
      }
      for (const [of, by] of counts) this.#count(inst, shelf.entity, of, by);
      if (page.parentDone !== undefined) this.#mark(scope, shelf.entity, page.position, page.parentDone);
      this.#setPosition(inst, scope, shelf.entity, page.position);
    });
    return result;
  }

  parents(shelf: SyncShelf, child: ChildStep, after: string | undefined, limit: number): Parent[] {
    const { layout } = this.#entity(shelf);
    const texts = wideFields(layout);
    const { inst, scope } = this.#place(shelf);
    const rows = this.#statements
      .get(
        `SELECT n.k, m.mark, w.found, w.more${texts.map((name) => `, w.${quoted(columnName(name))}`).join("")} FROM ${layout.narrow} n INDEXED BY ${layout.keyIndex} CROSS JOIN ${layout.wide} w ON w.id = n.id LEFT JOIN marks m ON m.scope = n.scope AND m.entity = ? AND m.step = ? AND m.parent = n.k WHERE n.inst = ? AND n.k > ? AND n.scope = ? ORDER BY n.k LIMIT ?`,
      )
      .raw()
      .all(child.entity, child.step, inst, after ?? "", scope, limit) as [string, string | null, string, string, ...SqlValue[]][];
    return rows.map(([key, mark, found, more, ...values]) => ({ key, mark, record: recordOf(layout, found, values, more) }));
  }

  finish(shelf: SyncShelf, position: SyncPosition, { massDelete, parents }: FinishOptions): Removal {
    const { layout, writer } = this.#entity(shelf);
    const parentTables = parents.map((entity) => this.#entity({ ...shelf, entity }).layout);
    return this.#transaction(shelf, writer, () => {
      const { inst, scope } = this.#place(shelf);
      this.#fence(inst, scope, shelf.entity, position);
      const of = this.#counted(inst, shelf.entity, scope);
      const gone = this.#unseen(layout, inst, scope, shelf.entity, position, parentTables);
      const refused = gone.length * 2 > of && !massDelete;
      // The next sync looks again: what was gone may have been a failure of the platform.
      if (refused) {
        this.#abandon(inst, scope, shelf.entity, massDeleteRefused);
        // Only a pass that reads everything can say again whether so much is gone.
        this.#statements
          .get("UPDATE states SET full_at = NULL WHERE inst = ? AND scope = ? AND entity = ?")
          .run(inst, scope, shelf.entity);
      } else {
        for (const { id, key, parent } of gone) {
          writer.remove(id);
          // Should it come back as it was, what belongs to it has to be read again, and so has the list that it stood in.
          this.#statements.get("DELETE FROM marks WHERE scope = ? AND parent = ?").run(scope, key);
          if (parent !== null)
            this.#statements
              .get("DELETE FROM marks WHERE scope = ? AND entity = ? AND parent = ? AND pass <> ?")
              .run(scope, shelf.entity, parent, position.pass);
        }
        this.#count(inst, shelf.entity, scope, -gone.length);
        this.#complete(inst, scope, shelf.entity, position);
      }
      return { removed: refused ? 0 : gone.length, refused, of };
    });
  }

  fail(shelf: SyncShelf, problem: string): void {
    this.#db
      .transaction(() => {
        const { inst, scope } = this.#place(shelf);
        this.#fail(inst, scope, shelf.entity, problem);
      })
      .immediate();
  }

  abandon(shelf: SyncShelf, problem: string): void {
    this.#db
      .transaction(() => {
        const { inst, scope } = this.#place(shelf);
        this.#abandon(inst, scope, shelf.entity, problem);
      })
      .immediate();
  }

  states({ connector, instance }: StoreInstance): SyncState[] {
    const rows = this.#db
      .prepare<[string, string], Record<string, string | number | null>>(
        `SELECT s.name AS scope, t.entity, t.pass, t.position, t.newest, t.completed_at, t.full_at, t.problem, coalesce(c.records, 0) AS records
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
      completedAt: textOf(row["completed_at"]),
      fullAt: textOf(row["full_at"]),
      problem: textOf(row["problem"]),
    }));
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

  leased({ connector, instance }: StoreInstance): boolean {
    const until = this.#statements
      .get("SELECT l.until FROM leases l JOIN instances i ON i.id = l.inst WHERE i.connector = ? AND i.name = ?")
      .pluck()
      .get(connector, instance);
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

  close(): void {
    this.#db.close();
  }

  /** Records that a pass did not see although it looked where they would be, and those whose parent is gone. */
  #unseen(
    layout: Layout,
    inst: number,
    scope: number,
    entity: string,
    { pass, full }: SyncPosition,
    parents: readonly Layout[],
  ): Gone[] {
    const looked = full
      ? ""
      : " AND EXISTS (SELECT 1 FROM marks m WHERE m.scope = n.scope AND m.entity = @entity AND m.parent = n.parent AND m.pass = @pass)";
    const gone = this.#db
      .prepare<[object], Gone>(
        `SELECT n.id, n.k AS key, n.parent FROM ${layout.narrow} n WHERE n.inst = @inst AND n.scope = @scope AND n.pass <> @pass${looked}`,
      )
      .all(full ? { inst, scope, pass } : { inst, scope, pass, entity });
    if (parents.length === 0) return gone;
    const keys = new Set(gone.map(({ key }) => key));
    const orphans = this.#db
      .prepare<[object], Gone & { parent: string; alone: number }>(
        `SELECT n.id, n.k AS key, n.parent, NOT (${parents
          .map((table) => `EXISTS (SELECT 1 FROM ${table.narrow} p WHERE p.inst = n.inst AND p.k = n.parent)`)
          .join(
            " OR ",
          )}) AS alone FROM ${layout.narrow} n WHERE n.inst = @inst AND n.scope = @scope AND n.parent <> '' ORDER BY n.k`,
      )
      .iterate({ inst, scope });
    const itself = parents.includes(layout);
    // Records of a tree come after their parents, so that one look suffices.
    for (const { id, key, parent, alone } of orphans)
      if (!keys.has(key) && (alone === 1 || (itself && keys.has(parent)))) {
        gone.push({ id, key, parent });
        keys.add(key);
      }
    return gone;
  }

  #complete(inst: number, scope: number, entity: string, { pass, full, newest }: SyncPosition): void {
    const now = new Date().toISOString();
    this.#statements
      .get(
        "UPDATE states SET position = NULL, newest = coalesce(?, newest), completed_at = ?, full_at = CASE WHEN ? THEN ? ELSE full_at END, problem = NULL WHERE inst = ? AND scope = ? AND entity = ?",
      )
      .run(newest ?? null, now, full ? 1 : 0, now, inst, scope, entity);
    if (full) this.#statements.get("DELETE FROM marks WHERE scope = ? AND entity = ? AND pass <> ?").run(scope, entity, pass);
  }

  #fail(inst: number, scope: number, entity: string, problem: string): void {
    this.#statements
      .get(
        "INSERT INTO states (inst, scope, entity, pass, problem) VALUES (?, ?, ?, 0, ?) ON CONFLICT DO UPDATE SET problem = excluded.problem",
      )
      .run(inst, scope, entity, problem);
  }

  /** What belongs to a parent that this pass has read is read again, because nothing of what it did not see was removed. */
  #abandon(inst: number, scope: number, entity: string, problem: string): void {
    this.#fail(inst, scope, entity, problem);
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
  #fence(inst: number, scope: number, entity: string, { pass }: SyncPosition): void {
    const newest = this.#statements
      .get("SELECT pass FROM states WHERE inst = ? AND scope = ? AND entity = ?")
      .pluck()
      .get(inst, scope, entity);
    if (Number(newest ?? 0) > pass)
      throw new TenonError("sync_running", "Another process has taken over this sync.", { retryAfter: 60 });
  }

  #setPosition(inst: number, scope: number, entity: string, position: SyncPosition): void {
    this.#statements
      .get(
        "INSERT INTO states (inst, scope, entity, pass, position) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET pass = excluded.pass, position = excluded.position",
      )
      .run(inst, scope, entity, position.pass, JSON.stringify(position));
  }

  #mark(scope: number, entity: string, { step, pass }: SyncPosition, { key, mark }: { key: string; mark: string | null }): void {
    this.#statements
      .get("INSERT OR REPLACE INTO marks (scope, entity, step, parent, mark, pass) VALUES (?, ?, ?, ?, ?, ?)")
      .run(scope, entity, step, key, mark, pass);
  }

  #count(inst: number, entity: string, scope: number, by: number): void {
    if (by === 0) return;
    this.#statements
      .get(
        "INSERT INTO counts (inst, entity, scope, records) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET records = records + excluded.records",
      )
      .run(inst, entity, scope, by);
  }

  #counted(inst: number, entity: string, scope: number): number {
    const found = this.#statements
      .get("SELECT records FROM counts WHERE inst = ? AND entity = ? AND scope = ?")
      .pluck()
      .get(inst, entity, scope);
    return Number(found ?? 0);
  }

  #entity(shelf: Pick<Shelf, "connector" | "entity">): Ready {
    const name = entityName(shelf);
    const known = this.#ready.get(name);
    if (known !== undefined) return known;
    const layout = this.#catalogue.layout(shelf);
    const done = this.#db.transaction(() => prepareEntity(this.#db, this.#statements, shelf, layout)).immediate();
    if (done !== undefined) this.#tell(done, shelf.entity);
    const ready = { layout, writer: new EntityWriter(this.#statements, layout) };
    this.#ready.set(name, ready);
    return ready;
  }

  #place({ connector, instance, scope }: SyncShelf): { inst: number; scope: number } {
    const inst = this.#instance(connector, instance);
    this.#statements.get("INSERT OR IGNORE INTO scopes (inst, name) VALUES (?, ?)").run(inst, scope);
    const id = this.#statements.get("SELECT id FROM scopes WHERE inst = ? AND name = ?").pluck().get(inst, scope);
    return { inst, scope: Number(id) };
  }

  #instance(connector: string, name: string): number {
    this.#statements.get("INSERT OR IGNORE INTO instances (connector, name) VALUES (?, ?)").run(connector, name);
    return Number(this.#statements.get("SELECT id FROM instances WHERE connector = ? AND name = ?").pluck().get(connector, name));
  }

  #transaction<Result>(shelf: Shelf, writer: EntityWriter, work: () => Result): Result {
    try {
      const whole = this.#db.transaction(() => {
        const version = this.#statements.get("SELECT version FROM entities WHERE name = ?").pluck().get(entityName(shelf));
        if (version !== this.#catalogue.layout(shelf).version) throw anotherSpec(shelf.entity);
        const result = work();
        writer.flush();
        return result;
      });
      return whole.immediate();
    } catch (thrown) {
      writer.forget();
      throw thrown;
    }
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

function textOf(value: string | number | null | undefined): string | null {
  return typeof value === "string" ? value : null;
}
