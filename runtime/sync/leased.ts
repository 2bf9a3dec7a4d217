import { TenonError } from "../base/errors.ts";
import { newLeaseOwner } from "../store/lease.ts";
import type { ScopePlace, SyncStore } from "../store/store.ts";
import { fencedStore } from "./fenced-store.ts";

/** Seconds for which a process has the right to change a scope when it does not renew it, because it has crashed. */
const leaseTime = 60;

/** The right to change a scope, or a whole instance, which no other process has meanwhile. */
export interface HeldLease {
  /** Ends when the given one does, and when another process has taken the lease. */
  readonly signal: AbortSignal;
  /** Writes nothing any longer when another process has taken the lease. */
  readonly store: SyncStore;
  /** Gives the lease back. @param run the run of the schedule in which the scope was synced, if it was */
  end(run?: string): Promise<void>;
}

/**
 * Takes the lease of a scope, or of a whole instance.
 *
 * @param run the run of the schedule for which the scope is to be synced
 * @returns undefined when another process has it, or the scope was synced in this run already
 */
export async function takeLease(
  store: SyncStore,
  place: ScopePlace,
  given: AbortSignal,
  run?: string,
): Promise<HeldLease | undefined> {
  const owner = newLeaseOwner();
  const fence = await store.lease(place, owner, leaseTime, run);
  if (fence === null) return undefined;
  const lost = new AbortController();
  const renew = async () => {
    // Where the store cannot be used, saving the next page fails and says so.
    if ((await store.lease(place, owner, leaseTime).catch(() => fence)) !== fence) lost.abort();
  };
  const renewal = setInterval(() => void renew(), (leaseTime * 1000) / 3);
  renewal.unref();
  return {
    signal: AbortSignal.any([given, lost.signal]),
    store: fencedStore(store, fence),
    end: async (done) => {
      clearInterval(renewal);
      await store.lease(place, owner, 0, done).catch(() => undefined);
    },
  };
}

/**
 * Does work that only one process at a time may do on a scope, or on a whole instance.
 *
 * @throws TenonError `sync_running` when another process syncs it
 */
export async function whileLeased<Result>(
  store: SyncStore,
  place: ScopePlace,
  given: AbortSignal,
  work: (signal: AbortSignal, store: SyncStore) => Promise<Result>,
): Promise<Result> {
  const held = await takeLease(store, place, given);
  if (held === undefined) throw syncRunning(place.scope);
  try {
    return await work(held.signal, held.store);
  } finally {
    await held.end();
  }
}

/** @param scope the one that is being synced; undefined where it may be any of the instance */
export function syncRunning(scope: string | undefined): TenonError {
  const which = scope === undefined ? "" : ` (${scope})`;
  return new TenonError("sync_running", `This connector instance is being synced already${which}.`, { retryAfter: leaseTime });
}
