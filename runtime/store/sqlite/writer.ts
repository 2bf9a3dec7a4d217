import { massDeleteRefused, type SyncProblem } from "../problem.ts";
import { isMassDelete } from "../removal.ts";
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
import { Calendar } from "./calendar.ts";
import { type Catalogue, type EntityId, entityName } from "./catalogue.ts";
import { type Connection, openWriter, prepared, Statements } from "./connection.ts";
import { EntityWriter, type Place } from "./entity-writer.ts";
import { columnName, type Layout, quoted } from "./layout.ts";
import { Ledger } from "./ledger.ts";
import { type Migration, prepareEntity } from "./migrate.ts";
import { recordOf, rowOf, wideFields } from "./rows.ts";
import { prepareFile } from "./schema.ts";
import type { SqlValue } from "./sql.ts";
import { anotherSpec } from "./store-error.ts";
import type { WriterApi } from "./thread-api.ts";

interface Gone {
  readonly id: number;
  readonly key: string;
  readonly parent: string | null;
}

interface Ready {
  readonly layout: Layout;
  readonly writer: EntityWriter;
}

/** Pages of a word index that are written at once. */
const piecePages = 500;
/** Share of an entity's records that makes it worth writing its word indexes anew. */
const worthTidying = 0.2;

/**
 * Everything that changes the file, and the syncs' view of it. One thread of this process has it; other processes may write too, one
 * transaction at a time.
 */
export class Writer implements WriterApi {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #catalogue: Catalogue;
  readonly #tell: (migration: Migration, entity: string) => void;
  readonly #ledger: Ledger;
  readonly #calendar: Calendar;
  readonly #ready = new Map<string, Ready>();
  /** Records written since the word indexes of an entity were last brought together, by its name. */
  readonly #written = new Map<string, number>();

  /** @throws TenonError `store_unusable` for a file that is not ours; SqliteError `SQLITE_BUSY` while another process has it */
  constructor(file: string, catalogue: Catalogue, tell: (migration: Migration, entity: string) => void) {
    this.#catalogue = catalogue;
    this.#tell = tell;
    this.#db = openWriter(file, prepareFile);
    this.#statements = new Statements(this.#db);
    this.#ledger = new Ledger(this.#db, this.#statements);
    this.#calendar = new Calendar(this.#db, this.#statements, (connector, name) => this.#ledger.instance(connector, name));
    try {
      // Before anything is read: a sync must not go by positions and marks of records that are no longer there as they were.
      const stored = new Set(this.#db.prepare<[], string>("SELECT name FROM entities").pluck().all());
      for (const entity of catalogue.entities) if (stored.has(entityName(entity))) this.#entity(entity);
    } catch (thrown) {
      this.#db.close();
      throw thrown;
    }
    prepared(this.#db);
  }

  save(shelf: SyncShelf, page: Page): PageResult {
    const { layout, writer } = this.#entity(shelf);
    const rows = page.records.map((record) => rowOf(layout, record));
    const result = { inserted: 0, changed: 0, unchanged: 0 };
    this.#transaction(shelf, writer, () => {
      const { inst, scope } = this.#ledger.place(shelf);
      this.#ledger.fence(inst, scope, shelf.entity, page.position);
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
      for (const [of, by] of counts) this.#ledger.count(inst, shelf.entity, of, by);
      if (page.parentDone !== undefined) this.#ledger.mark(scope, shelf.entity, page.position, page.parentDone);
      this.#ledger.setPosition(inst, scope, shelf.entity, page.position);
    });
    const name = entityName(shelf);
    this.#written.set(name, (this.#written.get(name) ?? 0) + result.inserted + result.changed);
    return result;
  }

  parents(shelf: SyncShelf, child: ChildStep, after: string | undefined, limit: number): Parent[] {
    const { layout } = this.#entity(shelf);
    const texts = wideFields(layout);
    const { scope } = this.#ledger.place(shelf);
    const rows = this.#statements
      .get(
        `SELECT n.k, m.mark, w.found, w.more${texts.map((name) => `, w.${quoted(columnName(name))}`).join("")} FROM ${layout.narrow} n INDEXED BY ${layout.scopeIndex} CROSS JOIN ${layout.wide} w ON w.id = n.id LEFT JOIN marks m ON m.scope = n.scope AND m.entity = ? AND m.step = ? AND m.parent = n.k WHERE n.scope = ? AND n.k > ? ORDER BY n.k LIMIT ?`,
      )
      .raw()
      .all(child.entity, child.step, scope, after ?? "", limit) as [string, string | null, string, string, ...SqlValue[]][];
    return rows.map(([key, mark, found, more, ...values]) => ({ key, mark, record: recordOf(layout, found, values, more) }));
  }

