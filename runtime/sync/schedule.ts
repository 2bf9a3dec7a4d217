import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { Connector } from "../contract/index.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import { massDeleteRefused } from "../store/problem.ts";
import type { StoreInstance, SyncState, SyncStore } from "../store/store.ts";
import { syncOrder } from "./order.ts";
import { RunningSyncs } from "./running-syncs.ts";
import { knownScopes, readScopes, type Scope } from "./scope.ts";
import { sync } from "./sync.ts";
import { lastTold, type ToldScope } from "./told.ts";

export interface ScheduleOptions {
  readonly scopes: readonly string[];
  /** Minutes from the beginning of one sync to the beginning of the next. */
  readonly minutes: number;
  /** Whether this is still the schedule of the instance, which another process may change or remove; absent where none can. */
  readonly isCurrent?: () => Promise<boolean>;
  /** Absent where the platform's webhooks are not taken. */
  readonly told?: ToldScopes | undefined;
}

/** What webhooks keep up to date, so that it is synced less often. */
export interface ToldScopes {
  /** Minutes between two syncs of a scope while webhooks of it come in. */
  readonly minutes: number;
  /** The scopes of which webhooks have come in since a time (milliseconds since 1970). */
  readonly since: (instance: string, time: number) => Promise<readonly ToldScope[]>;
}

/** The least time between two attempts, in milliseconds: after a sync, and while another process syncs some of the scopes. */
const shortestPause = 60_000;

/** Milliseconds by which a sync may begin early: clocks of several machines differ a little, and so do timers. */
const tolerance = 1_000;

/**
 * Syncs an instance again and again, as long as the service runs. The store keeps when the last sync began, so that a restart of the
 * service does not bring the next one forward, unless the last one was cut off. Several processes with the same schedule share the scopes
 * of each scheduled sync and their entities among them: each is synced once in an interval.
 */
export class SyncSchedule {
  readonly #instance: ConnectorInstance;
  readonly #store: SyncStore;
  readonly #options: ScheduleOptions;
  readonly #log: Logger;
  readonly #syncs: RunningSyncs;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  readonly #caughtUp = Promise.withResolvers<void>();
  /** Attempts in a row that failed because the store could not be used. */
  #unusable = 0;

  /** @param syncs where its syncs can be ended one by one */
  constructor(
    instance: ConnectorInstance,
    store: SyncStore,
    options: ScheduleOptions,
    log: Logger,
    syncs: RunningSyncs = new RunningSyncs(store, log),
  ) {
    this.#instance = instance;
    this.#store = store;
    this.#options = options;
    this.#log = log;
    this.#syncs = syncs;
  }

