import { within } from "../../base/deadline.ts";
import { TenonError } from "../../base/errors.ts";
import { searchTooSlow, shuttingDown } from "../ending.ts";
import type { Shelf } from "../store.ts";
import type { Thread } from "./thread.ts";
import type { SearchApi } from "./thread-api.ts";

/** How many searches may wait for a thread. Further searches are refused at once. */
const longestQueue = 100;
/** A search stops itself at its deadline. A thread that has not stopped this many milliseconds later is given up and replaced. */
const grace = 2_000;
/** When this many threads have been given up and have not ended yet, no further thread is replaced. */
const mostLost = 2;

interface QueuedSearch<Query, Answer> {
  readonly shelf: Shelf;
  readonly query: Query;
  /** As of `performance.now()`. */
  readonly deadline: number;
  /** The thread in which it runs. */
  thread: Thread<SearchApi<Query, Answer>> | undefined;
  /** Whether the caller still waits for it. */
  wanted: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** A place for one thread, which is started when it is first needed. */
interface Lane<Query, Answer> {
  thread: Thread<SearchApi<Query, Answer>> | undefined;
  busy: boolean;
}

/**
 * Runs searches in a few threads. One lane is for cheap searches: when other searches wait, a search in it that has done more than a
 * little work is stopped, and starts again in another lane, where searches run to their end. Therefore expensive searches never make
 * cheap ones wait, however many there are. In a pool of one thread all searches run to their end.
 */
export class ReaderPool<Query, Answer> {
  readonly #start: () => Thread<SearchApi<Query, Answer>>;
  readonly #quick: Lane<Query, Answer> = { thread: undefined, busy: false };
  readonly #thorough: readonly Lane<Query, Answer>[];
  readonly #threads = new Set<Thread<SearchApi<Query, Answer>>>();
  readonly #fresh: QueuedSearch<Query, Answer>[] = [];
  /** Searches that were stopped in the quick lane. */
  readonly #expensive: QueuedSearch<Query, Answer>[] = [];
  #lost = 0;
  #open = false;
  #closed = false;

  /** @param size how many searches run at the same time */
  constructor(size: number, start: () => Thread<SearchApi<Query, Answer>>) {
    this.#start = start;
    this.#thorough = Array.from({ length: Math.max(0, size - 1) }, () => ({ thread: undefined, busy: false }));
  }

  /**
   * Must be called when the file is prepared, because readers need that.
   *
   * @param start whether a thread starts at once, so that the first search need not wait; the others start when there is a search
   */
  open(start = true): void {
    if (this.#closed) return;
    this.#open = true;
    const [first = this.#quick] = this.#thorough;
    if (start) this.#threadOf(first);
    this.#admit();
  }

  /** @param deadline as of `performance.now()` @throws TenonError as `SearchStore.search` */
  search(shelf: Shelf, query: Query, deadline: number, signal?: AbortSignal): Promise<Answer> {
    if (this.#closed) throw shuttingDown();
    if (this.#fresh.length + this.#expensive.length >= longestQueue)
      throw new TenonError("overloaded", "Too many searches are waiting. Try again shortly.", { retryAfter: 1 });
    return new Promise((resolve, reject) => {
      // The caller gets an answer at the deadline, even while the search waits or runs.
      const timer = setTimeout(() => leave(), Math.max(0, deadline - performance.now()));
      const leave = () => {
        search.wanted = false;
        this.#remove(search);
        search.thread?.stop();
        search.reject(searchTooSlow());
      };
      const settled = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", leave);
        settle();
      };
      const search: QueuedSearch<Query, Answer> = {
        shelf,
        query,
        deadline,
        thread: undefined,
        wanted: true,
        resolve: (answer) => settled(() => resolve(answer)),
        reject: (error) => settled(() => reject(error)),
      };
      if (signal?.aborted === true) {
        leave();
        return;
      }
      signal?.addEventListener("abort", leave, { once: true });
      this.#fresh.push(search);
      this.#admit();
    });
  }

  /** Refuses the searches that wait. */
  refuse(why: Error): void {
    for (const search of [...this.#fresh.splice(0), ...this.#expensive.splice(0)]) search.reject(why);
  }

  /** Ends all searches and threads. @param ms to wait for the threads @returns whether all have ended by then */
  async close(ms: number): Promise<boolean> {
    this.#closed = true;
    this.refuse(shuttingDown());
    const threads = [...this.#threads];
    for (const thread of threads) thread.stop();
    const ended = await within(
      ms,
      Promise.all(threads.map((thread) => (thread.ended ? thread.gone : thread.end()))).then(() => true),
      () => false,
    );
    if (!ended) for (const thread of threads) thread.abandon();
    return ended;
  }

  #remove(search: QueuedSearch<Query, Answer>): void {
    for (const queue of [this.#fresh, this.#expensive]) {
      const index = queue.indexOf(search);
      if (index >= 0) queue.splice(index, 1);
    }
  }

  #admit(): void {
    if (!this.#open || this.#closed) return;
    // The first search starts all threads, so that the next one need not wait.
    if (this.#fresh.length > 0) for (const lane of [...this.#thorough, this.#quick]) this.#threadOf(lane);
    // The quick lane comes last, so that it stays free for as long as possible.
    for (const lane of this.#thorough) this.#fill(lane, this.#expensive, this.#fresh);
    this.#fill(this.#quick, this.#fresh);
    if (this.#fresh.length > 0 && this.#thorough.length > 0) this.#quick.thread?.giveWay();
  }

  /** Starts a search in a free lane: the first search of the first queue that is not empty. */
  #fill(lane: Lane<Query, Answer>, ...queues: readonly QueuedSearch<Query, Answer>[][]): void {
    const queue = queues.find(({ length }) => length > 0);
    if (lane.busy || queue === undefined) return;
    const thread = this.#threadOf(lane);
    const search = thread === undefined ? undefined : queue.shift();
    if (thread !== undefined && search !== undefined) void this.#run(lane, thread, search);
  }

  #threadOf(lane: Lane<Query, Answer>): Thread<SearchApi<Query, Answer>> | undefined {
    if (lane.thread?.ended === false) return lane.thread;
    lane.thread = this.#lost < mostLost ? this.#start() : undefined;
    const { thread } = lane;
    if (thread === undefined) return undefined;
    this.#threads.add(thread);
    void thread.gone.then(() => this.#threads.delete(thread));
    return thread;
  }

  async #run(
    lane: Lane<Query, Answer>,
    thread: Thread<SearchApi<Query, Answer>>,
    search: QueuedSearch<Query, Answer>,
  ): Promise<void> {
    const { shelf, query, deadline, resolve, reject } = search;
    const left = deadline - performance.now();
    lane.busy = true;
    search.thread = thread;
    thread.resume();
    const stuck = setTimeout(() => this.#lose(thread), left + grace);
    try {
      const answer = await thread.call("search", shelf, query, Date.now() + left);
      if (answer !== undefined) resolve(answer);
      else if (search.wanted && !this.#closed) this.#expensive.push(search);
      else reject(this.#closed ? shuttingDown() : searchTooSlow());
    } catch (thrown) {
      if (this.#closed) reject(shuttingDown());
      else reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } finally {
      clearTimeout(stuck);
      search.thread = undefined;
      lane.busy = false;
      this.#admit();
    }
  }

  #lose(thread: Thread<SearchApi<Query, Answer>>): void {
    this.#lost++;
    void thread.gone.then(() => {
      this.#lost--;
      this.#admit();
    });
    thread.abandon();
  }
}
