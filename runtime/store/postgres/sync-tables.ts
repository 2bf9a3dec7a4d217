import { type Database, type Queries, raw, sql } from "../../postgres/index.ts";
import { type EntityId, entityName, type LayoutCatalogue } from "../catalogue.ts";
import type { Migration } from "../migration.ts";
import { massDeleteRefused, type SyncProblem } from "../problem.ts";
import { isMassDelete, removalBase } from "../removal.ts";
import type {
  ChildStep,
  Fenced,
  FinishOptions,
  LeasePlace,
  Page,
  PageResult,
  Parent,
  Removal,
  Schedule,
  ScopePlace,
  StoreInstance,
  SyncPosition,
  SyncShelf,
  SyncState,
  SyncStore,
  TakenFamily,
} from "../store.ts";
import { beginLoading, recordsToLoad, worthLoading } from "./bulk-load.ts";
import { holdLease, isLeased, noteStart, readSchedule, readTaken, seizeLease, storeSchedule, takeLease } from "./calendar.ts";
import { prepareEntity, storedVersion } from "./entities.ts";
import { forgetSome } from "./forget.ts";
import { type PreparedEntity, sortTokens } from "./indexes.ts";
import type { InstanceIds } from "./instances.ts";
import { KnownVocabularies } from "./known-words.ts";
import { type Layout, wideColumns } from "./layout.ts";
import * as ledger from "./ledger.ts";
import { type FoundRecord, leavingKeys, removeMembers, type StoredRow, saveRecords, storedColumns, textsOf } from "./records.ts";
import { keyOf, recordOf, storedKey } from "./rows.ts";
import { openShelf, writing } from "./shelves.ts";
import type { Target } from "./target.ts";
import { givenText } from "./text.ts";
import { unseenMembers } from "./unseen.ts";

export interface SyncTablesOptions {
  readonly database: Database;
  readonly catalogue: LayoutCatalogue<Layout>;
  readonly instances: InstanceIds;
  /** Is told what was done to the tables of an entity. */
  readonly tell: (migration: Migration, entity: string) => void;
  /** Makes the indexes of an entity that was loaded without them, until the signal ends it. It does not fail. */
  readonly settle: (entity: PreparedEntity, signal: AbortSignal | undefined) => Promise<void>;
  /** How many records a scope must have before its entity is loaded without indexes. Only tests set it. */
  readonly bulk?: number;
}

/** What a pass writes, and where. */
interface PassPlace {
  readonly shelf: SyncShelf;
  readonly layout: Layout;
  readonly inst: number;
  readonly position: SyncPosition;
}

/** What a change of a sync leaves is the same when it is made twice, so it may be made again after a lost COMMIT. */
const once = { repeatable: true } as const;

/** Fills the tables of the records. Each call is one transaction; `forget` is several. */
export class SyncTables implements SyncStore {
  readonly #database: Database;
  readonly #catalogue: LayoutCatalogue<Layout>;
  readonly #instances: InstanceIds;
  readonly #tell: SyncTablesOptions["tell"];
  readonly #prepared = new Map<string, { readonly entity: EntityId; readonly layout: Promise<Layout> }>();
  readonly #settle: SyncTablesOptions["settle"];
  readonly #bulk: number;
  /**
   * How many records the scope had when this process last began to load an entity without indexes, or tried to. It does so again only when
   * there are twice as many, so that a sync that fails again and again does not have the indexes made each time.
   */
  readonly #loaded = new Map<string, number>();
  readonly #vocabularies = new KnownVocabularies();

  constructor({ database, catalogue, instances, tell, settle, bulk = worthLoading }: SyncTablesOptions) {
    this.#database = database;
    this.#catalogue = catalogue;
    this.#instances = instances;
    this.#tell = tell;
    this.#settle = settle;
    this.#bulk = bulk;
  }

