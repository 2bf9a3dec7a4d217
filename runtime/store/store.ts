import type { SearchCaller } from "../base/search-caller.ts";
import { type FieldTree, searchLimits } from "../contract/index.ts";
import type { RecordObject, SearchQuery, SortPosition } from "../search/index.ts";
import type { ChangePage, ChangesQuery, CurrentRecord } from "./change-log.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { CollectionSync, Misfits, ScopeSchedule } from "./collection-sync.ts";
import type { SyncProblem } from "./problem.ts";
import type { StatementStore } from "./statement-store.ts";

/** A connector instance. Every call names one, and never reads or changes records of another. */
export interface StoreInstance {
  readonly connector: string;
  readonly instance: string;
}

/** A scope of an instance, or all of them where none is named. */
export interface InstanceScope extends StoreInstance {
  readonly scope?: string;
}

/** What a lease is of: a sync group in a scope, a whole scope where no sync group is named, or the whole instance. */
export interface LeaseKey extends InstanceScope {
  /**
   * Names entities that only one process may sync at a time, because their sync runs change what is noted of each other: parents, and what
   * is read for each of them.
   */
  readonly syncGroup?: string;
}

/** A sync group in a scope that nobody else may sync, or need sync, now. */
export interface TakenSyncGroup {
  /** Empty where it is the whole scope. */
  readonly syncGroup: string;
  /** Whether a process has its lease; otherwise it was synced in the scheduled sync already. */
  readonly held: boolean;
}

/** One entity of one connector instance. */
export interface Collection extends StoreInstance {
  readonly entity: string;
}

export interface StoreSearch extends SearchQuery {
  /** Fields of the records to answer; null for the searchable fields. */
  readonly fields: FieldTree | null;
  readonly explain: boolean;
  /** Whether all matching records are to be counted. */
  readonly count?: true;
  /** Scopes that the filter names, in lower case; absent where it names none. The answer reports how far these are synced. */
  readonly scopes?: readonly string[];
  /** Fields by whose values the matching records are grouped. The answer has groups then instead of records. */
  readonly groupBy?: readonly string[];
  /**
   * Bytes that the records of the answer should not exceed, where these are fewer than those of the largest answer. At least one record
   * comes whole; a cursor leads to the rest.
   */
  readonly bytes?: number;
}

/** The most values of one field that warnings name because its enumeration does not list them. */
export const mostUnlisted = 20;

/** The most groups that a search may find. A field with more values is not for grouping. */
export const mostGroups = searchLimits.groups;

export interface StoreAnswer {
  /** JSON array of the records found, in UTF-8. It is sent unchanged, so that the event loop need not convert large answers. */
  readonly json: Uint8Array;
  readonly more: boolean;
  /** Position of the last record in the order of the sort; undefined when no record was found. */
  readonly last: SortPosition | undefined;
  /** When the last complete sync of the entity ended (ISO 8601), in the scope where that is longest ago; null before the first. */
  readonly syncedAt: string | null;
  readonly sync: CollectionSync;
  /** Values in these records that their enumerations do not list: of each field {@link mostUnlisted}, and one more where there are more. */
  readonly unlisted: readonly UnlistedValue[];
  /** How many records match; only where the search asked for it. */
  readonly total?: number;
  /** There are more groups than {@link mostGroups}, so the answer has none. */
  readonly tooManyGroups?: true;
  readonly plan?: PlanReport;
}

/** A value that the field's enumeration does not list: the platform has added it since the spec was written. */
export interface UnlistedValue {
  readonly field: string;
  readonly value: string;
}

/** The answer to `explain`: how a search was run. */
export interface PlanReport {
  /** The index that gives the candidates, such as `words of title` or `order of updatedAt`. */
  readonly driver: string;
  readonly indexes: readonly string[];
  readonly steps: readonly string[];
}

/** Something that is written under a lease. */
export interface Fenced {
  /**
   * The fencing token that `SyncStore.lease` gave. When another owner has taken the lease, or one that overlaps, since then, nothing is
   * written, however late the write comes. Absent where only one process can write.
   */
  readonly fencingToken?: number;
}

