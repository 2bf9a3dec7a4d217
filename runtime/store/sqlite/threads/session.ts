import { setImmediate as pause } from "node:timers/promises";
import { withDeadline } from "../../../base/deadline.ts";
import type { SearchCaller } from "../../../base/search-caller.ts";
import type { Arguments, MethodName, Returned } from "../../../base/worker-calls.ts";
import { shuttingDown } from "../../ending.ts";
import type { SemanticAnswer, SemanticQuery } from "../../semantic.ts";
import type { StatementAnswer, StatementQuery } from "../../statement-store.ts";
import type { Collection, Page, PageResult, ScopeCollection, StoreAnswer, StoreInstance, StoreSearch } from "../../store.ts";
import type { ReaderApi, SearchApi } from "../search/search-api.ts";
import { partsOf } from "../write/page-parts.ts";
import type { WriterApi } from "../write/writer-api.ts";
import { ReaderPool } from "./reader-pool.ts";
import { Thread, type ThreadOptions } from "./thread.ts";

// Decision 10 in runtime/site/text/decisions.md says why: SQLite runs in threads of its own.

export interface SessionOptions {
  /** The data with which each thread is started. */
  readonly threads: Omit<ThreadOptions, "request">;
  /** How many threads search at the same time. */
  readonly readers: number;
  /** Milliseconds that `close` waits for searches to stop, and then again for changes to be finished. */
  readonly closeTime: number;
  readonly tell: (text: string) => void;
}

const statementThread = new URL("./statement-thread.ts", import.meta.url);
const semanticThread = new URL("./semantic-thread.ts", import.meta.url);

/** By how much the priority of a thread is lower that runs expensive searches. */
const niceOfThorough = 5;

/** The threads that have one file open: one writer and some readers. */
export class Session {
  readonly #options: SessionOptions;
  readonly #readers: ReaderPool<StoreSearch, StoreAnswer>;
  /** One thread, because it holds the codes of all passages in memory. */
  readonly #meanings: ReaderPool<SemanticQuery, SemanticAnswer>;
  /** Threads of their own, so that searches never wait for statements, and cheap statements not for expensive ones. */
  readonly #sql: ReaderPool<StatementQuery, StatementAnswer>;
  #writer: Thread<WriterApi>;
  /** How many pages were sent in parts. */
  #sent = 0;
  /** Ends with the last call of `tidy`, so that entities are tidied one after the other. */
  #tidied: Promise<void> = Promise.resolve();
  /** Why the file cannot be used. */
  #broken: Error | undefined;
  #closed = false;
  /** Resolves when the file can be used. @throws TenonError `store_unusable` */
  readonly ready: Promise<void>;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#readers = new ReaderPool(
      options.readers,
      (kind) =>
        new Thread<ReaderApi>(
          new URL("./reader-thread.ts", import.meta.url),
          "a thread that searches records",
          options.threads,
          () => undefined,
          kind === "quick" ? 0 : niceOfThorough,
        ),
    );
    this.#meanings = new ReaderPool(
      1,
      () =>
        new Thread<SearchApi<SemanticQuery, SemanticAnswer>>(
          semanticThread,
          "the thread that searches by meaning",
          options.threads,
          () => undefined,
        ),
    );
    this.#sql = new ReaderPool(
      2,
      (kind) =>
        new Thread<SearchApi<StatementQuery, StatementAnswer>>(
          statementThread,
          "a thread that runs SQL of callers",
          options.threads,
          () => undefined,
          kind === "quick" ? 0 : niceOfThorough,
        ),
    );
    this.#writer = this.#startWriter();
    this.ready = this.#writer.ready;
    this.ready.then(
      () => {
        this.#readers.open();
        this.#meanings.open(false);
        this.#sql.open(false);
      },
      (thrown: unknown) => {
        this.#broken = thrown instanceof Error ? thrown : new Error(String(thrown));
        this.#readers.refuse(this.#broken);
        this.#meanings.refuse(this.#broken);
        this.#sql.refuse(this.#broken);
      },
    );
  }

  async search(
    collection: Collection,
    query: StoreSearch,
    deadline: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<StoreAnswer> {
    if (this.#broken !== undefined) throw this.#broken;
    return this.#readers.search(collection, query, deadline, signal, caller);
  }

  async searchByMeaning(
    collection: Collection,
    query: SemanticQuery,
    deadline: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<SemanticAnswer> {
    if (this.#broken !== undefined) throw this.#broken;
    return this.#meanings.search(collection, query, deadline, signal, caller);
  }

  async runStatement(
    instance: StoreInstance,
    query: StatementQuery,
    deadline: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<StatementAnswer> {
    if (this.#broken !== undefined) throw this.#broken;
    return this.#sql.search({ ...instance, entity: "" }, query, deadline, signal, caller);
  }

  async write<Name extends MethodName<WriterApi>>(
    method: Name,
    ...args: Arguments<WriterApi, Name>
  ): Promise<Returned<WriterApi, Name>> {
    if (this.#closed) throw shuttingDown();
    // When a writer crashes, the calls that it did not respond have changed nothing, so a new writer can continue with the file.
    if (this.#writer.ended && this.#broken === undefined) this.#writer = this.#startWriter();
    return this.#writer.call(method, ...args);
  }

  /** Saves a page. A large one is sent to the thread in parts, between which other work of this process has its turn. */
  async save(collection: ScopeCollection, page: Page): Promise<PageResult> {
    const parts = partsOf(page);
    if (parts.length === 1) return this.write("save", collection, page);
    const number = this.#sent++;
    const kept: Promise<void>[] = [];
    for (const part of parts) {
      const sent = this.write("keepPart", number, part);
      // The call behind these fails too when a part has not arrived.
      sent.catch(() => undefined);
      kept.push(sent);
      await pause();
    }
    const saved = this.write("saveParts", number, parts.length, collection, page.checkpoint);
    // What went wrong first says most.
    const [result] = await Promise.all([saved, ...kept]);
    return result;
  }

  /**
   * Makes the indexes of an entity that was loaded without them, and merges its word indexes after much was written to it, so that searches
   * become faster. Other calls run between its steps.
   *
   * @returns resolves when the work is done
   */
  tidy(collection: Collection): Promise<void> {
    this.#tidied = this.#tidied.then(async () => {
      try {
        while (!this.#closed && (await this.write("settle", collection)));
        for (let more = true, begin = true; more && !this.#closed; begin = false)
          more = await this.write("tidy", collection, begin);
        if (!this.#closed) await this.write("cutLog");
      } catch {
        // The error is not reported here: the next call that needs the file fails with it too.
      }
    });
    return this.#tidied;
  }

  /** @returns whether all threads have ended; the others no longer keep the process alive */
  async close(): Promise<boolean> {
    this.#closed = true;
    const { closeTime } = this.#options;
    const pools = await Promise.all([this.#readers, this.#meanings, this.#sql].map((pool) => pool.close(closeTime)));
    // The writer may be waiting for a file that another process has locked.
    this.#writer.stop();
    // The writer ends last, because the last connection copies the log into the file, which a reader cannot do.
    const writer = await withDeadline(
      closeTime,
      this.#writer.end().then(() => true),
      () => false,
    );
    if (!writer) this.#writer.abandon();
    return pools.every((ended) => ended) && writer;
  }

  #startWriter(): Thread<WriterApi> {
    const { threads, tell } = this.#options;
    return new Thread<WriterApi>(new URL("./writer-thread.ts", import.meta.url), "the thread that writes records", threads, tell);
  }
}
