import { TenonError } from "../base/errors.ts";
import { newLeaseOwner, newRemovalOwner, removedOwner, takenOver } from "../store/lease.ts";
import type { InstanceScope, LeaseKey, StoreInstance, SyncStore } from "../store/store.ts";
import { fencedStore, isLeaseLost } from "./fenced-store.ts";

/** Seconds for which a process has the right to change something when it does not renew it, because it has crashed. */
const leaseTime = 60;

/** What is done under a lease. Its signal ends when the lease is lost, and from then on nothing is written through its store. */
type LeasedWork<Result> = (signal: AbortSignal, store: SyncStore) => Promise<Result>;

/**
 * Takes the lease of a sync group in a scope, of a whole scope, or of a whole instance.
 *
 * @param given ends the signal of the lease
 * @param scheduledAt when the scheduled sync began for which it is to be synced
 * @returns undefined when another process has the lease, or what it is of was synced in that sync already
 * @throws TenonError `unknown_connector` when the instance was removed
 */
export async function takeLease(
  store: SyncStore,
  key: LeaseKey,
  given: AbortSignal,
  scheduledAt?: string,
): Promise<HeldLease | undefined> {
  const owner = newLeaseOwner();
  const fencingToken = await store.lease(key, owner, leaseTime, scheduledAt);
  return fencingToken === null ? undefined : new HeldLease({ store, key, owner, fencingToken, given });
}

/**
 * Does work that only one process at a time may do on a scope, or on a whole instance.
 *
 * @param given ends the signal of the work
 * @throws TenonError `sync_running` when another process has the lease or takes it, `unknown_connector` when the instance is removed
 */
export async function whileLeased<Result>(
  store: SyncStore,
  key: InstanceScope,
  given: AbortSignal,
  work: LeasedWork<Result>,
): Promise<Result> {
  const held = await takeLease(store, key, given);
  if (held === undefined) throw syncRunning(key.scope);
  try {
    return await held.during(() => work(held.signal, held.store));
  } finally {
    await held.giveBack();
  }
}

/**
 * Removes an instance: takes its lease from whoever has one, so that syncs under way write nothing more and end, and leaves it to nobody.
 *
 * @param given ends the signal of the work
 * @throws TenonError what the work throws; the lease is then given back
 */
export async function whileRemoving(
  store: SyncStore,
  key: StoreInstance,
  given: AbortSignal,
  work: LeasedWork<void>,
): Promise<void> {
  const owner = newRemovalOwner();
  const held = new HeldLease({ store, key, owner, fencingToken: await store.seize(key, owner, leaseTime), given });
  try {
    await work(held.signal, held.store);
    await store.seize(key, removedOwner, 0);
  } finally {
    await held.giveBack();
  }
}

/** The error for whoever finds a scope in other hands. @param scope undefined where it may be any of the instance */
export function syncRunning(scope: string | undefined): TenonError {
  const which = scope === undefined ? "" : ` (${scope})`;
  return new TenonError("sync_running", `This connector instance is being synced already${which}.`, { retryAfter: leaseTime });
}

interface LeaseFacts {
  readonly store: SyncStore;
  readonly key: LeaseKey;
  readonly owner: string;
  readonly fencingToken: number;
  readonly given: AbortSignal;
}

/** A lease that is renewed until it is given back. */
export class HeldLease {
  /** Writes nothing any more once the lease is lost. */
  readonly store: SyncStore;
  /** Ends when the given one does, and when the lease is lost. */
  readonly signal: AbortSignal;
  readonly #key: LeaseKey;
  readonly #owner: string;
  /** Aborted when somebody else has the lease, with a TenonError as the reason. */
  readonly #lost = new AbortController();
  readonly #renewal: NodeJS.Timeout;

  constructor({ store, key, owner, fencingToken, given }: LeaseFacts) {
    this.signal = AbortSignal.any([given, this.#lost.signal]);
    this.store = fencedStore(store, fencingToken, this.signal, (why) => this.#lost.abort(why));
    this.#key = key;
    this.#owner = owner;
    this.#renewal = setInterval(() => void this.#renew(fencingToken), (leaseTime * 1000) / 3).unref();
  }

  /** Does work under the lease. @throws TenonError why the lease was lost, if it was */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const { signal } = this.#lost;
    try {
      const result = await work();
      // Work that was ended by the loss may look as if it had been asked to stop.
      signal.throwIfAborted();
      return result;
    } catch (thrown) {
      throw signal.aborted ? signal.reason : thrown;
    }
  }

  /** @param scheduledAt when the scheduled sync began in which it was synced, if it was */
  async giveBack(scheduledAt?: string): Promise<void> {
    clearInterval(this.#renewal);
    await this.store.lease(this.#key, this.#owner, 0, scheduledAt).catch(() => undefined);
  }

  async #renew(fencingToken: number): Promise<void> {
    try {
      if ((await this.store.lease(this.#key, this.#owner, leaseTime)) !== fencingToken) this.#lost.abort(takenOver());
    } catch (thrown) {
      // Where the store cannot be used, saving the next page fails and says so.
      if (isLeaseLost(thrown)) this.#lost.abort(thrown);
    }
  }
}
