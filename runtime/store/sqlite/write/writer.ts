import { type Connection, Statements } from "../../../sqlite/index.ts";
import { type EntityId, entityName } from "../../catalogue.ts";
import {
  ChangeNotes,
  type ChangePage,
  type ChangeRetention,
  type ChangesQuery,
  type CurrentRecord,
  defaultChangeRetention,
} from "../../change-log.ts";
import type { Checkpoint } from "../../checkpoint.ts";
import type { EmbeddedText, SemanticModel, SemanticState, WaitingText } from "../../semantic.ts";
import {
  type ChildStep,
  type Collection,
  type Fenced,
  type FinishOptions,
  type ListPage,
  nothingSaved,
  type Page,
  type PageResult,
  type Parent,
  type Removal,
  type ScopeCollection,
  type StoreInstance,
} from "../../store.ts";
import type { Forgetting } from "../../works/forgetting.ts";
import type { CollectionIds } from "../../works/ledger.ts";
import { SemanticWriter } from "../meaning/semantic-writer.ts";
import type { Membership } from "../rows/members.ts";
import { rowOf } from "../rows/rows.ts";
import type { Catalogue } from "../tables/catalogue.ts";
import { openWriter, prepared } from "../tables/connection.ts";
import type { Layout } from "../tables/layout.ts";
import { prepareFile, refuseDamaged } from "../tables/schema.ts";
import { anotherSpec } from "../tables/store-error.ts";
import { WordMerge } from "../words/word-merge.ts";
import { BulkLoad } from "./bulk-load.ts";
import { EntityWriter } from "./entity-writer.ts";
import { type Ledger, openLedger, syncMethodsIn } from "./ledger.ts";
import { membershipsOf } from "./memberships.ts";
import { prepareEntity } from "./migrate.ts";
import { PageParts } from "./page-parts.ts";
import { parentsOf } from "./parents.ts";
import type { WriterApi } from "./writer-api.ts";

interface Ready {
  readonly layout: Layout;
  readonly writer: EntityWriter;
}

export interface WriterOptions {
  /** Whether the whole file is read first, to see whether it is damaged. */
  readonly verify?: boolean;
  /** How many records a scope must have before they are loaded without indexes. Only tests set it. */
  readonly bulk?: number;
  readonly changeRetention?: ChangeRetention | undefined;
}

/**
 * Makes all changes of the file, and the reads that a sync needs. One thread of this process has a writer. Other processes may write too,
 * one transaction at a time.
 */
export class Writer implements WriterApi {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #catalogue: Catalogue;
  readonly #tell: (text: string) => void;
  readonly #ledger: Ledger;
  readonly #semantic: SemanticWriter;
  readonly #bulk: BulkLoad;
  readonly #ready = new Map<string, Ready>();
  readonly #merge: WordMerge;
  readonly #parts = new PageParts();
  readonly #retention: ChangeRetention;
  readonly #shared: ReturnType<typeof syncMethodsIn>;

  readonly fail: WriterApi["fail"] = (...args) => this.#shared.fail(...args);
  readonly abandon: WriterApi["abandon"] = (...args) => this.#shared.abandon(...args);
  readonly confirm: WriterApi["confirm"] = (...args) => this.#shared.confirm(...args);
  readonly note: WriterApi["note"] = (...args) => this.#shared.note(...args);
  readonly lease: WriterApi["lease"] = (...args) => this.#shared.lease(...args);
  readonly seize: WriterApi["seize"] = (...args) => this.#shared.seize(...args);
  readonly setSchedule: WriterApi["setSchedule"] = (...args) => this.#shared.setSchedule(...args);
  readonly started: WriterApi["started"] = (...args) => this.#shared.started(...args);
  readonly states: WriterApi["states"] = (...args) => this.#shared.states(...args);
  readonly leased: WriterApi["leased"] = (...args) => this.#shared.leased(...args);
  readonly taken: WriterApi["taken"] = (...args) => this.#shared.taken(...args);
  readonly schedule: WriterApi["schedule"] = (...args) => this.#shared.schedule(...args);

