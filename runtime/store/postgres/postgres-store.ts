import { within } from "../../base/deadline.ts";
import { TenonError } from "../../base/errors.ts";
import { pause } from "../../base/pause.ts";
import type { SearchCaller } from "../../base/search-caller.ts";
import { type Database, migrate, sqlState, watchVersion } from "../../postgres/index.ts";
import { sql } from "../../sql/index.ts";
import { entityName, LayoutCatalogue, type Plans } from "../catalogue.ts";
import type { ChangeRetention } from "../change-log.ts";
import { searchTooSlow, shuttingDown } from "../ending.ts";
import type { EmbeddingQueue, SemanticAnswer, SemanticQuery, SemanticStore } from "../semantic.ts";
import { type StatementAnswer, type StatementQuery, statementTime } from "../statement-store.ts";
import type { ChangeLog, Collection, Store, StoreAnswer, StoreInstance, StoreSearch, SyncStore } from "../store.ts";
import { EmbeddingTables } from "./meaning/embedding-tables.ts";
import { SemanticTables } from "./meaning/semantic-tables.ts";
import type { SearchLimits } from "./search/find.ts";
import { SearchTables } from "./search/search-tables.ts";
import { StatementTables } from "./search/statement-tables.ts";
import { loadingEntities } from "./tables/bulk-load.ts";
import { IndexDemand } from "./tables/index-demand.ts";
import { makeMissing, type PreparedEntity } from "./tables/indexes.ts";
import { layoutOf } from "./tables/layout.ts";
import { recordSchema } from "./tables/schema.ts";
import { createExtensions, Trigrams } from "./words/trigrams.ts";
import { type WordsInMemory, wordsInMemory } from "./words/vocabularies.ts";
import { WordSearch } from "./words/word-search.ts";
import { InstanceIds } from "./write/instances.ts";
import { LayoutUse } from "./write/layout-use.ts";
import { SyncTables } from "./write/sync-tables.ts";

export interface PostgresStoreOptions {
  /** Whoever opened it closes it, after the store: in `onClose`, for example. */
  readonly database: Database;
  /** Where cached searches run, but for those by meaning; without it, in the database itself. */
  readonly reader?: Database;
  readonly plans: Plans;
  /** Milliseconds that one search may take. */
  readonly searchTime?: number;
  /** Milliseconds that `close` waits for what has begun. */
  readonly closeTime?: number;
  /** How many passages of an index are kept in memory with their vectors. Only tests set it. */
  readonly exactUpTo?: number;
  /** How much of the change log is kept. */
  readonly changeRetention?: ChangeRetention;
  /** The role under which SQL of callers runs; without it, the user of the database. */
  readonly sqlRole?: string;
  /** Called when a newer process has changed the tables. From then on, every call fails with this error. */
  readonly onNewer?: (error: TenonError) => void;
  /** Milliseconds between two looks for that, and for indexes that are missing. Only tests set it. */
  readonly watchTime?: number;
  /** Milliseconds for which tables are kept after the last process that used them was killed. Only tests set it. */
  readonly leaseTime?: number;
  /** Milliseconds between two tries to open a database that is away. Only tests set it. */
  readonly retryTime?: number;
  /** How many records a scope must have before its entity is loaded without indexes. Only tests set it. */
  readonly bulk?: number;
  /** How many records a collection must have before its searches ask for indexes. Only tests set it. */
  readonly indexFrom?: number;
  /** Only tests set it. */
  readonly wordsInMemory?: WordsInMemory;
  /** Called at the end of `close`, which waits for it. */
  readonly onClose?: () => Promise<unknown>;
  /** Called with messages for the operator. */
  readonly tell?: (text: string, level: "info" | "error") => void;
}

/** Milliseconds between two looks for indexes that are missing. */
const lookTime = 10_000;
/** The same after several failures, at the longest: each try keeps others from writing. */
const longestLookTime = 600_000;
/** SQLSTATE of a statement for which the user lacks a right. */
const notAllowed = "42501";
/** Milliseconds between two looks at a database that cannot be used, and for the answer to each. */
const probeTime = 1_000;

