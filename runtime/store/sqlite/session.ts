import { within } from "../../base/deadline.ts";
import type { Shelf, StoreAnswer, StoreSearch } from "../store.ts";
import { shuttingDown } from "./ending.ts";
import type { ThreadOptions } from "./messages.ts";
import { ReaderPool } from "./reader-pool.ts";
import { Thread } from "./thread.ts";
import type { Arguments, MethodName, ReaderApi, Returned, WriterApi } from "./thread-api.ts";

export interface SessionOptions {
  /** What each thread is started with. */
  readonly threads: Omit<ThreadOptions, "request">;
  /** Threads that search at the same time. */
  readonly readers: number;
  /** Milliseconds that `close` waits for searches to stop, and then again for changes to be finished. */
  readonly closeTime: number;
  readonly tell: (text: string) => void;
}

/** The threads that have one file open: one that writes, and some that search. */
export class Session {
  readonly #options: SessionOptions;
  readonly #readers: ReaderPool;
  #writer: Thread<WriterApi>;
  /** The work of `tidy` is done for one entity after the other. */
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
      () => new Thread<ReaderApi>(new URL("./reader-thread.ts", import.meta.url), options.threads, () => undefined),
    );
    this.#writer = this.#startWriter();
    this.ready = this.#writer.ready;
    this.ready.then(
      () => this.#readers.open(),
      (thrown: unknown) => {
        this.#broken = thrown instanceof Error ? thrown : new Error(String(thrown));
        this.#readers.refuse(this.#broken);
      },
    );
  }

  async search(shelf: Shelf, query: StoreSearch, deadline: number, signal?: AbortSignal): Promise<StoreAnswer> {
    if (this.#broken !== undefined) throw this.#broken;
    return this.#readers.search(shelf, query, deadline, signal);
  }

  async write<Name extends MethodName<WriterApi>>(
    method: Name,
    ...args: Arguments<WriterApi, Name>
  ): Promise<Returned<WriterApi, Name>> {
    if (this.#closed) throw shuttingDown();
    // A writer that has crashed has not done what it did not acknowledge, so that another one can go on from the file.
    if (this.#writer.ended && this.#broken === undefined) this.#writer = this.#startWriter();
    return this.#writer.call(method, ...args);
  }

  /**
   * Does the work that makes searches faster after much was written to an entity. Other calls come in between its steps.
   *
   * @returns resolves when it is done
   */
  tidy(shelf: Shelf): Promise<void> {
    this.#tidied = this.#tidied.then(async () => {
      try {
        for (let more = true, begin = true; more && !this.#closed; begin = false) more = await this.write("tidy", shelf, begin);
        if (!this.#closed) await this.write("cutLog");
      } catch {
        // What is wrong with the file is told to the next caller who needs something from it.
      }
    });
    return this.#tidied;
  }

  /** @returns whether all threads have ended; those that have not no longer hold up the event loop */
  async close(): Promise<boolean> {
    this.#closed = true;
    const { closeTime } = this.#options;
    const readers = await this.#readers.close(closeTime);
    // The writer may be waiting for a file that another process has.
    this.#writer.stop();
    // It ends last, because the last one brings the log into the file, which a reader cannot.
    const writer = await within(
      closeTime,
      this.#writer.end().then(() => true),
      () => false,
    );
    if (!writer) this.#writer.abandon();
    return readers && writer;
  }

  #startWriter(): Thread<WriterApi> {
    const { threads, tell } = this.#options;
    return new Thread<WriterApi>(new URL("./writer-thread.ts", import.meta.url), threads, tell);
  }
}
