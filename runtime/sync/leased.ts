import { TenonError } from "../base/errors.ts";
import { newLeaseOwner } from "../store/lease.ts";
import type { StoreInstance, SyncStore } from "../store/store.ts";
import { fencedStore } from "./fenced-store.ts";

/** Seconds for which a process has the right to change an instance when it does not renew it, because it has crashed. */
const leaseTime = 60;

/**
 * Does work that only one process at a time may do on an instance.
 *
 * @param work its signal ends when the given one does, and when another process has taken the lease. The store that it gets writes nothing
 *   from then on
 * @throws TenonError `sync_running` when another process has the lease
 */
export async function whileLeased<Result>(
  store: SyncStore,
  instance: StoreInstance,
  given: AbortSignal,
  work: (signal: AbortSignal, store: SyncStore) => Promise<Result>,
): Promise<Result> {
  const owner = newLeaseOwner();
  const fence = await store.lease(instance, owner, leaseTime);
  if (fence === null)
    throw new TenonError("sync_running", "This connector instance is being synced already.", { retryAfter: leaseTime });
  const lost = new AbortController();
  const renew = async () => {
    // Where the store cannot be used, saving the next page fails and says so.
    if ((await store.lease(instance, owner, leaseTime).catch(() => fence)) !== fence) lost.abort();
  };
  const renewal = setInterval(() => void renew(), (leaseTime * 1000) / 3);
  renewal.unref();
  try {
    return await work(AbortSignal.any([given, lost.signal]), fencedStore(store, fence));
  } finally {
    clearInterval(renewal);
    await store.lease(instance, owner, 0).catch(() => undefined);
  }
}
