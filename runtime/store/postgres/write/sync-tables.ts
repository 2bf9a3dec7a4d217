import type { Database, Queries } from "../../../postgres/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { type EntityId, entityName, type LayoutCatalogue } from "../../catalogue.ts";
import {
  ChangeNotes,
  type ChangePage,
  type ChangeRetention,
  type ChangesQuery,
  type CurrentRecord,
  defaultChangeRetention,
} from "../../change-log.ts";
import type { Checkpoint } from "../../checkpoint.ts";
import type {
  ChangeLog,
  ChildStep,
  Collection,
  Fenced,
  FinishOptions,
  InstanceScope,
  Page,
  PageResult,
  Parent,
  ParentDone,
  Removal,
  ScopeCollection,
  StoreInstance,
  SyncState,
  SyncStore,
} from "../../store.ts";
import type { FoundRecord } from "../rows/page-counts.ts";
import { membershipsOf, type StoredRow, saveRecords, storedColumns, storedRecords, textsOf } from "../rows/records.ts";
import { keyOf, recordOf, storedKey } from "../rows/rows.ts";
import { beginLoading, recordsToLoad, worthLoading } from "../tables/bulk-load.ts";
import { openCollection, writing } from "../tables/collections.ts";
import type { PreparedEntity } from "../tables/indexes.ts";
import { type Layout, wideColumns } from "../tables/layout.ts";
import type { WriteTarget } from "../tables/target.ts";
import { givenText, storedText } from "../tables/text.ts";
import { TokenSorting } from "../tables/token-sorting.ts";
import { KnownVocabularies } from "../words/known-words.ts";
import { type PrepareOptions, prepareEntity, storedVersion } from "./entities.ts";
import type { InstanceIds } from "./instances.ts";
import { type Ledger, ledgerOn, syncMethodsIn } from "./ledger.ts";
import { unseenMembers } from "./unseen.ts";

export interface SyncTablesOptions {
  readonly database: Database;
  readonly catalogue: LayoutCatalogue<Layout>;
  readonly instances: InstanceIds;
  /** Is told what was done to the tables of an entity. */
  readonly tell: (text: string) => void;
  /** Makes the indexes of an entity that was loaded without them, until the signal ends it. It does not fail. */
  readonly settle: (entity: PreparedEntity, signal: AbortSignal | undefined) => Promise<void>;
  /** How many records a scope must have before its entity is loaded without indexes. Only tests set it. */
  readonly bulk?: number;
  /** After how many written records their tokens are sorted. Only tests set it. */
  readonly sortFrom?: number | undefined;
  readonly changeRetention?: ChangeRetention;
  /** Ends what runs in the background. */
  readonly signal: AbortSignal;
}

/** What a sync run writes, and where. */
interface RunTarget {
  readonly collection: ScopeCollection;
  readonly layout: Layout;
  readonly inst: number;
  readonly checkpoint: Checkpoint;
}

/** A marker as it is stored. */
function storedMarker({ key, marker, ...rest }: ParentDone): ParentDone {
  return { ...rest, key: storedKey(key), marker: marker === null ? null : storedText(marker) };
}

/** With the scope as it is stored. */
function stored<Of extends InstanceScope>(of: Of): Of {
  return of.scope === undefined ? of : { ...of, scope: storedText(of.scope) };
}

/** What a change of a sync leaves is the same when it is made twice, so it may be made again after a lost COMMIT. */
const repeatable = { repeatable: true } as const;

/** Fills the tables of the records. Each call is one transaction; `forget` is several. */
export class SyncTables implements SyncStore, ChangeLog {
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
  readonly #retention: ChangeRetention;
  readonly #vocabularies = new KnownVocabularies();
  readonly #shared: ReturnType<typeof syncMethodsIn>;
  readonly #sorting: TokenSorting;

  readonly fail: SyncStore["fail"] = (collection, problem) => this.#shared.fail(stored(collection), problem);
  readonly abandon: SyncStore["abandon"] = (collection, problem) => this.#shared.abandon(stored(collection), problem);
  readonly confirm: SyncStore["confirm"] = (collection) => this.#shared.confirm(stored(collection));
  readonly note: SyncStore["note"] = (collection, notes) => this.#shared.note(stored(collection), notes);
  readonly lease: SyncStore["lease"] = (key, ...args) => this.#shared.lease(stored(key), ...args);
  readonly seize: SyncStore["seize"] = (...args) => this.#shared.seize(...args);
  readonly setSchedule: SyncStore["setSchedule"] = (...args) => this.#shared.setSchedule(...args);
  readonly started: SyncStore["started"] = (...args) => this.#shared.started(...args);
  readonly leased: SyncStore["leased"] = (key) => this.#shared.leased(stored(key));
  readonly taken: SyncStore["taken"] = (key, at) => this.#shared.taken(stored(key), at);
  readonly schedule: SyncStore["schedule"] = (instance) => this.#shared.schedule(instance);

