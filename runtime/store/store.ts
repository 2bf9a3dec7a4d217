import type { FieldTree } from "../contract/index.ts";
import type { RecordObject, SearchQuery, SortPosition } from "../search/index.ts";
import type { SyncProblem } from "./problem.ts";

/** A connector instance. Every call is bound to one, and reaches no record of another. */
export interface StoreInstance {
  readonly connector: string;
  readonly instance: string;
}

/** One entity of one connector instance. */
export interface Shelf extends StoreInstance {
  readonly entity: string;
}

export interface StoreSearch extends SearchQuery {
  /** Fields of the records to answer; null for the searchable ones. */
  readonly fields: FieldTree | null;
  readonly explain: boolean;
  /** Whether all matching records are to be counted. */
  readonly count?: true;
  /** Fields by whose values the matching records are grouped. The answer has groups then instead of records. */
  readonly groupBy?: readonly string[];
}

/** The most groups that a search may find. A field with more values is not for grouping. */
export const mostGroups = 1_000;

export interface StoreAnswer {
  /** JSON array of the records found, in UTF-8. It is sent as it is, so that large answers cost the event loop nothing. */
  readonly json: Uint8Array;
  readonly more: boolean;
  /** Position of the last record in the order of the sort; undefined when no record was found. */
  readonly last: SortPosition | undefined;
  /** When the last complete sync of the entity ended (ISO 8601), the oldest of its scopes; null before the first. */
  readonly syncedAt: string | null;
  /** Values in these records that their enumerations do not list. */
  readonly unlisted: readonly UnlistedValue[];
  /** How many records match; only where the search asked for it. */
  readonly total?: number;
  /** There are more groups than {@link mostGroups}, so the answer has none. */
  readonly tooManyGroups?: true;
  readonly plan?: PlanReport;
}

/** A value that an enumeration does not list, because the platform has it since later than the spec. */
export interface UnlistedValue {
  readonly field: string;
  readonly value: string;
}

/** What `explain` tells about a search. */
export interface PlanReport {
  /** What the search begins with, such as `words of title` or `order of updatedAt`. */
  readonly driver: string;
  readonly indexes: readonly string[];
  readonly steps: readonly string[];
}

/** How far a pass of a sync has read. It is stored in one transaction with the records that were read. */
export interface SyncPosition {
  /** Number of the pass; records seen in it carry it. */
  readonly pass: number;
  /** Whether the pass reads everything, so that what it did not see may be removed. */
  readonly full: boolean;
  /** Digest of how the spec reads the entity. A pass that began with another one is not continued. */
  readonly source?: string;
  /** Steps of the entity's plan that are done. */
  readonly step: number;
  /** Key of the last parent that was read to its end. */
  readonly parent?: string;
  /** Key of the parent that is being read, and the cursor of its next page. */
  readonly current?: string;
  readonly after?: string;
  /** Newest value of the cursor field that this pass has seen. */
  readonly newest?: string;
  /**
   * The list was read to its end and is read again from its beginning down to this value of the cursor field, because records that
   * changed while it was read have moved there.
   */
  readonly until?: string;
  /** The platform did not show everything so far, so nothing may be removed at the end of the pass. */
  readonly partial?: true;
}

/** Where the records of a pass belong: an entity within a scope. */
export interface SyncShelf extends Shelf {
  /** Kind and value of the scope: `repository=octocat/hello-world`. */
  readonly scope: string;
}

export interface Page {
  readonly records: readonly RecordObject[];
  /** Key of the record for which the page was read. */
  readonly parent?: string;
  /** The value of the parent's `changed` field. It is given with the last page of the parent. */
  readonly parentDone?: { readonly key: string; readonly mark: string | null };
  readonly position: SyncPosition;
}

export interface PageResult {
  readonly inserted: number;
  readonly changed: number;
  readonly unchanged: number;
}

export interface Removal {
  readonly removed: number;
  /** Too much would have been removed, so nothing was. */
  readonly refused: boolean;
  /** How many records there were before. */
  readonly of: number;
}

/** State of one entity within one scope. */
export interface SyncState {
  readonly scope: string;
  readonly entity: string;
  readonly records: number;
  /** Number of the last pass that was begun. */
  readonly pass: number;
  readonly position: SyncPosition | null;
  /** Newest value of the cursor field at the end of the last complete pass. */
  readonly newest: string | null;
  /** Digest of how the spec read the entity in the last complete pass. */
  readonly source: string | null;
  readonly completedAt: string | null;
  readonly fullAt: string | null;
  /** Why the last attempt did not end well. */
  readonly problem: SyncProblem | null;
}

