import type { HintStore, StoredHint } from "../accounts/index.ts";
import type { Logger } from "../base/logger.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import type { SearchStore, SyncStore } from "../store/store.ts";
import { type FollowedHints, followHints } from "../sync/index.ts";

/** Milliseconds for which further hints are awaited, so that what changes together is read together. */
const together = 300;
/** Milliseconds between two looks for hints that other processes have stored. */
const period = 1_000;
/** Milliseconds after which hints are followed whose scope is being synced. */
const whileSyncing = 2_000;
/** Milliseconds before hints that could not be followed are tried again; twice as long each time, and at most so long. */
const firstRetry = 5_000;
const longestRetry = 15 * 60_000;
/** After so many failures, what a hint names is left to the scheduled sync. */
const mostTries = 10;
/** Hints that are followed in one turn, and scopes at the same time. */
const atOnce = { hints: 5_000, scopes: 4 } as const;

export interface HintWorkerOptions {
  readonly hints: HintStore;
  readonly store: SyncStore & SearchStore;
  /** Finds a connector instance; undefined for one that is gone. */
  readonly find: (id: string) => Promise<ConnectorInstance | undefined>;
  readonly log: Logger;
  /** Called when hints were followed, so that there may be changes. */
  readonly onFollowed?: () => void;
}

/** Reads what webhooks have named. Several processes may do so: the lease of a scope lets one at a time read it. */
export class HintWorker {
  readonly #options: HintWorkerOptions;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isWoken = false;

  constructor(options: HintWorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#wait(0);
  }

  /** Follows new hints soon. */
  wake(): void {
    if (this.#timer === undefined || this.#isWoken) return;
    this.#isWoken = true;
    if (this.#running === undefined) this.#wait(together);
  }

  async stop(): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#end.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#isWoken = false;
      this.#running = this.#turn().then((isMore) => {
        this.#running = undefined;
        this.#wait(this.#isWoken ? together : isMore ? 0 : period);
      });
    }, ms).unref();
  }

  /** @returns whether more hints are due */
  async #turn(): Promise<boolean> {
    try {
      const due = await this.#options.hints.dueHints(Date.now(), atOnce.hints);
      const places = [...Map.groupBy(due, ({ instance, scope }) => JSON.stringify([instance, scope])).values()];
      const work = async () => {
        for (let hints = places.shift(); hints !== undefined; hints = places.shift()) await this.#follow(hints);
      };
      await Promise.all(Array.from({ length: atOnce.scopes }, work));
      return due.length === atOnce.hints;
    } catch (thrown) {
      this.#options.log.warn({ err: thrown }, "what webhooks have named could not be read");
      return false;
    }
  }

  /** @param given hints of one scope */
  async #follow(given: readonly StoredHint[]): Promise<void> {
    const [first] = given;
    if (first === undefined || this.#end.signal.aborted) return;
    const { hints, store, find, log } = this.#options;
    let followed: FollowedHints<StoredHint>;
    try {
      const instance = await find(first.instance);
      followed =
        instance === undefined
          ? { done: given, busy: [], failed: [] }
          : await followHints(instance, store, first.scope, given, { signal: this.#end.signal, log });
    } catch (thrown) {
      log.warn({ err: thrown, connector: first.instance, scope: first.scope }, "webhooks could not be followed");
      followed = { done: [], busy: given, failed: [] };
    }
    this.#options.onFollowed?.();
    const lost = followed.failed.filter(({ hint }) => hint.tries + 1 >= mostTries);
    for (const { hint, error } of lost)
      log.warn({ err: error, hint }, "what a webhook named could not be read; the next sync of its scope reads it");
    if (followed.busy.length > 0) await hints.postponeHints(followed.busy, Date.now() + whileSyncing, false);
    const again = followed.failed.filter((one) => !lost.includes(one)).map(({ hint }) => hint);
    for (const [tries, same] of Map.groupBy(again, (hint) => hint.tries))
      await hints.postponeHints(same, Date.now() + Math.min(longestRetry, firstRetry * 2 ** tries), true);
    // After the others, because some of these may have to wait for them.
    await hints.endHints([...followed.done, ...lost.map(({ hint }) => hint)]);
  }
}
