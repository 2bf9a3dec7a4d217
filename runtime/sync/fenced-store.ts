import type { SyncStore } from "../store/store.ts";

/** A store whose changes are made only as long as nobody else takes the lease. @param fence the number that the lease gave */
export function fencedStore(store: SyncStore, fence: number): SyncStore {
  return {
    save: (shelf, page) => store.save({ ...shelf, fence }, page),
    parents: (shelf, child, after, limit) => store.parents(shelf, child, after, limit),
    finish: (shelf, position, options) => store.finish({ ...shelf, fence }, position, options),
    fail: (shelf, problem) => store.fail({ ...shelf, fence }, problem),
    abandon: (shelf, problem) => store.abandon({ ...shelf, fence }, problem),
    confirm: (shelf) => store.confirm({ ...shelf, fence }),
    note: (shelf, notes) => store.note({ ...shelf, fence }, notes),
    forget: (instance, scope) => store.forget({ ...instance, fence }, scope),
    states: (place) => store.states(place),
    lease: (place, owner, seconds, run) => store.lease(place, owner, seconds, run),
    leased: (place) => store.leased(place),
    schedule: (instance) => store.schedule(instance),
    setSchedule: (instance, schedule) => store.setSchedule(instance, schedule),
    started: (instance, before) => store.started(instance, before),
  };
}
