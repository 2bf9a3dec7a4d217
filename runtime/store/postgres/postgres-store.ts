import { withDeadline } from "../../base/deadline.ts";
import type { TenonError } from "../../base/errors.ts";
import { grouped } from "../../base/grouped.ts";
import type { SearchCaller } from "../../base/search-caller.ts";
import { type Database, migrate, watchVersion } from "../../postgres/index.ts";
import { parseStatement } from "../../statement/index.ts";
import { LayoutCatalogue, type Plans } from "../catalogue.ts";
import type { ChangeRetention } from "../change-log.ts";
import { shuttingDown } from "../ending.ts";
import type { EmbeddingQueue, SemanticAnswer, SemanticQuery, SemanticStore } from "../semantic.ts";
import { type StatementAnswer, type StatementQuery, statementTime } from "../statement-store.ts";
import type { ChangeLog, Collection, Store, StoreAnswer, StoreInstance, StoreSearch, SyncStore } from "../store.ts";
import { Availability } from "./availability.ts";
import { IndexUpkeep } from "./index-upkeep.ts";
import { EmbeddingTables } from "./meaning/embedding-tables.ts";
import { SemanticTables } from "./meaning/semantic-tables.ts";
import type { SearchLimits } from "./search/find.ts";
import { SearchTables } from "./search/search-tables.ts";
import { StatementTables } from "./search/statement-tables.ts";
import { IndexDemand } from "./tables/index-demand.ts";
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
  /** After how many written records their tokens are sorted. Only tests set it. */
  readonly sortFrom?: number;
  /** How many records a collection must have before its searches ask for indexes. Only tests set it. */
  readonly indexFrom?: number;
  /** Only tests set it. */
  readonly wordsInMemory?: WordsInMemory;
  /** Called at the end of `close`, which waits for it. */
  readonly onClose?: () => Promise<unknown>;
  /** Called with messages for the operator. */
  readonly tell?: (text: string, level: "info" | "error") => void;
}

const withoutExtensions = `Searches for parts of words read the words of a field into memory, and are slow in a field with more than ${grouped(wordsInMemory.field)} words, because the database lacks two extensions of PostgreSQL, or has them in a schema that is not on the search_path. Its administrator adds them: ${createExtensions.join("; ")};`;

const ignored = () => undefined;

/** The store in a PostgreSQL database, which any number of processes may share. */
export class PostgresStore implements Store, SemanticStore, EmbeddingQueue {
  readonly parseStatement = parseStatement;
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
  readonly #database: Database;
  readonly #tell: NonNullable<PostgresStoreOptions["tell"]>;
  readonly #onClose: NonNullable<PostgresStoreOptions["onClose"]>;
  readonly #availability: Availability;
  readonly #indexes: IndexUpkeep;
  readonly #layouts: LayoutUse;
  #keeping: Promise<void> | undefined;
  /** What runs until the store is closed. */
  readonly #background: Promise<void>[] = [];
  #toldOfExtensions = false;
  readonly #unwatch: () => void;