const withoutExtensions = `Searches for parts of words read the words of a field into memory, and are slow in a field with more than ${wordsInMemory.field.toLocaleString("en")} words, because the database lacks two extensions of PostgreSQL. Its administrator adds them: ${createExtensions.join("; ")};`;

const ignored = () => undefined;

function whyNot(thrown: unknown): string {
  if (sqlState(thrown) === notAllowed)
    return "The user of the database may not make them: run `tenon store migrate` as the owner of the tables.";
  return thrown instanceof TenonError ? thrown.message : "It failed unexpectedly.";
}

function beingOpened(): TenonError {
  const message = "The context store is being opened, which takes minutes after a change of its tables.";
  return new TenonError("overloaded", message, { retryAfter: 10 });
}

/** The store in a PostgreSQL database, which any number of processes may share. */
export class PostgresStore implements Store, SemanticStore, EmbeddingQueue {
  /** Resolves when the tables are there. It waits for a database that is away, and rejects where waiting does not help. */
  readonly ready: Promise<void>;
  readonly #sync: SyncTables;
  readonly #search: SearchTables;
  readonly #statements: StatementTables;
  readonly #semantic: SemanticTables;
  readonly #embedding: EmbeddingTables;
  readonly #trigrams: Trigrams;
  readonly #demand: IndexDemand;
  readonly #searchTime: number;
  readonly #closeTime: number;
  /** Ends searches when the store is closed. */
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #database: Database;
  readonly #tell: NonNullable<PostgresStoreOptions["tell"]>;
  readonly #onClose: NonNullable<PostgresStoreOptions["onClose"]>;
  #open: Promise<void> | undefined;
  #isOpen = false;
  readonly #lookTime: number;
  readonly #layouts: LayoutUse;
  #keeping: Promise<void> | undefined;
  /** What runs until the store is closed. */
  readonly #background: Promise<void>[] = [];
  #toldOfExtensions = false;
  #healthy = true;
  /** Why the store cannot be opened yet. */
  #problem: string | undefined;
  /** Set when the tables are those of a newer version. */
  #newer: TenonError | undefined;
  readonly #unwatch: () => void;
  #probe: NodeJS.Timeout | undefined;