  /** Brings the tables of all entities to their plans, because a sync must not use positions and marks of the old records. */
  async prepareAll(): Promise<void> {
    for (const entity of this.#catalogue.entities)
      if ((await storedVersion(this.#database, entity)) !== undefined) await this.#prepare(entity);
  }

  /** All entities that have tables. */
  async prepared(): Promise<PreparedEntity[]> {
    return Promise.all([...this.#prepared.values()].map(async ({ entity, layout }) => ({ entity, layout: await layout })));
  }

  async save(shelf: SyncShelf, page: Page, signal?: AbortSignal): Promise<PageResult> {
    const layout = await this.#prepare(shelf);
    const inst = await this.#instances.make(shelf);
    const lists = [page, ...(page.others ?? [])];
    const found: FoundRecord[] = lists.flatMap(({ records, parent = "" }) =>
      records.map((record) => ({ record, key: keyOf(layout, record), parent: storedKey(parent) })),
    );
    const { position } = page;
    const { saved, known, load } = await this.#write({ shelf, layout, inst, position }, signal, async (queries, target) => {
      const known = this.#vocabularies.of(inst, `${layout.vocabulary} ${target.made}`);
      const saved = await saveRecords(queries, target, found, known);
      for (const { parentDone } of lists)
        if (parentDone !== undefined) await ledger.setMark(queries, target, position, parentDone);
      await ledger.addCounts(queries, target, { scope: saved.joined, all: saved.inserted });
      await ledger.setPosition(queries, target, position);
      const may = saved.inserted > 0 && target.loading === undefined;
      const least = Math.max(this.#bulk, 2 * (this.#loaded.get(entityName(shelf)) ?? 0));
      const worth = may ? await recordsToLoad(queries, shelf, target, { least, most: this.#bulk }) : undefined;
      return { saved, known, load: worth === undefined ? undefined : { records: worth, loader: target } };
    });
    known.add(saved.words);
    if (load !== undefined) {
      this.#loaded.set(entityName(shelf), load.records);
      // They only make loading slower, so when that fails, loading goes on.
      await beginLoading(this.#database, shelf, layout, load.loader).catch(() => false);
    }
    return { inserted: saved.inserted, changed: saved.changed, unchanged: saved.unchanged };
  }

  async parents(shelf: SyncShelf, child: ChildStep, after: string | undefined, limit: number): Promise<Parent[]> {
    const layout = await this.#prepare(shelf);
    const inst = await this.#instances.make(shelf);
    const scope = (await ledger.findScope(this.#database, inst, shelf.scope)) ?? 0;
    const wide = wideColumns(layout);
    const rows = await this.#database.query<StoredRow & Pick<Parent, "mark" | "pass">>(
      sql`SELECT ${storedColumns(layout)}, t.mark, t.pass
        FROM (SELECT DISTINCT k FROM ${raw(layout.members)} WHERE inst = ${inst} AND scope = ${scope} AND k > ${storedKey(after ?? "")} ORDER BY k LIMIT ${limit}) p
        JOIN ${raw(layout.records)} n ON n.inst = ${inst} AND n.k = p.k
        LEFT JOIN store_marks t ON t.inst = ${inst} AND t.scope = ${scope} AND t.entity = ${child.entity} AND t.step = ${child.step} AND t.parent = p.k
        ORDER BY n.k`,
    );
    return rows.map((row) => ({
      key: givenText(row.k),
      mark: row.mark === null ? null : givenText(row.mark),
      pass: row.pass,
      record: recordOf(wide, row.found, textsOf(wide.length, row), row.more),
    }));
  }

  async finish(
    shelf: SyncShelf,
    position: SyncPosition,
    { massDelete, parents, asked, children = [], ...options }: FinishOptions,
    signal?: AbortSignal,
  ): Promise<Removal> {
    const layout = await this.#prepare(shelf);
    const parentLayouts: Layout[] = [];
    for (const entity of parents) parentLayouts.push(await this.#prepare({ ...shelf, entity }));
    const inst = await this.#instances.make(shelf);
    let first = false;
    let loaded = false;
    const removal = await this.#write({ shelf, layout, inst, position }, signal, async (queries, target) => {
      first = !(await ledger.isComplete(queries, target));
      loaded = target.loading?.inst === inst && target.loading.scope === target.scope;
      const named = asked ? await ledger.markedParents(queries, target, position) : 0;
      const of = removalBase(named, await ledger.countedRecords(queries, target));
      const gone = await unseenMembers(queries, target, position, asked === true, parentLayouts);
      const leaving = await leavingKeys(queries, target, gone);
      if (isMassDelete(leaving.length, of) && !massDelete) {
        await ledger.abandonPass(queries, target, massDeleteRefused, true);
        return { removed: 0, refused: true, of };
      }
      const removed = await removeMembers(queries, target, gone);
      // If a record comes back unchanged, the list that contained it must be read again, and so must its own children.
      const lists = [...new Set(gone.map(({ parent }) => parent))].filter((parent) => parent !== "");
      await ledger.dropMarksOf(queries, target, lists, position.pass);
      await ledger.dropChildMarks(queries, target, children, leaving);
      await ledger.addCounts(queries, target, { scope: -leaving.length, all: -removed.length });
      if (asked) await ledger.dropMarks(queries, target);
      await ledger.completePass(queries, target, position, options);
      return { removed: leaving.length, refused: false, of };
    });
    // The engine does both by itself, but not at once. Without statistics, it reads many records too many.
    if (loaded) await this.#settle({ entity: shelf, layout }, signal);
    else await this.#tidy(layout, first, signal).catch(() => undefined);
    return removal;
  }

  fail(shelf: SyncShelf, problem: SyncProblem): Promise<void> {
    return this.#note(shelf, (queries, ids) => ledger.failPass(queries, ids, problem));
  }

  abandon(shelf: SyncShelf, problem: SyncProblem): Promise<void> {
    return this.#note(shelf, (queries, ids) => ledger.abandonPass(queries, ids, problem));
  }

  confirm(shelf: SyncShelf): Promise<void> {
    return this.#note(shelf, ledger.confirmPass);
  }

  note(shelf: SyncShelf, notes: object): Promise<void> {
    return this.#note(shelf, (queries, ids) => ledger.keepNotes(queries, ids, notes));
  }

  async forget(instance: StoreInstance & Fenced, scope: string): Promise<number | null> {
    const entities: Layout[] = [];
    const names: string[] = [];
    for (const entity of this.#catalogue.entities)
      if (entity.connector === instance.connector && (await storedVersion(this.#database, entity)) !== undefined) {
        entities.push(await this.#prepare(entity));
        names.push(entity.entity);
      }
    const inst = await this.#instances.find(instance);
    let removed: number | null = null;
    const forget = async (queries: Queries) => {
      const id = inst === undefined ? undefined : await ledger.findScope(queries, inst, scope);
      if (inst === undefined || id === undefined) return null;
      await holdLease(queries, inst, scope, instance);
      const targets: Target[] = [];
      for (const [index, layout] of entities.entries()) {
        const entity = names[index] ?? "";
        const open = await openShelf(queries, { connector: instance.connector, entity }, layout, inst);
        targets.push({ layout, inst, scope: id, entity, ...open, pass: 0 });
      }
      return forgetSome(queries, { inst, scope: id }, targets);
    };
    for (;;) {
      const step = await writing(() => this.#database.transaction(forget));
      if (step === null) return removed;
      removed = (removed ?? 0) + step.removed;
      if (step.done) return removed;
    }
  }

  states(place: ScopePlace): Promise<SyncState[]> {
    return ledger.readStates(this.#database, place);
  }

  async lease(place: LeasePlace, owner: string, seconds: number, run?: string): Promise<number | null> {
    const { scope = "", family = "", ...instance } = place;
    return takeLease(this.#database, await this.#instances.make(instance), { scope, family, owner, run }, seconds);
  }

  taken(place: Required<ScopePlace>, run: string): Promise<TakenFamily[]> {
    return readTaken(this.#database, place, run);
  }

  async seize(instance: StoreInstance, owner: string, seconds: number): Promise<number> {
    return seizeLease(this.#database, await this.#instances.make(instance), owner, seconds);
  }

  leased(place: ScopePlace): Promise<boolean> {
    return isLeased(this.#database, place);
  }

  schedule(instance: StoreInstance): Promise<Schedule | null> {
    return readSchedule(this.#database, instance);
  }

  async setSchedule(instance: StoreInstance, schedule: Omit<Schedule, "startedAt"> | null): Promise<void> {
    await storeSchedule(this.#database, await this.#instances.make(instance), schedule);
  }

  async started(instance: StoreInstance, before: string | null): Promise<string | null> {
    return noteStart(this.#database, await this.#instances.make(instance), before);
  }

  /** Does the work of a pass in one transaction, in which nobody else writes to the entity of this instance. */
  #write<Result>(
    { shelf, layout, inst, position }: PassPlace,
    signal: AbortSignal | undefined,
    work: (queries: Queries, target: Target) => Promise<Result>,
  ): Promise<Result> {
    const whole = async (queries: Queries) => {
      await holdLease(queries, inst, shelf.scope, shelf);
      const open = await openShelf(queries, shelf, layout, inst);
      const scope = await ledger.makeScope(queries, inst, shelf.scope);
      const target = { layout, inst, scope, entity: shelf.entity, ...open, pass: position.pass };
      await ledger.refuseOlderPass(queries, target, position);
      return work(queries, target);
    };
    return writing(() => this.#database.transaction(whole, once), signal);
  }

  async #tidy(layout: Layout, first: boolean, signal: AbortSignal | undefined): Promise<void> {
    const options = signal === undefined ? {} : { signal };
    if (first) await this.#database.alone(raw(`ANALYZE ${layout.records}, ${layout.vocabulary}`), options);
    await sortTokens(this.#database, layout, options);
  }

  async #note(shelf: SyncShelf, work: (queries: Queries, ids: ledger.ShelfIds) => Promise<void>): Promise<void> {
    const inst = await this.#instances.make(shelf);
    await this.#database.transaction(async (queries) => {
      await holdLease(queries, inst, shelf.scope, shelf);
      await work(queries, { inst, scope: await ledger.makeScope(queries, inst, shelf.scope), entity: shelf.entity });
    }, once);
  }

  #prepare(entity: EntityId): Promise<Layout> {
    const name = entityName(entity);
    const known = this.#prepared.get(name);
    if (known !== undefined) return known.layout;
    const layout = this.#prepareOnce(entity);
    this.#prepared.set(name, { entity, layout });
    // The next call tries again.
    layout.catch(() => this.#prepared.delete(name));
    return layout;
  }

  async #prepareOnce(entity: EntityId): Promise<Layout> {
    const layout = this.#catalogue.layout(entity);
    const done = await prepareEntity(this.#database, entity, layout);
    if (done !== undefined) this.#tell(done, entity.entity);
    return layout;
  }
}