/** An entity within a scope, in which a sync run stores its records. */
export interface ScopeCollection extends Collection, Fenced {
  /** Kind and value of the scope: `repository=octocat/hello-world`. */
  readonly scope: string;
}

/** Records of one list. */
export interface ListPage {
  readonly records: readonly RecordObject[];
  /** Key of the parent, which is the record for which the page was read. */
  readonly parent?: string;
  /** The value of the parent's `changed` field. It is given with the last page of the parent. */
  readonly parentDone?: ParentDone;
}

/** What a sync run keeps about a parent that it need not ask for again. */
export interface ParentDone {
  readonly key: string;
  readonly marker: string | null;
  /** Set where the platform forbids to read what belongs to the parent. Then nothing of it is removed, because nothing is known of it. */
  readonly hidden?: true;
}

export interface Page extends ListPage {
  readonly checkpoint: Checkpoint;
  /** Pages of other parents that were read together with this one. */
  readonly others?: readonly ListPage[];
}

/** What saving a page did. The first three count a record once, however often the sync run finds it in one place. */
export interface PageResult {
  readonly inserted: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Records that the sync run has seen before, with other content. The last one is kept. */
  readonly repeated: number;
}

/** The counts before anything is saved. */
export const nothingSaved: PageResult = { inserted: 0, changed: 0, unchanged: 0, repeated: 0 };

export interface Removal {
  readonly removed: number;
  /** Set when nothing was removed, because it would have been too much. */
  readonly refused: boolean;
  /** How many records there were before the removal. */
  readonly of: number;
}

/** State of one entity within one scope. */
export interface SyncState {
  readonly scope: string;
  readonly entity: string;
  readonly records: number;
  /** Number of the last sync run that began. */
  readonly run: number;
  readonly checkpoint: Checkpoint | null;
  /** Newest value of the cursor field at the end of the last complete sync run. */
  readonly newest: string | null;
  /** Digest of how the spec read the entity in the last complete sync run. */
  readonly source: string | null;
  readonly completedAt: string | null;
  readonly fullAt: string | null;
  /** Why the last attempt failed or is incomplete. */
  readonly problem: SyncProblem | null;
  /** Parents of which the platform forbade to read what belongs to them, when they were last asked for. */
  readonly hidden: number;
  readonly notes: SyncNotes;
}

/** Calls to a platform, and what they took from its hourly budget. */
export interface Spent {
  readonly calls: number;
  readonly points: number;
}

/** What a sync keeps about an entity of a scope from one sync run to the next. */
export interface SyncNotes {
  /** What the last sync run took. */
  readonly spent?: Spent;
  /** How many records came more than once in the last sync run, with different contents. */
  readonly repeated?: number;
  /** Those that were found since the last full sync run began. */
  readonly misfits?: Misfits;
  /** What the change check of the scope said of the entity when the last complete sync run began. */
  readonly changeCheck?: string;
  /** When each part of the records was last compared with the platform, in milliseconds since 1970. */
  readonly verified?: readonly number[];
  /** When partitions were last verified (ISO 8601), and what that took. */
  readonly verification?: Spent & { readonly at: string };
}

export interface Schedule extends ScopeSchedule {
  /** When the last scheduled sync began (ISO 8601). */
  readonly startedAt: string | null;
}

/** A schedule to store. Where `due` is absent, the stored one stays as long as the scopes do. */
export interface SetSchedule extends Pick<Schedule, "scopes" | "minutes"> {
  readonly due?: readonly string[] | null;
}

/** A step in the plan of another entity that reads something for each record of this one. */
export interface ChildStep {
  readonly entity: string;
  readonly step: number;
}

