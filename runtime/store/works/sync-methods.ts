import type { Work } from "../../sql/index.ts";
import type { SyncStore } from "../store.ts";
import type { calendarOf } from "./calendar.ts";
import type { CollectionIds, ledgerOf } from "./ledger.ts";

type Works = ReturnType<typeof ledgerOf> & ReturnType<typeof calendarOf>;

/** Methods of a store as units of work. */
type AsWorks<Name extends keyof SyncStore> = {
  readonly [Each in Name]: (...args: Parameters<SyncStore[Each]>) => Work<Awaited<ReturnType<SyncStore[Each]>>>;
};

/**
 * The methods of a store that need nothing of an engine but its dialect. An engine runs each that changes something in one transaction.
 * Scopes are given as they are stored.
 */
export function syncMethodsOf(works: Works) {
  /** Updates what is stored about a collection, under its lease. */
  function* noted(collection: Parameters<SyncStore["confirm"]>[0], change: (ids: CollectionIds) => Work<void>): Work<void> {
    yield* change(yield* works.holdCollection(collection));
  }

  return {
    /** An engine may do them again when it does not know whether they were done: that leaves the same. */
    repeatable: {
      fail: (collection, problem) => noted(collection, (ids) => works.failRun(ids, problem)),
      abandon: (collection, problem) => noted(collection, (ids) => works.abandonRun(ids, problem)),
      confirm: (collection) => noted(collection, (ids) => works.confirmRun(ids)),
      note: (collection, notes) => noted(collection, (ids) => works.keepNotes(ids, notes)),
      *lease({ scope = "", syncGroup = "", ...instance }, owner, seconds, scheduledAt) {
        const inst = yield* works.makeInstance(instance);
        return yield* works.takeLease(inst, { scope, syncGroup, owner, scheduledAt }, seconds);
      },
      *seize(instance, owner, seconds) {
        return yield* works.seizeLease(yield* works.makeInstance(instance), owner, seconds);
      },
      *setSchedule(instance, schedule) {
        yield* works.setSchedule(yield* works.makeInstance(instance), schedule);
      },
    } satisfies AsWorks<"fail" | "abandon" | "confirm" | "note" | "lease" | "seize" | "setSchedule">,

    /** Succeeds once only, so an engine does not do it again when it does not know whether it was done. */
    once: {
      *started(instance, before) {
        return yield* works.noteStart(yield* works.makeInstance(instance), before);
      },
    } satisfies AsWorks<"started">,

    reads: {
      states: (place) => works.states(place),
      leased: (place) => works.isLeased(place),
      taken: (place, scheduledAt) => works.taken(place, scheduledAt),
      schedule: (instance) => works.readSchedule(instance),
    } satisfies AsWorks<"states" | "leased" | "taken" | "schedule">,
  };
}