export interface Schedule {
  readonly scopes: readonly string[];
  /** Minutes from the beginning of one sync to the beginning of the next. */
  readonly minutes: number;
  readonly startedAt: string | null;
}

/** A step of another entity's plan that reads something for each record. */
export interface ChildStep {
  readonly entity: string;
  readonly step: number;
}

export interface FinishOptions {
  /** Whether so many records may be removed as `isMassDelete` calls too much. */
  readonly massDelete: boolean;
  /** Entities in which the records have their parents. */
  readonly parents: readonly string[];
}

export interface Parent {
  readonly key: string;
  readonly record: RecordObject;
  /** What its `changed` field said when its children of this entity were last read to their end; null when they never were. */
  readonly mark: string | null;
}

/** Finds cached records. */
export interface SearchStore {
  /**
   * Finds records of one entity.
   *
   * @param deadline when the caller must have an answer, as of `performance.now()`; the store may have an earlier one of its own
   * @param signal ends the search, waiting or running, when its caller has gone
   * @throws TenonError `search_timeout` when it took too long, `overloaded` when too many searches wait, `shutting_down` after
   *   `close`, `store_unusable` when the records cannot be read
   */
  search(shelf: Shelf, query: StoreSearch, deadline: number, signal?: AbortSignal): Promise<StoreAnswer>;
}

/** Tells how far the cache is filled. */
export interface SyncReport {
  /** The state of every entity of every scope that was synced or tried, ordered by scope and entity. */
  states(instance: StoreInstance): Promise<SyncState[]>;
  /** Whether any process syncs the instance now. */
  leased(instance: StoreInstance): Promise<boolean>;
  /** What is synced on a schedule, and when the last such sync began; null when nothing is. */
  schedule(instance: StoreInstance): Promise<Schedule | null>;
}

/** Fills the cache. A method that was not acknowledged has changed nothing; what was acknowledged survives a crash. */
export interface SyncStore extends SyncReport {
  /**
   * Saves records and the position behind them in one transaction.
   *
   * @throws TenonError `sync_running` when a newer pass has begun in another process
   */
  save(shelf: SyncShelf, page: Page): Promise<PageResult>;
  /** The parents of a child listing within a scope: in the order of their keys, behind the key `after`, at most `limit`. */
  parents(shelf: SyncShelf, child: ChildStep, after: string | undefined, limit: number): Promise<Parent[]>;
  /**
   * Ends a pass and notes when it was complete. Removes the records that the pass did not see: in a full pass all of them, otherwise
   * those of parents that were read to their end; and the records that have lost their parent. What `isMassDelete` calls too much is
   * removed only where the options allow it.
   *
   * @throws TenonError `sync_running` when a newer pass has begun in another process
   */
  finish(shelf: SyncShelf, position: SyncPosition, options: FinishOptions): Promise<Removal>;
  /** Notes why a pass could not go on. Its position stays, and the next pass goes on from there. */
  fail(shelf: SyncShelf, problem: SyncProblem): Promise<void>;
  /** Notes why a pass is not complete although it was read to its end. Its position is dropped, and the next pass begins anew. */
  abandon(shelf: SyncShelf, problem: SyncProblem): Promise<void>;
  /**
   * Takes or extends the right to sync an instance. With 0 seconds the owner gives it back.
   *
   * @param owner made by `newLeaseOwner`
   * @returns false while another owner has it
   */
  lease(instance: StoreInstance, owner: string, seconds: number): Promise<boolean>;
  /** Keeps what is synced on a schedule; null when nothing is any longer. When the last such sync began is kept. */
  setSchedule(instance: StoreInstance, schedule: Omit<Schedule, "startedAt"> | null): Promise<void>;
  /** Notes that a sync of the schedule begins now. */
  started(instance: StoreInstance): Promise<void>;
}

/** Keeps records and finds them. Everything is asynchronous, because a store may be a file or a server elsewhere. */
export interface Store extends SearchStore, SyncStore {
  /** Resolves when the store can be used for the first time. @throws TenonError `store_unusable` */
  readonly ready: Promise<void>;
  /** False while the store cannot be used because something is wrong with it: it was damaged or has gone. */
  readonly healthy: boolean;
  /**
   * Ends the store. Searches end at once; changes that have begun are finished if that takes a few seconds at most.
   *
   * @returns whether everything has ended. If not, a thread is still inside native code, which only the end of the process stops.
   */
  close(): Promise<boolean>;
}