  readonly save: SyncStore["save"] = (...args) => this.#use(() => this.#sync.save(...args));
  readonly parents: SyncStore["parents"] = (...args) => this.#use(() => this.#sync.parents(...args));
  readonly finish: SyncStore["finish"] = (...args) => this.#use(() => this.#sync.finish(...args));
  readonly fail: SyncStore["fail"] = (...args) => this.#use(() => this.#sync.fail(...args));
  readonly abandon: SyncStore["abandon"] = (...args) => this.#use(() => this.#sync.abandon(...args));
  readonly confirm: SyncStore["confirm"] = (...args) => this.#use(() => this.#sync.confirm(...args));
  readonly note: SyncStore["note"] = (...args) => this.#use(() => this.#sync.note(...args));
  readonly forget: SyncStore["forget"] = (...args) => this.#use(() => this.#sync.forget(...args));
  readonly changes: ChangeLog["changes"] = (...args) => this.#use(() => this.#sync.changes(...args));
  readonly current: ChangeLog["current"] = (...args) => this.#use(() => this.#sync.current(...args));
  readonly states: SyncStore["states"] = (...args) => this.#use(() => this.#sync.states(...args));
  readonly lease: SyncStore["lease"] = (...args) => this.#use(() => this.#sync.lease(...args));
  readonly taken: SyncStore["taken"] = (...args) => this.#use(() => this.#sync.taken(...args));
  readonly seize: SyncStore["seize"] = (...args) => this.#use(() => this.#sync.seize(...args));
  readonly leased: SyncStore["leased"] = (...args) => this.#use(() => this.#sync.leased(...args));
  readonly schedule: SyncStore["schedule"] = (...args) => this.#use(() => this.#sync.schedule(...args));
  readonly setSchedule: SyncStore["setSchedule"] = (...args) => this.#use(() => this.#sync.setSchedule(...args));
  readonly started: SyncStore["started"] = (...args) => this.#use(() => this.#sync.started(...args));
  readonly openModel: EmbeddingQueue["openModel"] = (...args) => this.#use(() => this.#embedding.openModel(...args));
  readonly waitingTexts: EmbeddingQueue["waitingTexts"] = (...args) => this.#use(() => this.#embedding.waitingTexts(...args));
  readonly endEmbedding: EmbeddingQueue["endEmbedding"] = (...args) => this.#use(() => this.#embedding.endEmbedding(...args));
  readonly waitingCount: EmbeddingQueue["waitingCount"] = (...args) => this.#use(() => this.#embedding.waitingCount(...args));
  readonly keepPassages: EmbeddingQueue["keepPassages"] = (...args) => this.#use(() => this.#embedding.keepPassages(...args));
  readonly noteProblem: EmbeddingQueue["noteProblem"] = (...args) => this.#use(() => this.#embedding.noteProblem(...args));
  readonly dropOtherModels: EmbeddingQueue["dropOtherModels"] = (...args) =>
    this.#use(() => this.#embedding.dropOtherModels(...args));
  readonly semanticStates: SemanticStore["semanticStates"] = (...args) =>
    this.#use(() => this.#embedding.semanticStates(...args));