export interface FinishOptions {
  /** Whether the removal may exceed the bound of `isMassDelete`. */
  readonly massDelete: boolean;
  /** Entities of the records' parents. */
  readonly parents: readonly string[];
  /** Entities that are read for each of the records. What is noted of them is dropped with the records. Absent where there are none. */
  readonly children?: readonly string[];
  /** Set when records were requested by what names them: those that were not found are gone. */
  readonly byKey?: true;
  /** Removes nothing, and ends nothing: only counts the memberships that would be removed. */
  readonly counts?: true;
  /**
   * Set when the sync run went on with one that was cut off, and another sync run reads what has changed meanwhile. Until that one is
   * complete, the records count as complete when this one began.
   */
  readonly resumed?: true;
}

export interface Parent {
  readonly key: string;
  readonly record: RecordObject;
  /** The value of its `changed` field when its children of this entity were last read to their end; null when they never were. */
  readonly marker: string | null;
  /** The sync run that read its children of this entity to their end, or found them hidden; null when none did. */
  readonly run: number | null;
}

/** Finds cached records. */
export interface SearchStore {
  /**
   * Finds records of one entity.
   *
   * @param deadline when the caller must have an answer, as of `performance.now()`; the store may end a search earlier
   * @param signal ends the search when its caller has gone, whether the search waits or runs
   * @param caller whose search it is; without it, the service's own
   * @throws TenonError `search_timeout` when the search took too long, `overloaded` when too many searches wait, `shutting_down` after
   *   `close`, `store_unusable` when the records cannot be read
   */
  search(
    collection: Collection,
    query: StoreSearch,
    deadline: number,
    signal?: AbortSignal,
    caller?: SearchCaller,
  ): Promise<StoreAnswer>;
}

/** Reports how far the cache is filled. */
export interface SyncReport {
  /** The state of every entity in every scope that a sync has tried, or in one of them, ordered by scope and entity. */
  states(place: InstanceScope): Promise<SyncState[]>;
  /** Whether a process syncs the scope or a sync group of it now; without a scope, whether one syncs any of the instance. */
  leased(place: InstanceScope): Promise<boolean>;
  /** The scopes that are synced on a schedule, and when the last such sync began; null when there is no schedule. */
  schedule(instance: StoreInstance): Promise<Schedule | null>;
}

/**
 * Fills the cache. When a method fails, it has changed nothing unless it says otherwise; when it succeeds, its changes survive a crash.
 * Every method that takes something `Fenced` throws TenonError `sync_running` when another owner has taken the lease, and
 * `unknown_connector` when the instance was removed.
 */
