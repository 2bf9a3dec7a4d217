import { type EntityId, entityName } from "../catalogue.ts";
import type { Forgetting } from "../forgetting.ts";
import type { Migration } from "../migration.ts";
import { massDeleteRefused, type SyncProblem } from "../problem.ts";
import { isMassDelete, removalBase } from "../removal.ts";
import type { EmbeddedText, SemanticModel, SemanticState, WaitingText } from "../semantic.ts";
import type {
  ChildStep,
  Fenced,
  FinishOptions,
  ListPage,
  Page,
  PageResult,
  Parent,
  Removal,
  Schedule,
  ScopePlace,
  Shelf,
  StoreInstance,
  SyncPosition,
  SyncShelf,
  SyncState,
} from "../store.ts";
import { BulkLoad } from "./bulk-load.ts";
import { Calendar } from "./calendar.ts";
import type { Catalogue } from "./catalogue.ts";
import { type Connection, openWriter, prepared, Statements } from "./connection.ts";
import { EntityWriter } from "./entity-writer.ts";
import { forgetSome } from "./forget.ts";
import { columnName, type Layout, quoted } from "./layout.ts";
import { Ledger, type ShelfIds } from "./ledger.ts";
import type { Membership } from "./members.ts";
import { prepareEntity } from "./migrate.ts";
import { pageOf } from "./page-parts.ts";
import { recordOf, rowOf, wideFields } from "./rows.ts";
import { prepareFile, refuseDamaged } from "./schema.ts";
import { SemanticWriter } from "./semantic-writer.ts";
import type { SqlValue } from "./sql.ts";
import { anotherSpec } from "./store-error.ts";
import type { WriterApi } from "./thread-api.ts";

interface Ready {
  readonly layout: Layout;
  readonly writer: EntityWriter;
}

export interface WriterOptions {
  /** Whether the whole file is read first, to see whether it is damaged. */
  readonly verify?: boolean;
  /** How many records a scope must have before they are loaded without indexes. Only tests set it. */
  readonly bulk?: number;
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
  readonly #bulk: BulkLoad;
  readonly #ready = new Map<string, Ready>();
  /** How many records were written since the word indexes of an entity were last merged, by the entity's name. */
  readonly #written = new Map<string, number>();
  /** Parts of pages that have not been sent wholly, by the number of the page. */
  readonly #parts = new Map<number, (readonly ListPage[])[]>();

