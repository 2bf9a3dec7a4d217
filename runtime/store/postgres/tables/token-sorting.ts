import { type Database, isForbidden } from "../../../postgres/index.ts";
import { sql } from "../../../sql/index.ts";
import type { Layout } from "./layout.ts";

/** How many written rows wait before their tokens are sorted: 500 make a search about 4 ms longer. */
const worthSorting = 500;
/** With fewer connections, all are left to callers and syncs. */
const leastConnections = 4;
/**
 * Kilobytes of new tokens, of some 1,300 issues, that may wait to be sorted into an index. A search reads all that wait: these make it
 * 10 ms longer. The transaction that exceeds them sorts all of them, so where they are sorted beside the sync, it may leave more.
 */
const waiting = { alone: 4_096, besides: 16_384 } as const;

export interface TokenSortingOptions {
  readonly database: Database;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** How many written rows are worth it. Only tests set it. */
  readonly least?: number | undefined;
}

/**
 * Sorts the tokens of written rows into their indexes, beside the sync that goes on writing. A search reads every token that waits, and a
 * sync that sorts them itself cannot write meanwhile. Only the owner of an index may sort; for other users, the engine does so when many
 * tokens wait.
 */
export class TokenSorting {
  readonly #database: Database;
  readonly #signal: AbortSignal;
  readonly #least: number;
  /** How many rows were written since the last sorting, by the table of the records. */
  readonly #written = new Map<string, number>();
  readonly #running = new Map<string, Promise<void>>();
  #isAllowed = true;

  constructor({ database, signal, least = worthSorting }: TokenSortingOptions) {
    this.#database = database;
    this.#signal = signal;
    this.#least = least;
  }

  /** Kilobytes of tokens that a transaction may leave waiting. */
  get mayWait(): number {
    return this.#isPossible ? waiting.besides : waiting.alone;
  }

  /** Notes that rows were written, and sorts their tokens in the background when they are many. */
  wrote(layout: Layout, rows: number): void {
    const written = (this.#written.get(layout.records) ?? 0) + rows;
    this.#written.set(layout.records, written);
    if (written < this.#least || !this.#isPossible || this.#running.has(layout.records)) return;
    this.#written.set(layout.records, 0);
    // What could not be sorted now is sorted the next time.
    const sorting = this.#sort(layout, this.#signal).catch(() => undefined);
    this.#running.set(
      layout.records,
      sorting.then(() => {
        this.#running.delete(layout.records);
        // What was written meanwhile.
        this.wrote(layout, 0);
      }),
    );
  }

  /** Sorts all tokens of an entity. */
  async finish(layout: Layout, signal: AbortSignal = this.#signal): Promise<void> {
    await this.settled(layout);
    this.#written.delete(layout.records);
    if (this.#isAllowed) await this.#sort(layout, signal);
  }

  /** Waits for the sorting of an entity's tokens that runs in the background, and for what follows it. */
  async settled({ records }: Pick<Layout, "records">): Promise<void> {
    for (let running = this.#running.get(records); running !== undefined; running = this.#running.get(records)) await running;
  }

  /** Waits for all that runs in the background. It ends soon after the signal. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** Whether tokens can be sorted beside a sync. */
  get #isPossible(): boolean {
    return this.#isAllowed && !this.#signal.aborted && this.#database.connections >= leastConnections;
  }

  async #sort({ indexes, parts: ofWords }: Layout, signal: AbortSignal): Promise<void> {
    try {
      for (const { name } of [...indexes.filter(({ parts }) => parts !== undefined), ofWords])
        await this.#database.alone(sql`SELECT gin_clean_pending_list(to_regclass(${name}))`, { signal });
    } catch (thrown) {
      // The server logs every refusal, so one is enough.
      if (isForbidden(thrown)) this.#isAllowed = false;
      throw thrown;
    }
  }
}
