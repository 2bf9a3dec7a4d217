import { withDeadline } from "../../../base/deadline.ts";
import { TenonError } from "../../../base/errors.ts";
import { FairQueue } from "../../../base/fair-queue.ts";
import type { SearchCaller } from "../../../base/search-caller.ts";
import type { Condition } from "../../../search/index.ts";
import { searchTooSlow, shuttingDown } from "../../ending.ts";
import type { Collection } from "../../store.ts";
import type { SearchApi } from "../search/search-api.ts";
import type { Thread } from "./thread.ts";

/** How many searches of one kind may wait for a thread. Beyond that, the newest one of the caller who has most is refused at once. */
const longestQueue = 100;
/** A search for more records than this is a large one. */
const mostOfSmall = 100;
/** A filter with more values is not for the quick lane: to receive and plan it takes long, and cannot be stopped. */
const mostValues = 200;
/** A search stops itself at its deadline. A thread that has not stopped this many milliseconds later is given up and replaced. */
const grace = 2_000;
/** Milliseconds after the start in which the first thread takes no time from what makes the service ready, which a command ends before. */
const warmingPause = 1_000;
/** When this many threads have been given up and have not ended yet, no further thread is replaced. */
const mostLost = 2;

interface QueuedSearch<Query, Answer> {
  readonly caller: SearchCaller | undefined;
  readonly collection: Collection;
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

/** What a thread is for: cheap searches, or those that run to their end. */
export type LaneKind = "quick" | "thorough";

/**
 * Runs searches in a few threads. One lane is for cheap searches: when other searches wait, a search in it that has done more than a
 * little work is stopped, and starts again in another lane, where searches run to their end. Therefore expensive searches never make
 * cheap ones wait, however many there are. In a pool of one thread all searches run to their end. Searches for many records wait apart
 * from those for a few, a search whose filter is long never runs in the quick lane, and callers take turns.
 */
export class ReaderPool<Query extends { readonly limit: number; readonly filter?: Condition }, Answer> {
  readonly #start: (kind: LaneKind) => Thread<SearchApi<Query, Answer>>;
  readonly #quick: Lane<Query, Answer> = { thread: undefined, busy: false };
  readonly #thorough: readonly Lane<Query, Answer>[];
  readonly #threads = new Set<Thread<SearchApi<Query, Answer>>>();
  readonly #small = new FairQueue<QueuedSearch<Query, Answer>>(longestQueue);
  readonly #large = new FairQueue<QueuedSearch<Query, Answer>>(longestQueue);
  /** Searches that were stopped in the quick lane. */
  readonly #expensive = new FairQueue<QueuedSearch<Query, Answer>>(longestQueue);
  /** The queues from which the lanes take in turn that run searches to their end. */
  readonly #order: FairQueue<QueuedSearch<Query, Answer>>[];
  #lost = 0;
  #open = false;
  #closed = false;
  #warming: NodeJS.Timeout | undefined;

  /** @param size how many searches run at the same time */
  constructor(size: number, start: (kind: LaneKind) => Thread<SearchApi<Query, Answer>>) {
    this.#start = start;
    this.#thorough = Array.from({ length: Math.max(0, size - 1) }, () => ({ thread: undefined, busy: false }));
    this.#order = size > 1 ? [this.#expensive, this.#large] : [this.#small, this.#large];
  }