  /** @throws TenonError `store_unusable` for a file that must not be used; SqliteError `SQLITE_BUSY` while another process locks it */
  constructor(
    file: string,
    catalogue: Catalogue,
    tell: (migration: Migration, entity: string) => void,
    { verify = false, bulk }: WriterOptions = {},
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
    this.#bulk = new BulkLoad(this.#db, this.#statements, bulk);
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
    const lists = [page, ...(page.others ?? [])].map((list) => ({
      ...list,
      rows: list.records.map((one) => rowOf(layout, one)),
    }));
    const result = { inserted: 0, changed: 0, unchanged: 0 };
    this.#transaction(shelf, writer, () => {
      const ids = this.#ledger.ids(shelf);
      const { inst, scope } = ids;
      this.#ledger.fence(ids, page.position);
      let joined = 0;
      for (const { records, rows, parent = "", parentDone } of lists) {
        const membership: Membership = { inst, scope, parent, pass: page.position.pass };
        for (const [index, row] of rows.entries()) {
          const { kind, known } = writer.save(records[index] ?? {}, row, membership);
          result[kind]++;
          if (!known) joined++;
        }
        if (parentDone !== undefined) this.#ledger.mark(ids, page.position, parentDone);
      }
      this.#ledger.count(ids, { scope: joined, all: result.inserted });
      this.#ledger.setPosition(ids, page.position);
      if (result.inserted > 0 && this.#isFirstPass(ids, shelf)) this.#bulk.begin(shelf, layout);
    });
    const name = entityName(shelf);
    this.#written.set(name, (this.#written.get(name) ?? 0) + result.inserted + result.changed);
    return result;
  }

  keepPart(page: number, lists: readonly ListPage[]): void {
    const parts = this.#parts.get(page) ?? [];
    this.#parts.set(page, [...parts, lists]);
  }

  saveParts(page: number, count: number, shelf: SyncShelf, position: SyncPosition): PageResult {
    const parts = this.#parts.get(page) ?? [];
    this.#parts.delete(page);
    if (parts.length !== count) throw new Error(`${count} parts of a page were sent, but ${parts.length} are here`);
    return this.save(shelf, pageOf(parts, position));
  }

  parents(shelf: SyncShelf, child: ChildStep, after: string | undefined, limit: number): Parent[] {
    const { layout } = this.#entity(shelf);
    const texts = wideFields(layout);
    const { scope } = this.#ledger.ids(shelf);
    const rows = this.#statements
      .get(
        `SELECT p.k, m.mark, m.pass, w.found, w.more${texts.map((name) => `, w.${quoted(columnName(name))}`).join("")} FROM (SELECT DISTINCT scope, k, id FROM ${layout.members} WHERE scope = ? AND k > ? ORDER BY k LIMIT ?) p CROSS JOIN ${layout.wide} w ON w.id = p.id LEFT JOIN marks m ON m.scope = p.scope AND m.entity = ? AND m.step = ? AND m.parent = p.k ORDER BY p.k`,
      )
      .raw()
      .all(scope, after ?? "", limit, child.entity, child.step) as [
      string,
      string | null,
      number | null,
      string,
      string,
      ...SqlValue[],
    ][];
    return rows.map(([key, mark, pass, found, more, ...values]) => ({
      key,
      mark,
      pass: pass === null ? null : Math.abs(pass),
      record: recordOf(layout, found, values, more),
    }));
  }

  finish(shelf: SyncShelf, position: SyncPosition, { massDelete, parents, asked }: FinishOptions): Removal {
    const { writer } = this.#entity(shelf);
    const parentTables = parents.map((entity) => this.#entity({ ...shelf, entity }).layout);
    return this.#transaction(shelf, writer, () => {
      const ids = this.#ledger.ids(shelf);
      const { scope } = ids;
      this.#ledger.fence(ids, position);
      const named = asked ? this.#ledger.marked(ids, position) : 0;
      const of = removalBase(named, this.#ledger.counted(ids));
      const gone = writer.members.unseen({ ...ids, ...position, asked }, parentTables);
      const leaving = writer.members.leaving(scope, gone);
      const refused = isMassDelete(leaving.size, of) && !massDelete;
      if (refused) {
        this.#ledger.abandon(ids, massDeleteRefused);
        // The next pass must read everything, because only such a pass can see whether the records are still missing.
        this.#statements
          .get("UPDATE states SET full_at = NULL WHERE inst = ? AND scope = ? AND entity = ?")
          .run(ids.inst, scope, shelf.entity);
      } else {
        let removed = 0;
        for (const one of gone) {
          if (writer.leave(scope, one)) removed++;
          // If the record comes back unchanged, the list that contained it must be read again, and so must its own children.
          if (one.parent !== "") this.#ledger.unmark(ids, one.parent, position.pass);
        }
        for (const key of leaving) this.#ledger.unmarkChildren(ids, key);
        this.#ledger.count(ids, { scope: -leaving.size, all: -removed });
        if (asked) this.#ledger.unmarkAll(ids);
        this.#ledger.complete(ids, position);
      }
      return { removed: refused ? 0 : leaving.size, refused, of };
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

  settle(shelf: Shelf): boolean {
    const { layout, writer } = this.#entity(shelf);
    return this.#transaction(shelf, writer, () => this.#bulk.settle(shelf, layout, writer));
  }

  unsettled(): EntityId[] {
    const names = this.#statements.get("SELECT name FROM entities WHERE loading IS NOT NULL").pluck().all();
    return this.#catalogue.entities.filter((one) => names.includes(entityName(one)) && !this.#calendar.anyLeased(one.connector));
  }

  fail(shelf: SyncShelf, problem: SyncProblem): void {
    this.#db
      .transaction(() => {
        this.#ledger.fail(this.#ledger.ids(shelf), problem);
      })
      .immediate();
  }

  confirm(shelf: SyncShelf): void {
    this.#db
      .transaction(() => {
        this.#ledger.confirm(this.#ledger.ids(shelf));
      })
      .immediate();
  }

  note(shelf: SyncShelf, notes: object): void {
    this.#db
      .transaction(() => {
        this.#ledger.note(this.#ledger.ids(shelf), notes);
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

  forgetSome(instance: StoreInstance & Fenced, scope: string): Forgetting | null {
    const stored = new Set(this.#statements.get("SELECT name FROM entities").pluck().all());
    const own = this.#catalogue.entities.filter((one) => one.connector === instance.connector && stored.has(entityName(one)));
    const entities = new Map(own.map((one) => [one.entity, this.#entity(one).writer]));
    try {
      return this.#db
        .transaction(() => {
          for (const one of own) entities.get(one.entity)?.begin(this.#bulk.of(one));
          const ids = this.#ledger.scope(instance, scope);
          return ids === undefined ? null : forgetSome(this.#ledger, ids, entities);
        })
        .immediate();
    } catch (thrown) {
      for (const writer of entities.values()) writer.forget();
      throw thrown;
    }
  }

  states(place: ScopePlace): SyncState[] {
    return this.#ledger.states(place);
  }

  lease(place: ScopePlace, owner: string, seconds: number, run?: string): number | null {
    return this.#calendar.lease(place, owner, seconds, run);
  }

  seize(instance: StoreInstance, owner: string, seconds: number): number {
    return this.#calendar.seize(instance, owner, seconds);
  }

  leased(place: ScopePlace): boolean {
    return this.#calendar.leased(place);
  }

  schedule(instance: StoreInstance): Schedule | null {
    return this.#calendar.schedule(instance);
  }

  setSchedule(instance: StoreInstance, schedule: Omit<Schedule, "startedAt"> | null): void {
    this.#calendar.setSchedule(instance, schedule);
  }

  started(instance: StoreInstance, before: string | null): string | null {
    return this.#calendar.started(instance, before);
  }

  openModel(model: SemanticModel): void {
    this.#semantic.openModel(model);
  }

  waitingTexts(model: string, owner: string, after: number, most: number): WaitingText[] {
    return this.#semantic.waitingTexts(model, owner, after, most);
  }

  endEmbedding(model: string, owner: string): void {
    this.#semantic.endEmbedding(model, owner);
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

  /** Whether an entity is being read for the first time in a scope that has most of its records, so that it should have no indexes. */
  #isFirstPass(ids: ShelfIds, shelf: SyncShelf): boolean {
    if (!this.#bulk.isWorth(shelf, this.#ledger.counted(ids), this.#ledger.all(shelf))) return false;
    return this.#bulk.of(shelf) === null && !this.#ledger.isComplete(ids);
  }

  #transaction<Result>(shelf: Shelf, writer: EntityWriter, work: () => Result): Result {
    try {
      const whole = this.#db.transaction(() => {
        const version = this.#statements.get("SELECT version FROM entities WHERE name = ?").pluck().get(entityName(shelf));
        if (version !== this.#catalogue.layout(shelf).version) throw anotherSpec(shelf.entity);
        writer.begin(this.#bulk.of(shelf));
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
