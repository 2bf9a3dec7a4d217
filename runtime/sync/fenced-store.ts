import { TenonError } from "../base/errors.ts";
import type { SyncStore } from "../store/store.ts";

/**
 * A store whose changes are made only as long as nobody else takes the lease.
 *
 * @param fencingToken the number that the lease gave
 * @param signal ends what may take long, as the store says
 * @param lost is called with the reason when a change was refused because the lease is somebody else's
 */
export function fencedStore(
  store: SyncStore,
  fencingToken: number,
  signal: AbortSignal,
  lost: (why: TenonError) => void,
): SyncStore {
  const fenced = async <Result>(change: Promise<Result>): Promise<Result> => {
    try {
      return await change;
    } catch (thrown) {
      if (isLeaseLost(thrown)) lost(thrown);
      throw thrown;
    }
  };
  return {
    save: (collection, page) => fenced(store.save({ ...collection, fencingToken }, page, signal)),
    parents: (collection, child, after, limit) => store.parents(collection, child, after, limit),
    finish: (collection, checkpoint, options) =>
      fenced(store.finish({ ...collection, fencingToken }, checkpoint, options, signal)),
    fail: (collection, problem) => fenced(store.fail({ ...collection, fencingToken }, problem)),
    abandon: (collection, problem) => fenced(store.abandon({ ...collection, fencingToken }, problem)),
    confirm: (collection) => fenced(store.confirm({ ...collection, fencingToken })),
    note: (collection, notes) => fenced(store.note({ ...collection, fencingToken }, notes)),
    forget: (instance, scope) => fenced(store.forget({ ...instance, fencingToken }, scope)),
    states: (key) => store.states(key),
    lease: (key, owner, seconds, scheduledAt) => store.lease(key, owner, seconds, scheduledAt),
    taken: (key, scheduledAt) => store.taken(key, scheduledAt),
    seize: (instance, owner, seconds) => store.seize(instance, owner, seconds),
    leased: (key) => store.leased(key),
    schedule: (instance) => store.schedule(instance),
    setSchedule: (instance, schedule) => store.setSchedule(instance, schedule),
    started: (instance, before) => store.started(instance, before),
  };
}

/** Whether an error says that the lease is somebody else's, or that the instance was removed. */
export function isLeaseLost(thrown: unknown): thrown is TenonError {
  return thrown instanceof TenonError && (thrown.code === "sync_running" || thrown.code === "unknown_connector");
}