  readonly save: SyncStore["save"] = (...args) => this.#availability.use(() => this.#sync.save(...args));
  readonly parents: SyncStore["parents"] = (...args) => this.#availability.use(() => this.#sync.parents(...args));
  readonly finish: SyncStore["finish"] = (...args) => this.#availability.use(() => this.#sync.finish(...args));
  readonly fail: SyncStore["fail"] = (...args) => this.#availability.use(() => this.#sync.fail(...args));
  readonly abandon: SyncStore["abandon"] = (...args) => this.#availability.use(() => this.#sync.abandon(...args));
  readonly confirm: SyncStore["confirm"] = (...args) => this.#availability.use(() => this.#sync.confirm(...args));
  readonly note: SyncStore["note"] = (...args) => this.#availability.use(() => this.#sync.note(...args));
  readonly forget: SyncStore["forget"] = (...args) => this.#availability.use(() => this.#sync.forget(...args));
  readonly changes: ChangeLog["changes"] = (...args) => this.#availability.use(() => this.#sync.changes(...args));
  readonly current: ChangeLog["current"] = (...args) => this.#availability.use(() => this.#sync.current(...args));
  readonly states: SyncStore["states"] = (...args) => this.#availability.use(() => this.#sync.states(...args));
  readonly lease: SyncStore["lease"] = (...args) => this.#availability.use(() => this.#sync.lease(...args));
  readonly taken: SyncStore["taken"] = (...args) => this.#availability.use(() => this.#sync.taken(...args));
  readonly seize: SyncStore["seize"] = (...args) => this.#availability.use(() => this.#sync.seize(...args));
  readonly leased: SyncStore["leased"] = (...args) => this.#availability.use(() => this.#sync.leased(...args));
  readonly schedule: SyncStore["schedule"] = (...args) => this.#availability.use(() => this.#sync.schedule(...args));
  readonly setSchedule: SyncStore["setSchedule"] = (...args) => this.#availability.use(() => this.#sync.setSchedule(...args));
  readonly started: SyncStore["started"] = (...args) => this.#availability.use(() => this.#sync.started(...args));
  readonly openModel: EmbeddingQueue["openModel"] = (...args) => this.#availability.use(() => this.#embedding.openModel(...args));
  readonly waitingTexts: EmbeddingQueue["waitingTexts"] = (...args) =>
    this.#availability.use(() => this.#embedding.waitingTexts(...args));
  readonly endEmbedding: EmbeddingQueue["endEmbedding"] = (...args) =>
    this.#availability.use(() => this.#embedding.endEmbedding(...args));
  readonly waitingCount: EmbeddingQueue["waitingCount"] = (...args) =>
    this.#availability.use(() => this.#embedding.waitingCount(...args));
  readonly keepPassages: EmbeddingQueue["keepPassages"] = (...args) =>
    this.#availability.use(() => this.#embedding.keepPassages(...args));
  readonly noteProblem: EmbeddingQueue["noteProblem"] = (...args) =>
    this.#availability.use(() => this.#embedding.noteProblem(...args));
  readonly dropOtherModels: EmbeddingQueue["dropOtherModels"] = (...args) =>
    this.#availability.use(() => this.#embedding.dropOtherModels(...args));
  readonly semanticStates: SemanticStore["semanticStates"] = (...args) =>
    this.#availability.use(() => this.#embedding.semanticStates(...args));

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
    retryTime,
    bulk,
    sortFrom,
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
      settle: (entity, signal) => this.#indexes.make([entity], signal).then(ignored),
      signal: this.#end.signal,
      sortFrom,
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
    const { signal } = this.#end;
    this.#availability = new Availability({ database, prepare: () => this.#prepare(), signal, retryTime, tell });
    this.#indexes = new IndexUpkeep({
      database,
      trigrams: this.#trigrams,
      demand: this.#demand,
      prepared: () => this.#sync.prepared(),
      signal,
      lookTime: watchTime,
      tell,
    });
    const outdated = (error: TenonError) => {
      this.#availability.outdated(error);
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
    this.ready = this.#availability.openOnceThere();
    // A caller that does not wait for `ready` learns of a failure from its first call.
    this.ready.catch(() => undefined);
  }

  get healthy(): boolean {
    return this.#availability.healthy;
  }

  get problem(): string | undefined {
    return this.#availability.problem;
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
    this.#unwatch();
    const ended = Promise.allSettled([...this.#availability.running, this.#keeping, ...this.#background]).then(async () => {
      await this.#sync.ended();
      await this.#semantic.close();
      await this.#layouts.end().catch(ignored);
      return true;
    });
    const hasEnded = await withDeadline(this.#closeTime, ended, () => false);
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
      await this.#availability.openBefore(limits.deadline);
      return await this.#availability.use(() => work(limits));
    } catch (thrown) {
      throw this.#end.signal.aborted ? shuttingDown() : thrown;
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
    this.#background.push(this.#layouts.follow(this.#end.signal), this.#indexes.watch());
  }
}