  /**
   * Begins the first sync when the interval since the last beginning has passed, or at once when the last sync was cut off. Does
   * nothing when `stop` was called before.
   */
  async start(): Promise<void> {
    if (this.#end.signal.aborted) return;
    await this.#keepSchedule();
    const left = await this.#untilDue(await this.#startedAt(), true);
    if (left > 0) this.#caughtUp.resolve();
    this.#wait(left, true);
  }

  /** Resolves when the sync that was due at the start has ended, or at once where none was due. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise;
  }

  /** Ends a sync under way after its present page; it goes on from there next time. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#end.abort();
    this.#caughtUp.resolve();
    await this.#running;
  }

  get #storeInstance(): StoreInstance {
    return { connector: this.#instance.connector.name, instance: this.#instance.storeName };
  }

  #wait(ms: number, again: boolean): void {
    if (this.#end.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#run(again);
    }, ms);
    this.#timer.unref();
  }

  /** Milliseconds until a sync is due. With `again`, one is due at once where the last one, of whatever process, was cut off. */
  async #untilDue(startedAt: string | null, again: boolean): Promise<number> {
    if (startedAt === null || (again && (await this.#wasCutOff(startedAt)))) return 0;
    return Math.max(0, Date.parse(startedAt) + this.#options.minutes * 60_000 - Date.now());
  }

  async #startedAt(): Promise<string | null> {
    return (await this.#store.schedule(this.#storeInstance))?.startedAt ?? null;
  }

  /**
   * Begins a scheduled sync where one is due, or joins the one that another process has begun.
   *
   * @returns when it began (ISO 8601), and the milliseconds until the next one is due
   */
  async #begin(again: boolean): Promise<{ readonly startedAt: string; readonly left: number }> {
    const before = await this.#startedAt();
    if ((await this.#untilDue(before, again && !(await this.#isUnderWay(before)))) <= tolerance) {
      const startedAt = await this.#store.started(this.#storeInstance, before);
      if (startedAt !== null) return { startedAt, left: this.#options.minutes * 60_000 };
    }
    const startedAt = (await this.#startedAt()) ?? new Date().toISOString();
    return { startedAt, left: await this.#untilDue(startedAt, false) };
  }

  /** Whether other processes go on with a scheduled sync: one that was cut off is then not begun anew. It may have begun just now. */
  async #isUnderWay(startedAt: string | null): Promise<boolean> {
    if (startedAt === null) return false;
    return Date.now() - Date.parse(startedAt) < shortestPause || (await this.#store.leased(this.#storeInstance));
  }

  async #wasCutOff(startedAt: string): Promise<boolean> {
    const { connector } = this.#instance;
    const states = await this.#store.states(this.#storeInstance);
    return isCutOff(connector, readScopes(connector, this.#options.scopes), states, startedAt);
  }

  /** @param due those of its scopes that are synced in each interval; undefined where that is not known yet */
  async #keepSchedule(due?: readonly Scope[] | null): Promise<void> {
    const { scopes, minutes } = this.#options;
    const names = due === undefined ? {} : { due: due?.map(({ name }) => name) ?? null };
    await this.#store.setSchedule(this.#storeInstance, { scopes, minutes, ...names });
  }

  async #run(again: boolean): Promise<void> {
    const began = Date.now();
    let pause = this.#options.minutes * 60_000;
    const { isCurrent = async () => true } = this.#options;
    try {
      if (!(await isCurrent())) {
        this.#caughtUp.resolve();
        return;
      }
      const all = readScopes(this.#instance.connector, this.#options.scopes);
      const { due, kept } = await this.#due(all);
      // The store may have a new file, which knows of no schedule and so could not note when its sync began.
      await this.#keepSchedule(kept ? due : null);
      // What webhooks have told while no process was there is not known.
      const scopes = again ? all : due;
      const { startedAt, left } = await this.#begin(again);
      // Another process may change or remove the instance meanwhile.
      const options = { scopes, full: false, massDelete: false, log: this.#log, scheduled: { startedAt, isCurrent } } as const;
      const { entities, elsewhere } = await this.#syncs.track(this.#instance.id, (stopped) =>
        sync(this.#instance, this.#store, { ...options, signal: AbortSignal.any([this.#end.signal, stopped]) }),
      );
      // A process that ends leaves its scopes to the others.
      pause = elsewhere.length > 0 ? shortestPause : left;
      if (entities.some(({ problem }) => problem?.code === "store_unusable")) pause = this.#storePause();
      else this.#unusable = 0;
    } catch (thrown) {
      const connector = this.#instance.id;
      this.#log.warn({ err: thrown, connector }, "a scheduled sync failed");
      const code = thrown instanceof TenonError ? thrown.code : undefined;
      if (code === "store_unusable") pause = this.#storePause();
      // This process was suspended for so long that another one has taken over what it read.
      if (code === "sync_running") pause = shortestPause;
    }
    this.#caughtUp.resolve();
    this.#wait(Math.max(shortestPause, began + pause - Date.now()), this.#unusable > 0);
  }

  /**
   * The scopes that are due: not those of which webhooks come in, as long as their last sync is not too long ago, and nothing was refused
   * of what webhooks have named: only a list that is read to its end says what of it is gone.
   */
  async #due(scopes: readonly Scope[]): Promise<{ readonly due: readonly Scope[]; readonly kept: boolean }> {
    const { told } = this.#options;
    const { connector, id } = this.#instance;
    const since = told === undefined ? 0 : Date.now() - told.minutes * 60_000;
    const named = told === undefined || told.minutes === 0 ? [] : await told.since(id, since);
    if (named.length === 0) return { due: scopes, kept: false };
    const last = lastTold(connector, named);
    const states = await this.#store.states(this.#storeInstance);
    const spelled = knownScopes(
      connector,
      states.map(({ scope }) => scope),
    );
    const due = scopes.filter((given) => {
      const { name } = spelled(given);
      const ofScope = states.filter(({ scope }) => scope === name);
      const isRecent =
        ofScope.length > 0 &&
        ofScope.every(({ completedAt, problem }) => Date.parse(completedAt ?? "") > since && problem !== massDeleteRefused);
      return !isRecent || last(name) === undefined;
    });
    return { due, kept: due.length < scopes.length };
  }

  /**
   * The store may be there again at any time, so that the next attempt comes soon. It comes later each time, because an attempt on a full
   * disk has asked the platform before it fails.
   */
  #storePause(): number {
    return Math.min(this.#options.minutes * 60_000, shortestPause * 2 ** this.#unusable++);
  }
}

/**
 * Whether the scheduled sync that began at `startedAt` was cut off, by a crash or by the end of the service: a sync run has left its
 * checkpoint, was asked to stop, could not use the store, or was never begun. Entities of a scope in which a sync run failed are skipped on
 * purpose, so their sync runs count as begun.
 */
function isCutOff(connector: Connector, scopes: readonly Scope[], states: readonly SyncState[], startedAt: string): boolean {
  const spelled = knownScopes(
    connector,
    states.map(({ scope }) => scope),
  );
  return scopes.some((given) => {
    const { kind, name } = spelled(given);
    const ofScope = states.filter(({ scope }) => scope === name);
    if (
      ofScope.some(
        ({ checkpoint, problem }) => checkpoint !== null || problem === "shutting_down" || problem === "store_unusable",
      )
    )
      return true;
    if (ofScope.some(({ problem }) => problem !== null)) return false;
    const isDone = (entity: string) =>
      ofScope.some((state) => state.entity === entity && Date.parse(state.completedAt ?? "") >= Date.parse(startedAt));
    return !syncOrder(connector, kind).every(isDone);
  });
}
