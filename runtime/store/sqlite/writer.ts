import { massDeleteRefused, type SyncProblem } from "../problem.ts";
import { isMassDelete } from "../removal.ts";
import type { EmbeddedText, SemanticModel, SemanticState, WaitingText } from "../semantic.ts";
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
import { EntityWriter, type Membership } from "./entity-writer.ts";
import { columnName, type Layout, quoted } from "./layout.ts";
import { Ledger, type ShelfIds } from "./ledger.ts";
import { type Migration, prepareEntity } from "./migrate.ts";
import { recordOf, rowOf, wideFields } from "./rows.ts";
import { prepareFile, refuseDamaged } from "./schema.ts";
import { SemanticWriter } from "./semantic-writer.ts";
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

/** How many pages of a word index one step of tidying writes. They are few, so that other calls need not wait long. */
const piecePages = 500;
/** Share of an entity's records that must have been written since the last tidying, so that another one is worth the time. */
const worthTidying = 0.2;

/**
 * Makes all changes of the file, and the reads that a sync needs. One thread of this process has a writer. Other processes may write too,
 * one transaction at a time.
 */
export class Writer implements WriterApi {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #catalogue: Catalogue;
  readonly #tell: (migration: Migration, entity: string) => void;
  readonly #ledger: Ledger;
  readonly #calendar: Calendar;
  readonly #semantic: SemanticWriter;
  readonly #ready = new Map<string, Ready>();
  /** How many records were written since the word indexes of an entity were last merged, by the entity's name. */
  readonly #written = new Map<string, number>();

  /** @throws TenonError `store_unusable` for a file that must not be used; SqliteError `SQLITE_BUSY` while another process locks it */
  constructor(
    file: string,
    catalogue: Catalogue,
    tell: (migration: Migration, entity: string) => void,
    { verify = false }: { readonly verify?: boolean } = {},
  ) {
    this.#catalogue = catalogue;
    this.#tell = tell;
    this.#db = openWriter(file, (db) => {
      if (verify) refuseDamaged(db);
      prepareFile(db);
    });
    this.#statements = new Statements(this.#db);
    this.#ledger = new Ledger(this.#db, this.#statements);
    this.#calendar = new Calendar(this.#db, this.#statements, (connector, name) => this.#ledger.instance(connector, name));
    this.#semantic = new SemanticWriter(this.#db, this.#statements, catalogue);
    try {
      // Tables are rebuilt before anything is read, because a sync must not use positions and marks of the old records.
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
      const ids = this.#ledger.ids(shelf);
      const { inst, scope } = ids;
      this.#ledger.fence(ids, page.position);
      const membership: Membership = { inst, scope, parent: page.parent ?? null, pass: page.position.pass };
      const counts = new Map<number, number>();
      const count = (of: number, by: number) => counts.set(of, (counts.get(of) ?? 0) + by);
      for (const row of rows) {
        const { kind, before } = writer.save(row, membership);
        result[kind]++;
        if (before?.scope === scope) continue;
        count(scope, 1);
        if (before !== undefined) count(before.scope, -1);
      }
      for (const [of, by] of counts) this.#ledger.count({ ...ids, scope: of }, by);
      if (page.parentDone !== undefined) this.#ledger.mark(ids, page.position, page.parentDone);
      this.#ledger.setPosition(ids, page.position);
    });
    const name = entityName(shelf);
    this.#written.set(name, (this.#written.get(name) ?? 0) + result.inserted + result.changed);
    return result;
  }

  parents(shelf: SyncShelf, child: ChildStep, after: string | undefined, limit: number): Parent[] {
    const { layout } = this.#entity(shelf);
    const texts = wideFields(layout);
    const { scope } = this.#ledger.ids(shelf);
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
      const ids = this.#ledger.ids(shelf);
      const { inst, scope } = ids;
      this.#ledger.fence(ids, position);
      const of = this.#ledger.counted(ids);
      const gone = this.#unseen(layout, ids, position, parentTables);
      const refused = isMassDelete(gone.length, of) && !massDelete;
      if (refused) {
        this.#ledger.abandon(ids, massDeleteRefused);
        // The next pass must read everything, because only such a pass can see whether the records are still missing.
        this.#statements
          .get("UPDATE states SET full_at = NULL WHERE inst = ? AND scope = ? AND entity = ?")
          .run(inst, scope, shelf.entity);
      } else {
        for (const { id, key, parent } of gone) {
          writer.remove(id);
          // If the record comes back unchanged, its children must be read again, and so must the list that contained it.
          this.#statements.get("DELETE FROM marks WHERE scope = ? AND parent = ?").run(scope, key);
          if (parent !== null)
            this.#statements
              .get("DELETE FROM marks WHERE scope = ? AND entity = ? AND parent = ? AND pass <> ?")
              .run(scope, shelf.entity, parent, position.pass);
        }
        this.#ledger.count(ids, -gone.length);
        this.#ledger.complete(ids, position);
      }
      return { removed: refused ? 0 : gone.length, refused, of };
    });
  }

  /**
   * Merges the pieces of an entity's word indexes, some pages in each step. A search reads every piece for each of its words, so fewer
   * pieces make it faster.
   *
   * @param begin whether to start a new merge of all pieces. It starts only when a large part of the entity was written since the last one
   */
  tidy(shelf: Shelf, begin: boolean): boolean {
    const { layout } = this.#entity(shelf);
    if (begin) {
      const name = entityName(shelf);
      if ((this.#written.get(name) ?? 0) < worthTidying * this.#ledger.all(shelf)) return false;
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
      // The engine reports one change even when it has done nothing.
      if (changes() - before >= 2) more = true;
    }
    return more;
  }

  fail(shelf: SyncShelf, problem: SyncProblem): void {
    this.#db
      .transaction(() => {
        this.#ledger.fail(this.#ledger.ids(shelf), problem);
      })
      .immediate();
  }

  abandon(shelf: SyncShelf, problem: SyncProblem): void {
    this.#db
      .transaction(() => {
        this.#ledger.abandon(this.#ledger.ids(shelf), problem);
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

  openModel(model: SemanticModel): void {
    this.#semantic.openModel(model);
  }

  waitingTexts(model: string, owner: string, after: number, most: number): WaitingText[] {
    return this.#semantic.waitingTexts(model, owner, after, most);
  }

  waitingCount(model: string): number {
    return this.#semantic.waitingCount(model);
  }

  keepPassages(model: string, texts: readonly EmbeddedText[], perSecond: number): void {
    this.#semantic.keepPassages(model, texts, perSecond);
  }

  noteProblem(model: string, problem: string | null): void {
    this.#semantic.noteProblem(model, problem);
  }

  dropOtherModels(model: string): boolean {
    return this.#semantic.dropOtherModels(model);
  }

  semanticStates(instance: StoreInstance): SemanticState[] {
    return this.#semantic.semanticStates(instance);
  }

  cutLog(): boolean {
    // When a reader or another process is in the way, the log is left as it is instead of waiting.
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

  /** The records that a pass did not see although it read the lists that should contain them, and the records whose parent is gone. */
  #unseen(layout: Layout, { scope, entity }: ShelfIds, { pass, full }: SyncPosition, parents: readonly Layout[]): Gone[] {
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
    // In the order of their keys, records of a tree come after their parents, so one pass over them is enough.
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
