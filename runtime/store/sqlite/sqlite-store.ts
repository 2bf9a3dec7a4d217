import { asTenonError, TenonError } from "../../base/errors.ts";
import type { SearchCaller } from "../../base/search-caller.ts";
import type { Arguments, MethodName } from "../../base/worker-calls.ts";
import { parseStatement } from "../../statement/index.ts";
import type { Plans } from "../catalogue.ts";
import type { ChangeRetention } from "../change-log.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { shuttingDown } from "../ending.ts";
import type { SyncProblem } from "../problem.ts";
import type { EmbeddingQueue, SemanticAnswer, SemanticQuery, SemanticStore } from "../semantic.ts";
import { type StatementAnswer, type StatementQuery, statementTime } from "../statement-store.ts";
import type {
  Collection,
  Fenced,
  FinishOptions,
  Page,
  PageResult,
  Removal,
  ScopeCollection,
  Store,
  StoreAnswer,
  StoreInstance,
  StoreSearch,
} from "../store.ts";
import { isDamage } from "./tables/store-error.ts";
import {
  abandonedCompanions,
  FileGuard,
  type FileState,
  fileState,
  isSameState,
  makeFile,
  storeFile,
} from "./tables/store-file.ts";
import { Session, type SessionOptions } from "./threads/session.ts";
import type { WriterApi } from "./write/writer-api.ts";

export interface SqliteStoreOptions {
  /** Folder of the file. It is made when it is missing. */
  readonly dataDir: string;
  readonly plans: Plans;
  /** How many threads search at the same time. With two or more, one of them is kept free for cheap searches. */
  readonly readers?: number;
  /** Milliseconds that one search may take. */
  readonly searchTime?: number;
  /** Milliseconds that `close` waits for searches to stop, and then again for changes to be finished. */
  readonly closeTime?: number;
  /** How much of the change log is kept. */
  readonly changeRetention?: ChangeRetention;
  /** Called with messages for the operator: tables were rebuilt, the file cannot be used any longer, the file can be used again. */
  readonly tell?: (text: string, level: "info" | "error") => void;
}

/** Milliseconds between two checks of the file. */
const lookEvery = 1_000;

/**
 * The store in one SQLite file in WAL mode. One thread writes and a few threads search, so that no SQL runs on the event loop. A file that
 * cannot be used is left unchanged, and every call fails with the reason. When the file is deleted, replaced, truncated or damaged while
 * it is in use, the store closes it, and opens the file that takes its place.
 */
export class SqliteStore implements Store, SemanticStore, EmbeddingQueue {
  readonly parseStatement = parseStatement;
  readonly #file: string;
  readonly #options: SessionOptions;
  readonly #searchTime: number;
  readonly #tell: (text: string, level: "info" | "error") => void;
  #session: Session | undefined;
  /** Guards the open file; undefined before the file is open. */
  #guard: FileGuard | undefined;
  /** Why the file that was in use cannot be used any longer. */
  #fault: TenonError | undefined;
  /** What the engine has found to be damaged in the file, until the next look at the file. */
  #damage: TenonError | undefined;
  /** The state of the file at the last check, and when it was last opened. */
  #seen: FileState | undefined;
  #tried: FileState | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #tidied: Promise<void> = Promise.resolve();
  #closed = false;

  readonly parents = this.#writing("parents");
  readonly confirm = this.#writing("confirm");
  readonly note = this.#writing("note");
  readonly states = this.#writing("states");
  readonly changes = this.#writing("changes");
  readonly current = this.#writing("current");
  readonly lease = this.#writing("lease");
  readonly taken = this.#writing("taken");
  readonly seize = this.#writing("seize");
  readonly leased = this.#writing("leased");
  readonly schedule = this.#writing("schedule");
  readonly setSchedule = this.#writing("setSchedule");
  readonly started = this.#writing("started");
  readonly openModel = this.#writing("openModel");
  readonly waitingTexts = this.#writing("waitingTexts");
  readonly endEmbedding = this.#writing("endEmbedding");
  readonly waitingCount = this.#writing("waitingCount");
  readonly keepPassages = this.#writing("keepPassages");
  readonly noteProblem = this.#writing("noteProblem");
  readonly dropOtherModels = this.#writing("dropOtherModels");
  readonly semanticStates = this.#writing("semanticStates");

