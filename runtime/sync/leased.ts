import { TenonError } from "../base/errors.ts";
import { newLeaseOwner, removedOwner, takenOver } from "../store/lease.ts";
import type { StoreInstance, SyncStore } from "../store/store.ts";
import { fencedStore, isLost } from "./fenced-store.ts";

/** Seconds for which a process has the right to change an instance when it does not renew it, because it has crashed. */
const leaseTime = 60;

/** What is done under a lease. Its signal ends when the lease is lost, and from then on nothing is written through its store. */
type LeasedWork<Result> = (signal: AbortSignal, store: SyncStore) => Promise<Result>;

/**
 * Does work that only one process at a time may do on an instance.
 *
 * @param given ends the signal of the work
 * @throws TenonError `sync_running` when another process has the lease or takes it, `unknown_connector` when the instance is removed
 */
export async function whileLeased<Result>(
  store: SyncStore,
  instance: StoreInstance,
  given: AbortSignal,
  work: LeasedWork<Result>,
): Promise<Result> {
  const owner = newLeaseOwner();
  const fence = await store.lease(instance, owner, leaseTime);
  if (fence === null)
    throw new TenonError("sync_running", "This connector instance is being synced already.", { retryAfter: leaseTime });
  const held = new HeldLease(store, instance, owner, fence);
  try {
    const result = await work(AbortSignal.any([given, held.lost]), held.store);
    // Work that was ended by the loss may look as if it had been asked to stop.
    held.lost.throwIfAborted();
    return result;
  } catch (thrown) {
    throw held.lost.aborted ? held.lost.reason : thrown;
  } finally {
    await held.giveBack();
  }
}

/**
 * Removes an instance: takes its lease from whoever has it, so that a sync under way writes nothing more and ends, and leaves it to nobody.
 *
 * @param given ends the signal of the work
 * @throws TenonError what the work throws; the lease is then given back
 */
export async function whileRemoving(
  store: SyncStore,
  instance: StoreInstance,
  given: AbortSignal,
  work: LeasedWork<void>,
): Promise<void> {
  const owner = newLeaseOwner();
  const held = new HeldLease(store, instance, owner, await store.seize(instance, owner, leaseTime));
  try {
    await work(AbortSignal.any([given, held.lost]), held.store);
    await store.seize(instance, removedOwner, 0);
  } finally {
    await held.giveBack();
  }
}

/** A lease that is renewed until it is given back. */
class HeldLease {
  /** Writes nothing any more once the lease is lost. */
  readonly store: SyncStore;
  readonly #instance: StoreInstance;
  readonly #owner: string;
  readonly #lost = new AbortController();
  readonly #renewal: NodeJS.Timeout;

  constructor(store: SyncStore, instance: StoreInstance, owner: string, fence: number) {
    this.store = fencedStore(store, fence, (why) => this.#lost.abort(why));
    this.#instance = instance;
    this.#owner = owner;
    this.#renewal = setInterval(() => void this.#renew(fence), (leaseTime * 1000) / 3).unref();
  }

  /** Aborted when somebody else has the lease, with a TenonError as the reason. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async giveBack(): Promise<void> {
    clearInterval(this.#renewal);
    await this.store.lease(this.#instance, this.#owner, 0).catch(() => undefined);
  }

  async #renew(fence: number): Promise<void> {
    try {
      if ((await this.store.lease(this.#instance, this.#owner, leaseTime)) !== fence) this.#lost.abort(takenOver());
    } catch (thrown) {
      // Where the store cannot be used, saving the next page fails and says so.
      if (isLost(thrown)) this.#lost.abort(thrown);
    }
  }
}
