import { withDeadline } from "../../base/deadline.ts";
import { TenonError } from "../../base/errors.ts";
import { pause } from "../../base/pause.ts";
import type { Database } from "../../postgres/index.ts";
import { sql } from "../../sql/index.ts";
import { searchTooSlow, shuttingDown } from "../ending.ts";

/** Milliseconds between two looks at a database that cannot be used, and for the answer to each. */
const probeTime = 1_000;

export interface AvailabilityOptions {
  readonly database: Database;
  /** Makes the tables ready for use. It is called again when it failed. */
  readonly prepare: () => Promise<void>;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Milliseconds between two tries to open a database that is away. */
  readonly retryTime?: number | undefined;
  readonly tell: (text: string, level: "info" | "error") => void;
}

function beingOpened(): TenonError {
  const message = "The context store is being opened, which takes minutes after a change of its tables.";
  return new TenonError("overloaded", message, { retryAfter: 10 });
}

/** Opens the tables when their database is there, does work on them, and notes whether they can be used. */
export class Availability {
  readonly #options: AvailabilityOptions;
  readonly #running = new Set<Promise<unknown>>();
  #open: Promise<void> | undefined;
  #isOpen = false;
  #isHealthy = true;
  /** Why the tables cannot be opened yet. */
  #problem: string | undefined;
  /** Set when the tables are those of a newer version. */
  #newer: TenonError | undefined;
  #probe: NodeJS.Timeout | undefined;

  constructor(options: AvailabilityOptions) {
    this.#options = options;
    options.signal.addEventListener("abort", () => clearTimeout(this.#probe));
  }

  get healthy(): boolean {
    return this.#isHealthy;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** The work that has not ended. */
  get running(): readonly Promise<unknown>[] {
    return [...this.#running];
  }

  /** Notes that the tables are those of a newer version. From now on every call fails with this error. */
  outdated(error: TenonError): void {
    this.#newer = error;
    this.#isHealthy = false;
  }

  /**
   * Waits for the tables, which may be changed for minutes, no longer than a search may take.
   *
   * @throws TenonError `overloaded`; `search_timeout`
   */
  async openBefore(deadline: number): Promise<void> {
    if (this.#isOpen) return;
    const left = deadline - performance.now();
    if (left <= 0) throw searchTooSlow();
    await withDeadline(left, this.#opened(), () => {
      throw beingOpened();
    });
  }

  /**
   * Does work on the tables, once they are there.
   *
   * @throws TenonError `shutting_down` after the end; whatever the work throws
   */
  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#options.signal.aborted) throw shuttingDown();
    if (this.#newer !== undefined) throw this.#newer;
    const running = this.#opened().then(work);
    this.#running.add(running);
    try {
      const result = await running;
      this.#isHealthy = this.#newer === undefined;
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
    this.#open ??= this.#prepareTables().catch((thrown: unknown) => {
      this.#open = undefined;
      throw thrown;
    });
    return this.#open;
  }

  async #prepareTables(): Promise<void> {
    await this.#options.prepare();
    this.#isOpen = true;
  }

  /** Opens the tables, and tries again for as long as the database is away. */
  async openOnceThere(): Promise<void> {
    for (;;) {
      try {
        await this.#opened();
        if (this.#problem !== undefined) this.#options.tell("The context store can be used.", "info");
        this.#problem = undefined;
        this.#isHealthy = this.#newer === undefined;
        return;
      } catch (thrown) {
        if (!(thrown instanceof TenonError && thrown.code === "database_unavailable")) throw thrown;
        this.#isHealthy = false;
        if (this.#problem !== thrown.message) this.#options.tell(`The context store waits. ${thrown.message}`, "error");
        this.#problem = thrown.message;
        await pause(this.#options.retryTime ?? probeTime, this.#options.signal, "idle");
        if (this.#options.signal.aborted) throw shuttingDown();
      }
    }
  }

  /** Looks from time to time whether the database answers again, because nobody may call a store that is not healthy. */
  #lose(): void {
    // Whoever opens the store tries that again and again.
    if (!this.#isOpen) return;
    if (this.#isHealthy) this.#options.tell("The database of the context store cannot be used.", "error");
    this.#isHealthy = false;
    clearTimeout(this.#probe);
    if (this.#options.signal.aborted) return;
    this.#probe = setTimeout(() => {
      this.#options.database.query(sql`SELECT 1`, { deadline: performance.now() + probeTime }).then(
        () => {
          this.#isHealthy = true;
          this.#options.tell("The database of the context store can be used again.", "info");
        },
        () => this.#lose(),
      );
    }, probeTime).unref();
  }
}