  constructor({
    database,
    reader = database,
    plans,
    searchTime = 5_000,
    closeTime = 5_000,
    tell = () => undefined,
    exactUpTo,
    sqlRole: role = "",
    onNewer,
    onClose = async () => undefined,
    watchTime,
    leaseTime,
    retryTime = probeTime,
    bulk,
    indexFrom,
    wordsInMemory: most = wordsInMemory,
    changeRetention,
  }: PostgresStoreOptions) {
    const catalogue = new LayoutCatalogue(plans, layoutOf);
    const instances = new InstanceIds(database);
    this.#sync = new SyncTables({
      database,
      catalogue,
      instances,
      tell: (text) => tell(text, "info"),
      settle: (entity, signal) => this.#makeIndexes([entity], signal).then(ignored),
      ...(bulk === undefined ? {} : { bulk }),
      ...(changeRetention === undefined ? {} : { changeRetention }),
    });
    this.#trigrams = new Trigrams(database);
    const words = new WordSearch(this.#trigrams, most);
    this.#demand = new IndexDemand(database, indexFrom);
    this.#search = new SearchTables(reader, catalogue, words, this.#demand);
    this.#statements = new StatementTables({ database, reader, catalogue, words, role });
    // What this process keeps of the vectors follows the changes of one database; a replica may be behind what was seen already.
    this.#semantic = new SemanticTables(new SearchTables(database, catalogue, words, this.#demand), exactUpTo);
    this.#embedding = new EmbeddingTables(database, catalogue);
    this.#searchTime = searchTime;
    this.#closeTime = closeTime;
    this.#database = database;
    this.#tell = tell;
    this.#onClose = onClose;
    this.#lookTime = watchTime ?? lookTime;
    const outdated = (error: TenonError) => {
      this.#newer = error;
      this.#healthy = false;
      onNewer?.(error);
    };
    this.#layouts = new LayoutUse({
      database,
      catalogue,
      prepare: (entity) => this.#sync.prepare(entity),
      outdated,
      tell: (text) => tell(text, "info"),
      ...(watchTime === undefined ? {} : { lookTime: watchTime }),
      ...(leaseTime === undefined ? {} : { leaseTime }),
    });
    this.#unwatch = watchVersion(database, recordSchema, outdated, watchTime);
    this.ready = this.#openedOnceThere(retryTime);
    // A caller that does not wait for `ready` learns of a failure from its first call.
    this.ready.catch(() => undefined);
  }

  get healthy(): boolean {
    return this.#healthy;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  search(
    collection: Collection,
    query: StoreSearch,
    latest: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<StoreAnswer> {
    return this.#reading({ latest, signal, caller }, (limits) => this.#search.search(collection, query, limits));
  }

  searchByMeaning(
    collection: Collection,
    query: SemanticQuery,
    latest: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<SemanticAnswer> {
    return this.#reading({ latest, signal, caller }, (limits) => this.#semantic.find(collection, query, limits));
  }

  runStatement(
    instance: StoreInstance,
    query: StatementQuery,
    latest: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<StatementAnswer> {
    return this.#reading({ latest, signal, caller, time: statementTime }, (limits) =>
      this.#statements.run(instance, query, limits),
    );
  }

  /** Ends searches at once, and waits for changes that have begun. */
  async close(): Promise<boolean> {
    this.#end.abort();
    clearTimeout(this.#probe);
    this.#unwatch();
    const ended = Promise.allSettled([...this.#running, this.#keeping, ...this.#background]).then(async () => {
      await this.#semantic.close();
      await this.#layouts.end().catch(ignored);
      return true;
    });
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, this.#closeTime, false).unref());
    const hasEnded = await Promise.race([ended, late]);
    await this.#onClose();
    return hasEnded;
  }

  async #reading<Result>(
    {
      latest,
      signal,
      caller,
      time = this.#searchTime,
    }: {
      readonly latest: number;
      readonly signal: AbortSignal | undefined;
      readonly caller: SearchCaller | undefined;
      readonly time?: number;
    },
    work: (limits: SearchLimits) => Promise<Result>,
  ): Promise<Result> {
    const limits = {
      deadline: Math.min(latest, performance.now() + time),
      signal: signal === undefined ? this.#end.signal : AbortSignal.any([signal, this.#end.signal]),
      ...(caller === undefined ? {} : { caller }),
    };
    try {
      if (!this.#isOpen) await this.#openBefore(limits.deadline);
      return await this.#use(() => work(limits));
    } catch (thrown) {
      throw this.#end.signal.aborted ? shuttingDown() : thrown;
    }
  }

  /**
   * Waits for the tables, which may be changed for minutes, no longer than a search may take.
   *
   * @throws TenonError `overloaded`; `search_timeout`
   */
  async #openBefore(deadline: number): Promise<void> {
    const left = deadline - performance.now();
    if (left <= 0) throw searchTooSlow();
    await within(left, this.#opened(), () => {
      throw beingOpened();
    });
  }

  async #use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#end.signal.aborted) throw shuttingDown();
    if (this.#newer !== undefined) throw this.#newer;
    const running = this.#opened().then(work);
    this.#running.add(running);
    try {
      const result = await running;
      this.#healthy = this.#newer === undefined;
      return result;
    } catch (thrown) {
      if (thrown instanceof TenonError && thrown.code === "database_unavailable") this.#lose();
      throw thrown;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Prepares the tables. When that fails, the next call tries again. */
  #opened(): Promise<void> {
    this.#open ??= this.#prepare().catch((thrown: unknown) => {
      this.#open = undefined;
      throw thrown;
    });
    return this.#open;
  }

  /** Opens the tables, and tries again for as long as the database is away. */
  async #openedOnceThere(retryTime: number): Promise<void> {
    for (;;) {
      try {
        await this.#opened();
        if (this.#problem !== undefined) this.#tell("The context store can be used.", "info");
        this.#problem = undefined;
        this.#healthy = this.#newer === undefined;
        return;
      } catch (thrown) {
        if (!(thrown instanceof TenonError && thrown.code === "database_unavailable")) throw thrown;
        this.#healthy = false;
        if (this.#problem !== thrown.message) this.#tell(`The context store waits. ${thrown.message}`, "error");
        this.#problem = thrown.message;
        await pause(retryTime, this.#end.signal, "idle");
        if (this.#end.signal.aborted) throw shuttingDown();
      }
    }
  }

  async #prepare(): Promise<void> {
    await migrate(this.#database, recordSchema);
    if (!(await this.#trigrams.prepare()) && !this.#toldOfExtensions) {
      this.#toldOfExtensions = true;
      this.#tell(withoutExtensions, "info");
    }
    // Before any table is looked at, so that nobody drops it.
    await this.#layouts.begin();
    this.#keeping ??= this.#layouts.keep(this.#end.signal);
    await this.#sync.prepareAll(this.#end.signal);
    await this.#statements.lookAtRole(this.#tell);
    this.#isOpen = true;
    this.#background.push(this.#layouts.follow(this.#end.signal), this.#watchIndexes());
  }

  /**
   * Makes indexes that are missing, where no sync is loading the records: those that searches ask for, those of tables that were made anew,
   * and those of entities whose loading was cut off, in this process or another one. Meanwhile searches walk through the records.
   */
  async #watchIndexes(): Promise<void> {
    const { signal } = this.#end;
    let all = true;
    let trigrams: boolean | undefined;
    for (let failures = 0; !signal.aborted; ) {
      // Somebody may have created the extensions meanwhile, so that every vocabulary lacks an index.
      const can = await this.#trigrams.look().catch(() => trigrams);
      const isNew = await this.#demand.store().catch(() => false);
      all ||= isNew || can !== trigrams;
      trigrams = can;
      const made = await this.#makeLeft(all);
      all &&= made !== true;
      failures = made === undefined ? failures + 1 : 0;
      const wait = Math.min(longestLookTime, this.#lookTime * 2 ** Math.max(0, failures - 1));
      await pause(wait, signal, "idle");
    }
  }

  /** @param all whether to look at entities that nobody has noted as loading too @returns as `#makeIndexes` */
  async #makeLeft(all: boolean): Promise<boolean | undefined> {
    try {
      const loading = await loadingEntities(this.#database);
      const entities = await this.#sync.prepared();
      const stateOf = ({ entity }: PreparedEntity) => loading.get(entityName(entity));
      // The first look finds also what a process without these notes has left.
      const lacking = entities.filter((one) => (all ? stateOf(one) !== "loaded" : stateOf(one) === "left"));
      return await this.#makeIndexes(lacking);
    } catch {
      // The database is away, which is told elsewhere.
      return false;
    }
  }

  /**
   * @param given ends it, as `close` does
   * @returns whether all indexes are there; undefined when making them failed, such as on a full disk, or was ended
   */
  async #makeIndexes(entities: readonly PreparedEntity[], given?: AbortSignal): Promise<boolean | undefined> {
    const signal = AbortSignal.any([this.#end.signal, ...(given === undefined ? [] : [given])]);
    try {
      const made = await makeMissing(this.#database, entities, signal, (text) => this.#tell(text, "info"));
      await this.#trigrams.look().catch(ignored);
      return made;
    } catch (thrown) {
      if (!signal.aborted) this.#tell(`Indexes could not be made, and searches are slower. ${whyNot(thrown)}`, "error");
      return undefined;
    }
  }

  /** Looks from time to time whether the database answers again, because nobody may call a store that is not healthy. */
  #lose(): void {
    // Whoever opens the store tries that again and again.
    if (!this.#isOpen) return;
    if (this.#healthy) this.#tell("The database of the context store cannot be used.", "error");
    this.#healthy = false;
    clearTimeout(this.#probe);
    if (this.#end.signal.aborted) return;
    this.#probe = setTimeout(() => {
      this.#database.query(sql`SELECT 1`, { deadline: performance.now() + probeTime }).then(
        () => {
          this.#healthy = true;
          this.#tell("The database of the context store can be used again.", "info");
        },
        () => this.#lose(),
      );
    }, probeTime).unref();
  }
}