  constructor(options: SqliteStoreOptions) {
    const {
      dataDir,
      plans,
      readers = 2,
      searchTime = 5_000,
      closeTime = 5_000,
      changeRetention,
      tell = () => undefined,
    } = options;
    this.#file = storeFile(dataDir);
    this.#searchTime = searchTime;
    this.#tell = tell;
    this.#options = {
      threads: { file: this.#file, plans, changeRetention },
      readers,
      closeTime,
      tell: (text) => tell(text, "info"),
    };
    makeFile(dataDir, this.#file);
  }

  /**
   * Opens the file, as the first call does: a command that needs no record starts no thread. Resolves when the file can be used for the
   * first time. @throws TenonError `store_unusable`
   */
  get ready(): Promise<void> {
    return this.#opened().ready;
  }

  #opened(): Session {
    if (this.#session !== undefined) return this.#session;
    if (this.#closed) throw shuttingDown();
    const session = new Session(this.#options);
    this.#session = session;
    session.ready.then(
      () => {
        this.#watch();
        this.#tidied = this.#settle(session);
      },
      (thrown: unknown) => {
        this.#fault = asTenonError(thrown);
      },
    );
    return session;
  }

  get healthy(): boolean {
    return this.#fault === undefined;
  }

  async search(
    collection: Collection,
    query: StoreSearch,
    latest: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<StoreAnswer> {
    const deadline = Math.min(latest, performance.now() + this.#searchTime);
    return this.#use((session) => session.search(collection, query, deadline, signal, caller));
  }

  async searchByMeaning(
    collection: Collection,
    query: SemanticQuery,
    latest: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<SemanticAnswer> {
    const deadline = Math.min(latest, performance.now() + this.#searchTime);
    return this.#use((session) => session.searchByMeaning(collection, query, deadline, signal, caller));
  }

  async runStatement(
    instance: StoreInstance,
    query: StatementQuery,
    latest: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<StatementAnswer> {
    const deadline = Math.min(latest, performance.now() + statementTime);
    return this.#use((session) => session.runStatement(instance, query, deadline, signal, caller));
  }

  save(collection: ScopeCollection, page: Page): Promise<PageResult> {
    return this.#use((session) => session.save(collection, page));
  }

  async finish(collection: ScopeCollection, checkpoint: Checkpoint, options: FinishOptions): Promise<Removal> {
    const removal = await this.#use((session) => session.write("finish", collection, checkpoint, options));
    if (!options.counts) this.#tidy(collection);
    return removal;
  }

  async fail(collection: ScopeCollection, problem: SyncProblem): Promise<void> {
    await this.#use((session) => session.write("fail", collection, problem));
    this.#tidy(collection);
  }

  async abandon(collection: ScopeCollection, problem: SyncProblem): Promise<void> {
    await this.#use((session) => session.write("abandon", collection, problem));
    this.#tidy(collection);
  }

  async forget(instance: StoreInstance & Fenced, scope: string): Promise<number | null> {
    let removed: number | null = null;
    for (;;) {
      const step = await this.#use((session) => session.write("forgetSome", instance, scope));
      if (step === null) return removed;
      removed = (removed ?? 0) + step.removed;
      if (step.done) return removed;
    }
  }

  /** Resolves when the work that makes searches faster after a sync is done. Callers need not wait for it. */
  get tidied(): Promise<void> {
    return this.#tidied;
  }

  async close(): Promise<boolean> {
    this.#closed = true;
    clearInterval(this.#timer);
    const ended = (await this.#session?.close()) ?? true;
    await this.#looking;
    return ended;
  }

  /** Begins the work that makes searches of an entity faster after a sync run. */
  #tidy({ connector, instance, entity }: ScopeCollection): void {
    // The file may have grown. Its new size must be known, so that truncation is noticed.
    this.#tidied = this.#opened()
      .tidy({ connector, instance, entity })
      .then(() => this.#look());
  }

  /** Makes the indexes of entities whose loading was cut off. */
  async #settle(session: Session): Promise<void> {
    // The next call that needs the file reports its faults.
    const entities = await session.write("unsettled").catch(() => []);
    for (const entity of entities) await session.tidy({ ...entity, instance: "" });
  }

  /** Makes a method that calls the writer's method of the same name. */
  #writing<Name extends MethodName<WriterApi>>(name: Name) {
    return (...args: Arguments<WriterApi, Name>) => this.#use((session) => session.write(name, ...args));
  }

  async #use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    if (this.#closed) throw shuttingDown();
    if (this.#fault !== undefined) throw this.#fault;
    const session = this.#opened();
    try {
      return await work(session);
    } catch (thrown) {
      // What the engine has read from a damaged file cannot be trusted, though other parts of the file may look right.
      if (isDamage(thrown) && session === this.#session) this.#damage = thrown;
      // A thread may notice a problem with the file before the timer does.
      if (thrown instanceof TenonError && thrown.code === "store_unusable") void this.#look();
      // Between the parts of a page, the file may have been given up.
      throw this.#closed ? thrown : (this.#fault ?? thrown);
    }
  }

  #watch(): void {
    if (this.#closed) return;
    this.#guard = new FileGuard(this.#file);
    this.#timer ??= setInterval(() => void this.#look(), lookEvery).unref();
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce()
      // Nobody waits for a look, so that its failure would end the process.
      .catch((thrown: unknown) => this.#tell(`The file of the context store cannot be looked after: ${String(thrown)}`, "error"))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const state = await fileState(this.#file);
    if (this.#closed || this.#guard === undefined) return;
    const fault = this.#fault === undefined ? (this.#guard.fault(state) ?? this.#damage) : undefined;
    if (fault !== undefined) await this.#lose(fault);
    else if (this.#fault !== undefined && state !== undefined && state.size > 0 && !isSameState(state, this.#tried)) {
      // A file that still changes is not opened, because somebody is still writing it.
      if (isSameState(state, this.#seen)) await this.#reopen(state);
      this.#seen = state;
    }
  }

  async #lose(fault: TenonError): Promise<void> {
    this.#fault = fault;
    this.#damage = undefined;
    this.#tell(fault.message, "error");
    const removeCompanions = abandonedCompanions(this.#file);
    await this.#session?.close();
    this.#tried = undefined;
    this.#seen = undefined;
    // The changes in the log of a truncated file may be all that is left of it, and are of no use to another file.
    if (this.#guard?.isOpened(await fileState(this.#file)) !== true) removeCompanions();
  }

  async #reopen(state: FileState): Promise<void> {
    this.#tried = state;
    // A file that was truncated may have been written anew, and may be what the truncation has left: only its content can tell.
    const verify = this.#guard?.isOpened(state) === true;
    const session = new Session({ ...this.#options, threads: { ...this.#options.threads, verify } });
    this.#session = session;
    try {
      await session.ready;
      this.#fault = undefined;
      this.#watch();
      this.#tell("The file of the context store can be used again.", "info");
    } catch (thrown) {
      await session.close();
      // The fault of a truncated file is known already.
      if (verify) return;
      const fault = asTenonError(thrown);
      if (fault.message !== this.#fault?.message && !this.#closed) this.#tell(fault.message, "error");
      this.#fault = fault;
    }
  }
}