  /**
   * Must be called when the file is prepared, because readers need that.
   *
   * @param start whether a thread starts soon, so that the first search need not wait; the others start when there is a search
   */
  open(start = true): void {
    if (this.#closed) return;
    this.#open = true;
    if (start) this.#warming = setTimeout(() => this.#threadOf(this.#quick), warmingPause).unref();
    this.#admit();
  }

  /**
   * @param deadline as of `performance.now()`
   * @param caller whose search it is; without it, the service's own
   * @throws TenonError as `SearchStore.search`
   */
  search(collection: Collection, query: Query, deadline: number, signal?: AbortSignal, caller?: SearchCaller): Promise<Answer> {
    if (this.#closed) throw shuttingDown();
    return new Promise((resolve, reject) => {
      // The caller gets an answer at the deadline, even while the search waits or runs.
      const timer = setTimeout(() => leave(), Math.max(0, deadline - performance.now()));
      const leave = () => {
        search.wanted = false;
        for (const queue of [this.#small, this.#large, this.#expensive]) queue.remove(search);
        search.thread?.stop();
        search.reject(searchTooSlow());
      };
      const settled = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", leave);
        settle();
      };
      const search: QueuedSearch<Query, Answer> = {
        caller,
        collection,
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
      const isLong = this.#thorough.length > 0 && valuesUpTo(mostValues + 1, query.filter) > mostValues;
      this.#queue(isLong ? this.#expensive : query.limit > mostOfSmall ? this.#large : this.#small, search);
      this.#admit();
    });
  }

  #queue(queue: FairQueue<QueuedSearch<Query, Answer>>, search: QueuedSearch<Query, Answer>): void {
    const refused = queue.add(search.caller?.id ?? "", search);
    refused?.reject(new TenonError("overloaded", "Too many searches are waiting. Try again shortly.", { retryAfter: 1 }));
  }

  /** Refuses the searches that wait. */
  refuse(why: Error): void {
    for (const queue of [this.#small, this.#large, this.#expensive]) for (const search of queue.clear()) search.reject(why);
  }

  /** Ends all searches and threads. @param ms to wait for the threads @returns whether all have ended by then */
  async close(ms: number): Promise<boolean> {
    this.#closed = true;
    clearTimeout(this.#warming);
    this.refuse(shuttingDown());
    const threads = [...this.#threads];
    for (const thread of threads) thread.stop();
    const ended = await withDeadline(
      ms,
      Promise.all(threads.map((thread) => (thread.ended ? thread.gone : thread.end()))).then(() => true),
      () => false,
    );
    if (!ended) for (const thread of threads) thread.abandon();
    return ended;
  }

  #admit(): void {
    if (!this.#open || this.#closed) return;
    // The first search starts all threads, so that the next one need not wait.
    if (this.#small.size + this.#large.size > 0) for (const lane of [...this.#thorough, this.#quick]) this.#threadOf(lane);
    // The thread of the quick lane has the higher priority.
    if (this.#thorough.length > 0) this.#fill(this.#quick, this.#small);
    for (const lane of this.#thorough) this.#fill(lane, ...this.#order, this.#small);
    // Searches for many records come here last, so that it stays free for as long as possible.
    this.#fill(this.#quick, ...(this.#thorough.length === 0 ? this.#order : [this.#large]));
    if (this.#small.size + this.#large.size > 0 && this.#thorough.length > 0) this.#quick.thread?.giveWay();
  }

  /** Starts a search in a free lane: the next search of the first queue that is not empty. */
  #fill(lane: Lane<Query, Answer>, ...queues: readonly FairQueue<QueuedSearch<Query, Answer>>[]): void {
    const queue = queues.find(({ size }) => size > 0);
    if (lane.busy || queue === undefined) return;
    const thread = this.#threadOf(lane);
    const search = thread === undefined ? undefined : queue.next();
    if (thread === undefined || search === undefined) return;
    const at = this.#order.indexOf(queue);
    if (at >= 0) this.#order.push(...this.#order.splice(at, 1));
    void this.#run(lane, thread, search);
  }

  #threadOf(lane: Lane<Query, Answer>): Thread<SearchApi<Query, Answer>> | undefined {
    if (lane.thread?.ended === false) return lane.thread;
    const kind = lane === this.#quick && this.#thorough.length > 0 ? "quick" : "thorough";
    lane.thread = this.#lost < mostLost ? this.#start(kind) : undefined;
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
    const { collection, query, deadline, caller, resolve, reject } = search;
    const began = performance.now();
    const left = deadline - began;
    lane.busy = true;
    search.thread = thread;
    thread.resume();
    const stuck = setTimeout(() => this.#lose(thread), left + grace);
    try {
      const answer = await thread.call("search", collection, query, Date.now() + left);
      if (answer !== undefined) resolve(answer);
      else if (search.wanted && !this.#closed) this.#queue(this.#expensive, search);
      else reject(this.#closed ? shuttingDown() : searchTooSlow());
    } catch (thrown) {
      if (this.#closed) reject(shuttingDown());
      else reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
    } finally {
      clearTimeout(stuck);
      caller?.worked(performance.now() - began);
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

/** Counts the values of a filter. It ends as soon as there are so many. */
function valuesUpTo(most: number, filter: Condition | undefined): number {
  if (filter === undefined) return 0;
  if (filter.kind === "test") return Array.isArray(filter.operand) ? filter.operand.length : 1;
  if (filter.kind === "not") return valuesUpTo(most, filter.condition);
  let count = 0;
  for (const one of filter.conditions) {
    count += valuesUpTo(most - count, one);
    if (count >= most) break;
  }
  return count;
}
