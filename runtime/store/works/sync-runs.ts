import { awaited, type Work } from "../../sql/index.ts";
import { ChangeNotes, type ChangeRetention } from "../change-log.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { massDeleteRefused } from "../problem.ts";
import type { FinishOptions, ParentDone, Removal } from "../store.ts";
import type { changeLogOf } from "./change-log.ts";
import { type Forgetting, mostInStep } from "./forgetting.ts";
import type { CollectionIds, ledgerOf, ScopeIds } from "./ledger.ts";
import { isMassDelete, removalBase } from "./removal.ts";

// Decision 6 in runtime/site/text/decisions.md says why: a record is removed only after a complete sync run.

// How a page is saved, how a sync run ends, and how a scope is forgotten: what changes records notes that in the ledger, in the same
// transaction.

/** A membership of a record that is to be removed. */
export interface GoneMembership {
  readonly key: string;
  /** Key of the parent; empty where the record belongs to the scope itself. */
  readonly parent: string;
}

/** The memberships of an entity's records in a scope, as an engine keeps them. */
export interface Memberships<Gone extends GoneMembership> {
  readonly ids: CollectionIds;
  /** At most so many, in any order. */
  some(most: number): Gone[] | Promise<Gone[]>;
  /** The keys of the records that have no membership left in the scope when some are removed. */
  leaving(gone: readonly Gone[]): readonly string[] | Promise<readonly string[]>;
  /**
   * Removes memberships, and the records that have none left anywhere.
   *
   * @param notes gets what that changes
   * @returns how many records were removed
   */
  remove(gone: readonly Gone[], notes: ChangeNotes): number | Promise<number>;
}

/** The memberships that a sync run may remove. */
export interface RunMemberships<Gone extends GoneMembership> extends Memberships<Gone> {
  /**
   * Those that the sync run did not see although it read the lists that should contain them, and those whose parent is no longer in the
   * scope.
   */
  unseen(): Gone[] | Promise<Gone[]>;
}

type Ledger = ReturnType<typeof ledgerOf> & Pick<ReturnType<typeof changeLogOf>, "logChanges" | "trimChanges">;

/** What the records of a page have changed. */
export interface SavedPage {
  /** Parents whose children the page ends. */
  readonly markers: readonly ParentDone[];
  /** How many records the scope did not have before. */
  readonly joined: number;
  /** How many records the instance did not have before. */
  readonly inserted: number;
  readonly notes: ChangeNotes;
}

/** The units of work that end pages and sync runs, and forget scopes. */
export function syncRunsOf(ledger: Ledger) {
  return {
    /** Notes a page whose records the caller's transaction has saved. */
    *endPage(ids: CollectionIds, checkpoint: Checkpoint, saved: SavedPage, retention: ChangeRetention): Work<void> {
      for (const marker of saved.markers) yield* ledger.setMarker(ids, checkpoint, marker);
      yield* ledger.addCounts(ids, { scope: saved.joined, all: saved.inserted });
      yield* ledger.setCheckpoint(ids, checkpoint);
      yield* ledger.logChanges(ids, saved.notes);
      yield* ledger.trimChanges(ids.inst, retention);
    },

    /** Ends a sync run: removes what it has not seen, or notes why that is refused. */
    *finishRun<Gone extends GoneMembership>(
      memberships: RunMemberships<Gone>,
      checkpoint: Checkpoint,
      { massDelete, byKey, counts, children = [], ...options }: Omit<FinishOptions, "parents">,
      retention: ChangeRetention,
    ): Work<Removal> {
      const { ids } = memberships;
      const named = byKey ? yield* ledger.markedParents(ids, checkpoint) : 0;
      const of = removalBase(named, yield* ledger.countedRecords(ids));
      const gone = yield* awaited(memberships.unseen());
      if (counts) return { removed: gone.length, refused: false, of };
      const leaving = yield* awaited(memberships.leaving(gone));
      if (isMassDelete(leaving.length, of) && !massDelete) {
        yield* ledger.abandonRun(ids, massDeleteRefused, true);
        return { removed: 0, refused: true, of };
      }
      const notes = new ChangeNotes();
      const removed = yield* awaited(memberships.remove(gone, notes));
      // If a record comes back unchanged, the list that contained it must be read again, and so must its own children.
      const lists = [...new Set(gone.map(({ parent }) => parent))].filter((parent) => parent !== "");
      yield* ledger.dropMarkersOf(ids, lists, checkpoint.run);
      yield* ledger.dropChildMarkers(ids, children, leaving);
      yield* ledger.addCounts(ids, { scope: -leaving.length, all: -removed });
      if (byKey) yield* ledger.dropMarkers(ids);
      yield* ledger.completeRun(ids, checkpoint, options);
      yield* ledger.logChanges(ids, notes);
      yield* ledger.trimChanges(ids.inst, retention);
      return { removed: leaving.length, refused: false, of };
    },

    /**
     * Does one step of forgetting a scope. Before the first record goes, the states of the scope become those of a scope that was never
     * read, so that a sync reads all of it again when the steps are cut off.
     *
     * @param entities the memberships of all entities that have tables
     */
    *forgetSome<Gone extends GoneMembership>(ids: ScopeIds, entities: Iterable<Memberships<Gone>>): Work<Forgetting> {
      yield* ledger.restartScope(ids);
      let left = mostInStep;
      let removed = 0;
      for (const one of entities) {
        if (left === 0) break;
        const gone = yield* awaited(one.some(left));
        left -= gone.length;
        const leaving = yield* awaited(one.leaving(gone));
        const notes = new ChangeNotes();
        const away = yield* awaited(one.remove(gone, notes));
        yield* ledger.addCounts(one.ids, { scope: -leaving.length, all: -away });
        yield* ledger.logChanges(one.ids, notes);
        removed += away;
      }
      const done = left > 0;
      if (done) yield* ledger.removeScope(ids);
      return { removed, done };
    },
  };
}
