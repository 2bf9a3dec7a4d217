import { invalidRequest, TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { type ConnectorInstance, storedAs } from "../execute/index.ts";
import type { SyncState, SyncStore } from "../store/store.ts";
import { type Forgotten, forgetScope } from "./forget.ts";
import { syncRunning } from "./leased.ts";
import { scopeNames } from "./named-scopes.ts";
import { knownScopes } from "./scope.ts";
import { type SyncOptions, type SyncResult, sync } from "./sync.ts";

/** The most scopes of an instance of which no sync has completed anything, for callers who name new ones. */
const mostUnsynced = 200;

/** What a caller may choose about a sync. */
export type RequestedSync = Pick<SyncOptions, "scopes" | "entities" | "full" | "massDelete">;

interface RunningSync {
  readonly end: AbortController;
  readonly ended: Promise<void>;
}

/** The syncs of this process: those of schedules, and those that callers have started, of which each instance has at most one at a time. */
export class RunningSyncs {
  readonly #store: SyncStore;
  readonly #log: Logger;
  readonly #syncs = new Map<string, readonly RunningSync[]>();
  #closed = false;

  constructor(store: SyncStore, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /**
   * Starts a sync: waits until it has the leases of the scopes that are named, and not for its end.
   *
   * @param signal ends the sync, as {@link stop} does
   * @returns its end, which need not be waited for
   * @throws TenonError `sync_running` while this process syncs the instance, or anybody has the lease of a scope that is named;
   *   `invalid_request` for new scopes while too many others could not be synced
   */
  async start(
    instance: ConnectorInstance,
    options: RequestedSync,
    signal = new AbortController().signal,
  ): Promise<{ readonly ended: Promise<SyncResult> }> {
    const stored = storedAs(instance);
    if (this.#closed) throw new TenonError("shutting_down", "The service is shutting down.", { retryAfter: 5 });
    if (this.#syncs.has(instance.id)) throw syncRunning(undefined);
    const states = await this.#store.states(stored);
    const known = [...new Set(states.map(({ scope }) => scope))];
    const named = scopeNames(options.scopes.map(knownScopes(instance.connector, known)));
    checkNew(named, known, states);
    const leased = Promise.withResolvers<void>();
    const ended = this.track(instance.id, (end) =>
      sync(instance, this.#store, {
        ...options,
        signal: AbortSignal.any([end, signal]),
        log: this.#log,
        onLeased: leased.resolve,
      }),
    );
    await Promise.race([leased.promise, ended]);
    ended
      .then(({ outcome }) => this.#log.info({ connector: instance.id, outcome }, "a sync has ended"))
      .catch((thrown: unknown) => this.#log.warn({ err: thrown, connector: instance.id }, "a sync failed"));
    return { ended };
  }

  /**
   * Runs a sync that {@link stop} and {@link close} can end.
   *
   * @param work its signal ends the sync
   */
  async track(id: string, work: (signal: AbortSignal) => Promise<SyncResult>): Promise<SyncResult> {
    const end = new AbortController();
    const running = work(end.signal);
    const one = {
      end,
      ended: running.then(
        () => undefined,
        () => undefined,
      ),
    };
    this.#syncs.set(id, [...(this.#syncs.get(id) ?? []), one]);
    try {
      return await running;
    } finally {
      const others = (this.#syncs.get(id) ?? []).filter((other) => other !== one);
      if (others.length > 0) this.#syncs.set(id, others);
      else this.#syncs.delete(id);
    }
  }

  /** Ends the syncs of an instance after their present page; the next one goes on from there. @returns false when this process has none */
  async stop(id: string): Promise<boolean> {
    const syncs = this.#syncs.get(id) ?? [];
    for (const { end } of syncs) end.abort();
    await Promise.all(syncs.map(({ ended }) => ended));
    return syncs.length > 0;
  }

  /** Removes a scope from the store. @throws TenonError as `forgetScope` */
  forget(instance: ConnectorInstance, scope: string, signal: AbortSignal): Promise<Forgotten> {
    return forgetScope(instance.connector, storedAs(instance), this.#store, scope, signal);
  }

  /** Whether all syncs are being ended because the process ends. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Ends all syncs, and starts no more. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#syncs.keys()].map((id) => this.stop(id)));
  }
}

/**
 * Checks that new scopes may be added: something is kept of each that was ever named, also where the platform has no such thing, so that a
 * caller could fill the store with names.
 *
 * @throws TenonError `invalid_request`
 */
function checkNew(named: readonly string[], known: readonly string[], states: readonly SyncState[]): void {
  const isKnown = new Set(known);
  const added = named.filter((scope) => !isKnown.has(scope)).length;
  const synced = new Set(states.filter(({ completedAt }) => completedAt !== null).map(({ scope }) => scope));
  if (added === 0 || known.length - synced.size + added <= mostUnsynced) return;
  const message = `${known.length - synced.size} scopes have never been synced, and there may be ${mostUnsynced} of them with the new ones. Sync or forget those first.`;
  throw invalidRequest([{ pointer: "/scopes", code: "out_of_range", message }]);
}