  /** @throws TenonError `store_unusable` for a file that must not be used; SqliteError `SQLITE_BUSY` while another process locks it */
  constructor(file: string, catalogue: Catalogue, tell: (text: string) => void, options: WriterOptions = {}) {
    const { verify = false, bulk, changeRetention = defaultChangeRetention } = options;
    this.#retention = changeRetention;
    this.#catalogue = catalogue;
    this.#tell = tell;
    this.#db = openWriter(file, (db) => {
      if (verify) refuseDamaged(db);
      prepareFile(db);
    });
    this.#statements = new Statements(this.#db);
    this.#ledger = openLedger(this.#statements);
    this.#shared = syncMethodsIn(this.#db, this.#statements);
    this.#semantic = new SemanticWriter(this.#db, this.#statements, catalogue);
    this.#bulk = new BulkLoad(this.#db, this.#statements, bulk);
    this.#merge = new WordMerge(this.#statements);
    try {
      // Tables are rebuilt before anything is read, because a sync must not use checkpoints and markers of the old records.
      const stored = new Set(this.#db.prepare<[], string>("SELECT name FROM store_entities").pluck().all());
      for (const entity of catalogue.entities) if (stored.has(entityName(entity))) this.#entity(entity);
    } catch (thrown) {
      this.#db.close();
      throw thrown;
    }
    prepared(this.#db);
  }

  save(collection: ScopeCollection, page: Page): PageResult {
    const { layout, writer } = this.#entity(collection);
    const lists = [page, ...(page.others ?? [])].map((list) => ({
      ...list,
      rows: list.records.map((one) => rowOf(layout, one)),
    }));
    const result = { ...nothingSaved };
    this.#transaction(collection, writer, () => {
      const ids = this.#ledger.holdCollection(collection);
      const { inst, scope } = ids;
      this.#ledger.refuseOlderRun(ids, page.checkpoint);
      let joined = 0;
      const notes = new ChangeNotes();
      for (const { records, rows, parent = "" } of lists) {
        const membership: Membership = { inst, scope, parent, run: page.checkpoint.run };
        for (const [index, row] of rows.entries()) {
          const { kind, known } = writer.save(records[index] ?? {}, row, membership, notes);
          if (kind !== undefined) result[kind]++;
          if (!known) joined++;
        }
      }
      const markers = lists.flatMap(({ parentDone }) => parentDone ?? []);
      this.#ledger.endPage(ids, page.checkpoint, { markers, joined, inserted: result.inserted, notes }, this.#retention);
      if (result.inserted > 0 && this.#isFirstRun(ids, collection)) this.#bulk.begin(collection, layout);
    });
    this.#merge.wrote(collection, result.inserted + result.changed + result.repeated);
    return result;
  }

  keepPart(page: number, lists: readonly ListPage[]): void {
    this.#parts.keep(page, lists);
  }

  saveParts(page: number, count: number, collection: ScopeCollection, checkpoint: Checkpoint): PageResult {
    return this.save(collection, this.#parts.take(page, count, checkpoint));
  }

  parents(collection: ScopeCollection, child: ChildStep, after: string | undefined, limit: number): Parent[] {
    const { layout } = this.#entity(collection);
    const ids = this.#ledger.holdScope(collection, collection.scope);
    return ids === undefined ? [] : parentsOf(this.#statements, layout, ids, child, after, limit);
  }

  finish(collection: ScopeCollection, checkpoint: Checkpoint, options: FinishOptions): Removal {
    const { writer } = this.#entity(collection);
    const parentTables = options.parents.map((entity) => this.#entity({ ...collection, entity }).layout);
    return this.#transaction(collection, writer, () => {
      const ids = this.#ledger.holdCollection(collection);
      this.#ledger.refuseOlderRun(ids, checkpoint);
      const { byKey } = options;
      const memberships = {
        ...membershipsOf(writer, ids),
        unseen: () => writer.members.unseen({ ...ids, ...checkpoint, byKey }, parentTables),
      };
      return this.#ledger.finishRun(memberships, checkpoint, options, this.#retention);
    });
  }

  tidy(collection: Collection, begin: boolean): boolean {
    const { layout } = this.#entity(collection);
    if (begin && !this.#merge.isWorth(collection, this.#bulk.recordsOf(collection))) return false;
    return this.#merge.step(collection, layout, begin);
  }

  settle(collection: Collection): boolean {
    const { layout, writer } = this.#entity(collection);
    return this.#transaction(collection, writer, () => this.#bulk.settle(collection, layout, writer));
  }

  unsettled(): EntityId[] {
    const names = this.#statements.get("SELECT name FROM store_entities WHERE loading IS NOT NULL").pluck().all();
    return this.#catalogue.entities.filter((one) => names.includes(entityName(one)) && !this.#bulk.isSynced(one));
  }

  forgetSome(instance: StoreInstance & Fenced, scope: string): Forgetting | null {
    const stored = new Set(this.#statements.get("SELECT name FROM store_entities").pluck().all());
    const own = this.#catalogue.entities.filter((one) => one.connector === instance.connector && stored.has(entityName(one)));
    const entities = new Map(own.map((one) => [one.entity, this.#entity(one).writer]));
    try {
      return this.#db
        .transaction(() => {
          for (const one of own) entities.get(one.entity)?.begin(this.#bulk.of(one));
          const ids = this.#ledger.holdScope(instance, scope);
          if (ids === undefined) return null;
          const all = [...entities].map(([entity, writer]) => membershipsOf(writer, { ...ids, entity }));
          return this.#ledger.forgetSome(ids, all);
        })
        .immediate();
    } catch (thrown) {
      for (const writer of entities.values()) writer.forget();
      throw thrown;
    }
  }

  changes(instance: StoreInstance, query: ChangesQuery): ChangePage {
    return this.#ledger.readChanges(instance, query);
  }

  current(collection: Collection, keys: readonly string[]): CurrentRecord[] {
    const inst = this.#ledger.findInstance(collection);
    return inst === undefined ? [] : this.#entity(collection).writer.current(inst, keys);
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

  #entity(collection: EntityId): Ready {
    const name = entityName(collection);
    const known = this.#ready.get(name);
    if (known !== undefined) return known;
    const layout = this.#catalogue.layout(collection);
    const prepare = () => prepareEntity(this.#db, this.#statements, collection, layout, this.#tell);
    const done = this.#db.transaction(prepare).immediate();
    if (done !== undefined) this.#tell(`${done} the tables of ${collection.entity}`);
    const ready = { layout, writer: new EntityWriter(this.#statements, layout) };
    this.#ready.set(name, ready);
    return ready;
  }

  /** Whether an entity is being read for the first time in a scope that has most of its records, so that it should have no indexes. */
  #isFirstRun(ids: CollectionIds, collection: ScopeCollection): boolean {
    if (!this.#bulk.isWorth(collection, this.#ledger.countedRecords(ids), this.#bulk.recordsOf(collection))) return false;
    return this.#bulk.of(collection) === null && !this.#ledger.isComplete(ids);
  }

  #transaction<Result>(collection: Collection, writer: EntityWriter, work: () => Result): Result {
    try {
      const whole = this.#db.transaction(() => {
        const version = this.#statements
          .get("SELECT version FROM store_entities WHERE name = ?")
          .pluck()
          .get(entityName(collection));
        if (version !== this.#catalogue.layout(collection).version) throw anotherSpec(collection.entity);
        writer.begin(this.#bulk.of(collection));
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