export interface SyncStore extends SyncReport {
  /**
   * Saves records, and the checkpoint after them, in one transaction. The lists of a page are saved in their order; a record may be in
   * several, and more than once in one.
   *
   * @param signal ends waiting for a process that has the records to itself, such as one that makes their indexes; nothing is saved then,
   * and
   *   the reason of the signal is thrown. A change that need not wait is made all the same
   * @throws TenonError `sync_running` when a newer sync run has begun in another process
   */
  save(collection: ScopeCollection, page: Page, signal?: AbortSignal): Promise<PageResult>;
  /** The records of a scope for each of which a child is read, in the order of their keys: those after the key `after`, at most `limit`. */
  parents(collection: ScopeCollection, child: ChildStep, after: string | undefined, limit: number): Promise<Parent[]>;
  /**
   * Ends a sync run and notes the time. Removes the records that the sync run did not see: in a full sync run all but those of hidden
   * parents, otherwise those of parents whose children were read to their end. Also removes the records whose parent is gone. A removal
   * beyond the bound of `isMassDelete` is refused unless the options allow it.
   *
   * @param signal ends waiting as in `save`; and when the sync run is complete, what makes later searches faster, such as the making of
   * indexes.
   *   Whatever process uses the store next goes on with that
   * @throws TenonError `sync_running` when a newer sync run has begun in another process
   */
  finish(collection: ScopeCollection, checkpoint: Checkpoint, options: FinishOptions, signal?: AbortSignal): Promise<Removal>;
  /** Notes why a sync run could not continue. Its checkpoint is kept, and the next sync run continues from there. */
  fail(collection: ScopeCollection, problem: SyncProblem): Promise<void>;
  /**
   * Notes why a sync run is incomplete although it was read to its end. Its checkpoint is dropped, and the next sync run starts at the
   * beginning.
   */
  abandon(collection: ScopeCollection, problem: SyncProblem): Promise<void>;
  /** Notes that nothing has changed since the last complete sync run, so that the records are as good as read now. */
  confirm(collection: ScopeCollection): Promise<void>;
  /** Keeps notes of a sync. A member that is null is removed, and one that is absent stays as it is. */
  note(collection: ScopeCollection, notes: { readonly [Name in keyof SyncNotes]: SyncNotes[Name] | null }): Promise<void>;
  /**
   * Removes a scope: everything that is noted of its syncs, and its records as far as they belong to no other scope. A large scope is
   * removed in several transactions. When they are cut off, the scope counts as never read, and the next call removes the rest.
   *
   * @returns how many records were removed; null when nothing of the scope was stored
   */
  forget(instance: StoreInstance & Fenced, scope: string): Promise<number | null>;
  /**
   * Takes or extends a lease, which is the right to sync a sync group in a scope, a whole scope, or a whole instance. Two overlap
   * when one is of the whole of which the other is a part; nobody has one while another owner has one that overlaps. With 0 seconds the
   * owner gives the lease back. The store does not know which entities a sync group has: its owner writes to no others.
   *
   * @param owner made by `newLeaseOwner`
   * @param scheduledAt when the scheduled sync began for which the lease is (ISO 8601). With 0 seconds it says that the place was synced in
   *   that sync, and nobody gets its lease for the same sync again
   * @returns the fencing token, which is another one whenever another owner takes a lease that overlaps; null while another owner has such
   *   a lease, or when the place, or the whole scope, was synced in the scheduled sync already
   * @throws TenonError `unknown_connector` when the instance was removed
   */
  lease(place: LeaseKey, owner: string, seconds: number, scheduledAt?: string): Promise<number | null>;
  /** What of a scope nobody could take for a scheduled sync now. @param scheduledAt as in `lease` */
  taken(place: Required<InstanceScope>, scheduledAt: string): Promise<TakenSyncGroup[]>;
  /**
   * Takes the lease of an instance, and all those in it, from whoever has them: nothing that the former owners write from then on is
   * stored.
   *
   * @param owner made by `newLeaseOwner` or `newRemovalOwner`; `removedOwner` when the instance is removed, after which nobody gets a lease
   * of it
   *   again
   * @returns the fencing token
   */
  seize(instance: StoreInstance, owner: string, seconds: number): Promise<number>;
  /** Stores the schedule, or removes it when it is null. A stored time at which the last such sync began is kept. */
  setSchedule(instance: StoreInstance, schedule: SetSchedule | null): Promise<void>;
  /**
   * Notes that a scheduled sync begins now.
   *
   * @param before when the one before it began, as the caller knows
   * @returns when it began (ISO 8601); null when another process has begun one meanwhile, or there is no schedule
   */
  started(instance: StoreInstance, before: string | null): Promise<string | null>;
}

/** Reads the change log. */
export interface ChangeLog {
  changes(instance: StoreInstance, query: ChangesQuery): Promise<ChangePage>;
  /** The cached records with some keys, as they are now. One that is not there has no entry. @param keys as `keyText` makes them */
  current(collection: Collection, keys: readonly string[]): Promise<readonly CurrentRecord[]>;
}

/** Stores records and finds them. Everything is asynchronous, because a store may be a file or a server on another machine. */
export interface Store extends SearchStore, StatementStore, SyncStore, ChangeLog {
  /** Resolves when the store can be used for the first time. @throws TenonError `store_unusable` */
  readonly ready: Promise<void>;
  /** False while the store cannot be used, because it was damaged or has gone. */
  readonly healthy: boolean;
  /** Why it waits before it can be used for the first time, for the operator. */
  readonly problem?: string | undefined;
  /**
   * Closes the store. Searches end at once. Changes that have begun are finished if that takes only a few seconds.
   *
   * @returns whether everything has ended. If not, a thread is still inside native code, which only the end of the process stops
   */
  close(): Promise<boolean>;
}
