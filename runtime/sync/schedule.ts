import { TenonError } from "../errors.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import type { Logger } from "../log.ts";
import type { SyncStore } from "../store/store.ts";
import { readScopes } from "./scope.ts";
import { sync } from "./sync.ts";

export interface ScheduleOptions {
  readonly scopes: readonly string[];
  /** From one beginning to the next. */
  readonly minutes: number;
}

/** Between a sync and the next one, and between two looks at whether another one has ended, in milliseconds. */
const shortestPause = 60_000;

/** Syncs an instance again and again, as long as the service runs. When the last sync began is kept, so that a restart does not bring it forward. */
export class SyncSchedule {
  readonly #instance: ConnectorInstance;
  readonly #store: SyncStore;
  readonly #options: ScheduleOptions;
  readonly #log: Logger;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(instance: ConnectorInstance, store: SyncStore, options: ScheduleOptions, log: Logger) {
    this.#instance = instance;
    this.#store = store;
    this.#options = options;
    this.#log = log;
  }

  /** Begins when the interval since the last beginning has passed; not at all when it was stopped before. */
  async start(): Promise<void> {
    if (this.#end.signal.aborted) return;
    const { scopes, minutes } = this.#options;
    await this.#store.setSchedule(this.#place, { scopes, minutes });
    const last = Date.parse((await this.#store.schedule(this.#place))?.startedAt ?? "1970-01-01");
    this.#wait(Math.max(0, last + minutes * 60_000 - Date.now()));
  }

  /** Ends a sync under way after its present page; it goes on from there next time. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#end.abort();
    await this.#running;
  }

  get #place() {
    return { connector: this.#instance.connector.name, instance: this.#instance.storeName };
  }

  #wait(ms: number): void {
    if (this.#end.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run();
    }, ms);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    const began = Date.now();
    let pause = this.#options.minutes * 60_000;
    try {
      const scopes = readScopes(this.#instance.connector, this.#options.scopes);
      await sync(this.#instance, this.#store, {
        scopes,
        full: false,
        massDelete: false,
        signal: this.#end.signal,
        log: this.#log,
        scheduled: true,
      });
    } catch (thrown) {
      const connector = this.#instance.id;
      if (thrown instanceof TenonError && thrown.code === "sync_running") {
        // Of another process, or what is left of one that died.
        this.#log.info({ connector }, "a scheduled sync waits for another one to end");
        pause = shortestPause;
      } else this.#log.warn({ err: thrown, connector }, "a scheduled sync failed");
    }
    this.#wait(Math.max(shortestPause, began + pause - Date.now()));
  }
}