  constructor(options: SyncTablesOptions) {
    const { database, catalogue, instances, tell, settle, bulk = worthLoading, changeRetention, signal, sortFrom } = options;
    this.#sorting = new TokenSorting({ database, signal, least: sortFrom });
    this.#retention = changeRetention ?? defaultChangeRetention;
    this.#database = database;
    this.#shared = syncMethodsIn(database);
    this.#catalogue = catalogue;
    this.#instances = instances;
    this.#tell = tell;
    this.#settle = settle;
    this.#bulk = bulk;
  }

  /** Brings the tables of all entities to their plans, because a sync must not use checkpoints and markers of the old records. */
  async prepareAll(signal: AbortSignal): Promise<void> {
    for (const entity of this.#catalogue.entities)
      if ((await storedVersion(this.#database, entity)) !== undefined) await this.prepare(entity, { signal });
  }

  /** Waits for what runs in the background. */
  ended(): Promise<void> {
    return this.#sorting.ended();
  }

  /** All entities that have tables. */
  async prepared(): Promise<PreparedEntity[]> {
    return Promise.all([...this.#prepared.values()].map(async ({ entity, layout }) => ({ entity, layout: await layout })));
  }

  async save(collection: ScopeCollection, page: Page, signal?: AbortSignal): Promise<PageResult> {
    const layout = await this.prepare(collection);
    const inst = await this.#instances.make(collection);
    const lists = [page, ...(page.others ?? [])];
    const found: FoundRecord[] = lists.flatMap(({ records, parent = "" }) =>
      records.map((record) => ({ record, key: keyOf(layout, record), parent: storedKey(parent) })),
    );
    const { checkpoint } = page;
    const { saved, known, load } = await this.#write(
      { collection, layout, inst, checkpoint },
      signal,
      async (queries, target, ledger) => {
        const known = this.#vocabularies.of(inst, `${layout.vocabulary} ${target.made}`);
        const notes = new ChangeNotes();
        const saved = await saveRecords(queries, target, found, known, notes);
        const markers = lists.flatMap(({ parentDone }) => (parentDone === undefined ? [] : storedMarker(parentDone)));
        await ledger.endPage(target, checkpoint, { ...saved, markers, notes }, this.#retention);
        const may = saved.inserted > 0 && target.loading === undefined;
        const least = Math.max(this.#bulk, 2 * (this.#loaded.get(entityName(collection)) ?? 0));
        const worth = may ? await recordsToLoad(queries, collection, target, { least, most: this.#bulk }) : undefined;
        return { saved, known, load: worth === undefined ? undefined : { records: worth, loader: target } };
      },
    );
    known.add(saved.words);
    if (load !== undefined) {
      // It would keep the indexes from being dropped.
      await this.#sorting.settled(layout);
      this.#loaded.set(entityName(collection), load.records);
      // They only make loading slower, so when that fails, loading goes on.
      await beginLoading(this.#database, collection, layout, load.loader).catch(() => false);
    }
    const { joined: _, words: __, ...counts } = saved;
    this.#sorting.wrote(layout, counts.inserted + counts.changed + counts.repeated);
    return counts;
  }

  async parents(collection: ScopeCollection, child: ChildStep, after: string | undefined, limit: number): Promise<Parent[]> {
    const layout = await this.prepare(collection);
    const ids = await ledgerOn(this.#database).holdScope(collection, storedText(collection.scope));
    if (ids === undefined) return [];
    const { inst, scope } = ids;
    const wide = wideColumns(layout);
    const rows = await this.#database.query<StoredRow & Pick<Parent, "marker" | "run">>(
      sql`SELECT ${storedColumns(layout)}, t.marker, t.run
        FROM (SELECT DISTINCT k FROM ${raw(layout.members)} WHERE inst = ${inst} AND scope = ${scope} AND k > ${storedKey(after ?? "")} ORDER BY k LIMIT ${limit}) p
        JOIN ${raw(layout.records)} n ON n.inst = ${inst} AND n.k = p.k
        LEFT JOIN store_markers t ON t.inst = ${inst} AND t.scope = ${scope} AND t.entity = ${child.entity} AND t.step = ${child.step} AND t.parent = p.k
        ORDER BY n.k`,
    );
    return rows.map((row) => ({
      key: givenText(row.k),
      marker: row.marker === null ? null : givenText(row.marker),
      run: row.run,
      record: recordOf(wide, row.found, textsOf(wide.length, row), row.more),
    }));
  }

  async finish(
    collection: ScopeCollection,
    checkpoint: Checkpoint,
    { parents, ...options }: FinishOptions,
    signal?: AbortSignal,
  ): Promise<Removal> {
    const layout = await this.prepare(collection);
    const parentLayouts: Layout[] = [];
    for (const entity of parents) parentLayouts.push(await this.prepare({ ...collection, entity }));
    const inst = await this.#instances.make(collection);
    let first = false;
    let loaded = false;
    const removal = await this.#write({ collection, layout, inst, checkpoint }, signal, async (queries, target, ledger) => {
      first = !(await ledger.isComplete(target));
      loaded = target.loading?.inst === inst && target.loading.scope === target.scope;
      const unseen = () => unseenMembers(queries, target, checkpoint, options.byKey === true, parentLayouts);
      return ledger.finishRun({ ...membershipsOf(queries, target), unseen }, checkpoint, options, this.#retention);
    });
    if (options.counts) return removal;
    // The engine does both by itself, but not at once. Without statistics, it reads many records too many.
    if (loaded) await this.#settle({ entity: collection, layout }, signal);
    else await this.#tidy(layout, first, signal).catch(() => undefined);
    return removal;
  }

  async forget(instance: StoreInstance & Fenced, scopeName: string): Promise<number | null> {
    const entities: PreparedEntity[] = [];
    for (const entity of this.#catalogue.entities)
      if (entity.connector === instance.connector && (await storedVersion(this.#database, entity)) !== undefined)
        entities.push({ entity, layout: await this.prepare(entity) });
    const name = storedText(scopeName);
    let removed: number | null = null;
    const forget = async (queries: Queries) => {
      const ledger = ledgerOn(queries);
      const ids = await ledger.holdScope(instance, name);
      if (ids === undefined) return null;
      const { inst, scope } = ids;
      const memberships = [];
      for (const { entity, layout } of entities) {
        const open = await openCollection(queries, entity, layout, inst);
        memberships.push(membershipsOf(queries, { layout, inst, scope, entity: entity.entity, ...open, run: 0 }));
      }
      return ledger.forgetSome(ids, memberships);
    };
    for (;;) {
      const step = await writing(() => this.#database.transaction(forget));
      if (step === null) return removed;
      removed = (removed ?? 0) + step.removed;
      if (step.done) return removed;
    }
  }

  async changes(instance: StoreInstance, query: ChangesQuery): Promise<ChangePage> {
    const { changes, ...slice } = await ledgerOn(this.#database).readChanges(instance, query);
    const given = changes.map((one) => ({ ...one, key: givenText(one.key), scope: givenText(one.scope) }));
    return { ...slice, changes: given };
  }

  async current(collection: Collection, keys: readonly string[]): Promise<CurrentRecord[]> {
    const layout = await this.prepare(collection);
    const inst = await this.#instances.find(collection);
    if (inst === undefined) return [];
    const found = await storedRecords(this.#database, { layout, inst }, keys.map(storedKey));
    return [...found].map(([key, record]) => ({ key: givenText(key), json: JSON.stringify(record) }));
  }

  async states(of: InstanceScope): Promise<SyncState[]> {
    return (await this.#shared.states(stored(of))).map((state) => ({ ...state, scope: givenText(state.scope) }));
  }

  /** Does the work of a sync run in one transaction, in which nobody else writes to the entity of this instance. */
  #write<Result>(
    { collection, layout, inst, checkpoint }: RunTarget,
    signal: AbortSignal | undefined,
    work: (queries: Queries, target: WriteTarget, ledger: Ledger) => Promise<Result>,
  ): Promise<Result> {
    const name = storedText(collection.scope);
    const whole = async (queries: Queries) => {
      const ledger = ledgerOn(queries);
      await ledger.holdLease(inst, name, collection.fencingToken);
      const open = await openCollection(queries, collection, layout, inst);
      const scope = await ledger.makeScope(inst, name);
      const target = { layout, inst, scope, entity: collection.entity, ...open, run: checkpoint.run };
      await queries.run(sql`SET LOCAL gin_pending_list_limit = ${raw(String(this.#sorting.mayWait))}`);
      await ledger.refuseOlderRun(target, checkpoint);
      return work(queries, target, ledger);
    };
    return writing(() => this.#database.transaction(whole, repeatable), signal);
  }

  async #tidy(layout: Layout, first: boolean, signal: AbortSignal | undefined): Promise<void> {
    const options = signal === undefined ? {} : { signal };
    if (first) await this.#database.alone(raw(`ANALYZE ${layout.records}, ${layout.members}, ${layout.vocabulary}`), options);
    await this.#sorting.finish(layout, signal);
  }

  /** Makes the tables of an entity, unless this process has done that. */
  prepare(entity: EntityId, options?: PrepareOptions): Promise<Layout> {
    const name = entityName(entity);
    const known = this.#prepared.get(name);
    if (known !== undefined) return known.layout;
    const layout = this.#prepareOnce(entity, options);
    this.#prepared.set(name, { entity, layout });
    // The next call tries again.
    layout.catch(() => this.#prepared.delete(name));
    return layout;
  }

  async #prepareOnce(entity: EntityId, options: PrepareOptions = {}): Promise<Layout> {
    const layout = this.#catalogue.layout(entity);
    const done = await prepareEntity(this.#database, entity, layout, { tell: this.#tell, ...options });
    if (done !== undefined) this.#tell(`${done} the tables of ${entity.entity}`);
    return layout;
  }
}
