import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { TenonError } from "../../errors.ts";
import type {
  ChildStep,
  FinishOptions,
  Page,
  PageResult,
  Parent,
  Removal,
  Schedule,
  Shelf,
  Store,
  StoreAnswer,
  StoreInstance,
  StoreSearch,
  SyncPosition,
  SyncShelf,
  SyncState,
} from "../store.ts";
import type { Plans } from "./catalogue.ts";
import type { ThreadOptions } from "./messages.ts";
import { Thread } from "./thread.ts";
import { searchTooSlow } from "./watch.ts";

export interface SqliteStoreOptions {
  /** Folder of the file; made when it is not there. */
  readonly dataDir: string;
  readonly plans: Plans;
  /** Threads that search at the same time. */
  readonly readers?: number;
  /** Milliseconds that one search may take. */
  readonly searchTime?: number;
  /** Told when tables are made anew because a spec has changed. */
  readonly tell?: (text: string) => void;
}

/** Searches that may wait for a thread; more are refused at once. */
const longestQueue = 100;
/** A search stops by itself at its deadline; a thread that is this much later (milliseconds) is given up and replaced. */
const grace = 2_000;
/** Threads that were given up and have not come back yet; with more of them searches wait. */
const mostLost = 2;

interface Waiting {
  readonly shelf: Shelf;
  readonly query: StoreSearch;
  /** As of `performance.now()`. */
  readonly deadline: number;
  /** Once it runs. */
  thread: Thread | undefined;
  readonly resolve: (answer: StoreAnswer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The store in one SQLite file in WAL mode: one thread writes, a few search, none of it on the event loop. A file that cannot be used
 * is left alone, and every call says why.
 */
export class SqliteStore implements Store {
  readonly #options: Omit<ThreadOptions, "stop">;
  readonly #tell: (text: string) => void;
  #writer: Thread;
  readonly #readers = new Set<Thread>();
  readonly #free: Thread[] = [];
  readonly #queue: Waiting[] = [];
  #lost = 0;
  #tidied: Promise<void> = Promise.resolve();
  readonly #most: number;
  readonly #searchTime: number;
  #closed = false;
  #prepared = false;
  /** Why the file cannot be used. */
  #broken: Error | undefined;

  constructor({ dataDir, plans, readers = 2, searchTime = 5_000, tell = () => undefined }: SqliteStoreOptions) {
    const file = join(dataDir, "context-store.sqlite");
    makeFile(dataDir, file);
    this.#options = { file, plans };
    this.#most = readers;
    this.#searchTime = searchTime;
    this.#tell = tell;
    this.#writer = this.#newWriter();
    // The first search does not wait for a thread to start.
    this.#writer.ready.then(
      () => {
        this.#prepared = true;
        if (!this.#closed) this.#free.push(this.#newReader());
        this.#admit();
      },
      (thrown: unknown) => {
        this.#broken = thrown instanceof Error ? thrown : new Error(String(thrown));
        for (const waiting of this.#queue.splice(0)) waiting.reject(this.#broken);
      },
    );
  }

  /** Resolves when the file can be used. @throws TenonError `store_unusable` */
  get ready(): Promise<void> {
    return this.#writer.ready;
  }

  async search(shelf: Shelf, query: StoreSearch, latest: number, signal?: AbortSignal): Promise<StoreAnswer> {
    const deadline = Math.min(latest, performance.now() + this.#searchTime);
    if (this.#closed) throw shuttingDown();
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#queue.length >= longestQueue)
      throw new TenonError("overloaded", "Too many searches are waiting. Try again shortly.", { retryAfter: 1 });
    return new Promise((resolve, reject) => {
      // Whether it waits or runs: its caller hears at the deadline.
      const late = setTimeout(() => leave(), Math.max(0, deadline - performance.now()));
      const leave = () => {
        const index = this.#queue.indexOf(waiting);
        if (index >= 0) this.#queue.splice(index, 1);
        waiting.thread?.stop();
        waiting.reject(searchTooSlow());
      };
      const settled = (settle: () => void) => {
        clearTimeout(late);
        signal?.removeEventListener("abort", leave);
        settle();
      };
      const waiting: Waiting = {
        shelf,
        query,
        deadline,
        thread: undefined,
        resolve: (answer) => settled(() => resolve(answer)),
        reject: (error) => settled(() => reject(error)),
      };
      if (signal?.aborted === true) {
        leave();
        return;
      }
      signal?.addEventListener("abort", leave, { once: true });
      this.#queue.push(waiting);
      this.#admit();
    });
  }

  save(shelf: SyncShelf, page: Page): Promise<PageResult> {
    return this.#write("save", shelf, page);
  }

  parents(shelf: SyncShelf, child: ChildStep, after: string | undefined, limit: number): Promise<Parent[]> {
    return this.#write("parents", shelf, child, after, limit);
  }

  async finish(shelf: SyncShelf, position: SyncPosition, options: FinishOptions): Promise<Removal> {
    const removal = await this.#write<Removal>("finish", shelf, position, options);
    const { connector, instance, entity } = shelf;
    this.#tidied = this.#tidied.then(() => this.#tidy({ connector, instance, entity }));
    return removal;
  }

  /** Resolves when nothing is left of the work that makes searches quicker after much was written. Nobody has to wait for it. */
  get tidied(): Promise<void> {
    return this.#tidied;
  }

  /** Other calls come in between. */
  async #tidy(shelf: Shelf): Promise<void> {
    try {
      for (let more = true, begin = true; more && !this.#closed; begin = false) more = await this.#write("tidy", shelf, begin);
    } catch {
      // What is wrong with the file is told to whoever needs something of it.
    }
  }

  fail(shelf: SyncShelf, problem: string): Promise<void> {
    return this.#write("fail", shelf, problem);
  }

  abandon(shelf: SyncShelf, problem: string): Promise<void> {
    return this.#write("abandon", shelf, problem);
  }

  states(instance: StoreInstance): Promise<SyncState[]> {
    return this.#write("states", instance);
  }

  lease(instance: StoreInstance, owner: string, seconds: number): Promise<boolean> {
    return this.#write("lease", instance, owner, seconds);
  }

  leased(instance: StoreInstance): Promise<boolean> {
    return this.#write("leased", instance);
  }

  schedule(instance: StoreInstance): Promise<Schedule | null> {
    return this.#write("schedule", instance);
  }

  setSchedule(instance: StoreInstance, schedule: Omit<Schedule, "startedAt"> | null): Promise<void> {
    return this.#write("setSchedule", instance, schedule);
  }

  started(instance: StoreInstance): Promise<void> {
    return this.#write("started", instance);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#queue.splice(0)) waiting.reject(shuttingDown());
    const readers = [...this.#readers];
    for (const thread of readers) thread.stop();
    const late = setTimeout(() => {
      for (const thread of readers) thread.abandon();
    }, grace);
    await Promise.all(readers.map((thread) => Promise.race([thread.end(), thread.lost])));
    clearTimeout(late);
    // It may be waiting for a file that another process has.
    this.#writer.stop();
    // The last one to leave brings the log into the file, which a reader cannot.
    await this.#writer.end();
  }

  #admit(): void {
    // A reader opens a file that has been prepared.
    if (!this.#prepared || this.#closed) return;
    while (this.#queue.length > 0) {
      const thread = this.#freeReader();
      const waiting = thread === undefined ? undefined : this.#queue.shift();
      if (thread === undefined || waiting === undefined) return;
      void this.#run(thread, waiting);
    }
  }

  #freeReader(): Thread | undefined {
    for (let thread = this.#free.pop(); thread !== undefined; thread = this.#free.pop()) {
      if (!thread.ended) return thread;
      this.#readers.delete(thread);
    }
    return this.#readers.size < this.#most && this.#lost < mostLost ? this.#newReader() : undefined;
  }

  #newReader(): Thread {
    const thread = new Thread(new URL("./reader-thread.ts", import.meta.url), this.#options, () => undefined);
    this.#readers.add(thread);
    return thread;
  }

  #newWriter(): Thread {
    return new Thread(new URL("./writer-thread.ts", import.meta.url), this.#options, this.#tell);
  }

  async #write<Value>(method: string, ...args: readonly unknown[]): Promise<Value> {
    // What it did not acknowledge it has not done: another one goes on from the file.
    if (this.#closed) throw shuttingDown();
    if (this.#writer.ended && this.#broken === undefined) this.#writer = this.#newWriter();
    return this.#writer.call(method, ...args);
  }

  async #run(thread: Thread, waiting: Waiting): Promise<void> {
    const { shelf, query, deadline, resolve, reject } = waiting;
    const left = deadline - performance.now();
    if (left <= 0) {
      this.#free.push(thread);
      reject(searchTooSlow());
      return;
    }
    waiting.thread = thread;
    thread.resume();
    const stuck = setTimeout(() => this.#lose(thread), left + grace);
    try {
      resolve(await thread.call<StoreAnswer>("search", shelf, query, Date.now() + left));
    } catch (thrown) {
      if (this.#closed) reject(shuttingDown());
      else reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } finally {
      clearTimeout(stuck);
      waiting.thread = undefined;
      if (thread.ended) this.#readers.delete(thread);
      else this.#free.push(thread);
      this.#admit();
    }
  }

  #lose(thread: Thread): void {
    this.#lost++;
    void thread.gone.then(() => {
      this.#lost--;
      this.#admit();
    });
    thread.abandon();
  }
}

function shuttingDown(): TenonError {
  return new TenonError("shutting_down", "The service is shutting down.", { retryAfter: 5 });
}

/**
 * Makes folder and file. Whatever the folder allows: the records are nobody else's affair. The engine gives its other files the same mode.
 *
 * @throws TenonError `store_unusable`
 */
function makeFile(folder: string, file: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600));
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
    throw new TenonError("store_unusable", `The data directory cannot be used (${code}).`, { cause: thrown });
  }
}