  finish(shelf: SyncShelf, position: SyncPosition, { massDelete, parents }: FinishOptions): Removal {
    const { layout, writer } = this.#entity(shelf);
    const parentTables = parents.map((entity) => this.#entity({ ...shelf, entity }).layout);
    return this.#transaction(shelf, writer, () => {
      const { inst, scope } = this.#ledger.place(shelf);
      this.#ledger.fence(inst, scope, shelf.entity, position);
      const of = this.#ledger.counted(inst, shelf.entity, scope);
      const gone = this.#unseen(layout, scope, shelf.entity, position, parentTables);
      const refused = isMassDelete(gone.length, of) && !massDelete;
      // The next sync looks again: what was gone may have been a failure of the platform.
      if (refused) {
        this.#ledger.abandon(inst, scope, shelf.entity, massDeleteRefused);
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
        this.#ledger.count(inst, shelf.entity, scope, -gone.length);
        this.#ledger.complete(inst, scope, shelf.entity, position);
      }
      return { removed: refused ? 0 : gone.length, refused, of };
    });
  }

  /**
   * Brings the pieces of an entity's word indexes together, a little at a time: each piece is looked into for each word of a search.
   *
   * @param begin whether to start with all pieces, which is done where a good part of the entity was written since the last time
   * @returns whether there is more to do
   */
  tidy(shelf: Shelf, begin: boolean): boolean {
    const { layout } = this.#entity(shelf);
    if (begin) {
      const name = entityName(shelf);
      if ((this.#written.get(name) ?? 0) < worthTidying * this.#ledger.all(shelf.connector, shelf.entity)) return false;
      this.#written.delete(name);
    }
    let more = false;
    for (const { words } of layout.columns.values()) {
      if (words === undefined) continue;
      const changes = () => Number(this.#statements.get("SELECT total_changes()").pluck().get());
      const before = changes();
      this.#statements
        .get(`INSERT INTO ${words.index} (${words.index}, rank) VALUES ('merge', ?)`)
        .run(begin ? -piecePages : piecePages);
      // The engine counts one change where it did nothing.
      if (changes() - before >= 2) more = true;
    }
    return more;
  }

  fail(shelf: SyncShelf, problem: SyncProblem): void {
    this.#db
      .transaction(() => {
        const { inst, scope } = this.#ledger.place(shelf);
        this.#ledger.fail(inst, scope, shelf.entity, problem);
      })
      .immediate();
  }

  abandon(shelf: SyncShelf, problem: SyncProblem): void {
    this.#db
      .transaction(() => {
        const { inst, scope } = this.#ledger.place(shelf);
        this.#ledger.abandon(inst, scope, shelf.entity, problem);
      })
      .immediate();
  }

  states(instance: StoreInstance): SyncState[] {
    return this.#ledger.states(instance);
  }

  lease(instance: StoreInstance, owner: string, seconds: number): boolean {
    return this.#calendar.lease(instance, owner, seconds);
  }

  leased(instance: StoreInstance): boolean {
    return this.#calendar.leased(instance);
  }

  schedule(instance: StoreInstance): Schedule | null {
    return this.#calendar.schedule(instance);
  }

  setSchedule(instance: StoreInstance, schedule: Omit<Schedule, "startedAt"> | null): void {
    this.#calendar.setSchedule(instance, schedule);
  }

  started(instance: StoreInstance): void {
    this.#calendar.started(instance);
  }

  cutLog(): boolean {
    // Whoever is in the way is not waited for.
    this.#db.pragma("busy_timeout = 0");
    try {
      const [result] = this.#db.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
      return result?.busy === 0;
    } finally {
      prepared(this.#db);
    }
  }

  close(): void {
    this.#db.close();
  }

  /** Records that a pass did not see although it looked where they would be, and those whose parent is gone. */
  #unseen(layout: Layout, scope: number, entity: string, { pass, full }: SyncPosition, parents: readonly Layout[]): Gone[] {
    const looked = full
      ? ""
      : " AND EXISTS (SELECT 1 FROM marks m WHERE m.scope = n.scope AND m.entity = @entity AND m.parent = n.parent AND m.pass = @pass)";
    const gone = this.#db
      .prepare<[object], Gone>(
        `SELECT n.id, n.k AS key, n.parent FROM ${layout.narrow} n INDEXED BY ${layout.scopeIndex} WHERE n.scope = @scope AND n.pass <> @pass${looked}`,
      )
      .all(full ? { scope, pass } : { scope, pass, entity });
    if (parents.length === 0) return gone;
    const keys = new Set(gone.map(({ key }) => key));
    const orphans = this.#db
      .prepare<[object], Gone & { parent: string; alone: number }>(
        `SELECT n.id, n.k AS key, n.parent, NOT (${parents
          .map((table) => `EXISTS (SELECT 1 FROM ${table.narrow} p WHERE p.inst = n.inst AND p.k = n.parent)`)
          .join(
            " OR ",
          )}) AS alone FROM ${layout.narrow} n INDEXED BY ${layout.scopeIndex} WHERE n.scope = @scope AND n.parent <> '' ORDER BY n.k`,
      )
      .iterate({ scope });
    const itself = parents.includes(layout);
    // Records of a tree come after their parents, so that one look suffices.
    for (const { id, key, parent, alone } of orphans)
      if (!keys.has(key) && (alone === 1 || (itself && keys.has(parent)))) {
        gone.push({ id, key, parent });
        keys.add(key);
      }
    return gone;
  }

  #entity(shelf: EntityId): Ready {
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
