import type { FieldTree } from "../contract/index.ts";
import type { Position, RecordObject, SearchQuery } from "../search/index.ts";

/** A connector instance: every call is bound to one, and reaches no row of another. */
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
}

export interface StoreAnswer {
  /** JSON array of the records found (UTF-8): it goes out as it is, so that large answers cost the event loop nothing. */
  readonly json: Uint8Array;
  readonly more: boolean;
  /** Place of the last record; undefined when there is none. */
  readonly last: Position | undefined;
  /** End of the last complete sync of the entity (ISO 8601), the oldest of its scopes; null before the first. */
  readonly syncedAt: string | null;
  readonly plan?: PlanReport;
}

/** What `explain` tells of a query. */
export interface PlanReport {
  /** What the search begins with, such as `words of title` or `order of updatedAt`. */
  readonly driver: string;
  readonly indexes: readonly string[];
  readonly steps: readonly string[];
}

/** Where a listing of a sync stands. It is stored together with the records that it speaks of. */
export interface SyncPosition {
  /** Number of the pass; records seen in it carry it. */
  readonly pass: number;
  /** Whether the pass reads everything, so that what it did not see may be removed. */
  readonly full: boolean;
  /** What is read how, by the spec: a pass of another spec is not gone on with. */
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
  /** The list was read to its end and is read again from its beginning down to this value: what moved meanwhile stands there. */
  readonly until?: string;
  /** The platform did not show everything so far, so that nothing may be removed. */
  readonly partial?: true;
}

/** A place to which records of a sync belong: an entity within a scope. */
export interface SyncShelf extends Shelf {
  /** Kind and value of the scope: `repository=octocat/hello-world`. */
  readonly scope: string;
}

export interface Page {
  readonly records: readonly RecordObject[];
  /** Key of the record for which the page was read. */
  readonly parent?: string;
  /** What the parent's `changed` field says: kept when the page is its last one. */
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
  /** More than half would have been removed, so nothing was. */
  readonly refused: boolean;
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
  /** By which spec the last complete pass read. */
  readonly source: string | null;
  readonly completedAt: string | null;
  readonly fullAt: string | null;
  /** Why the last attempt did not end well: an error code. */
  readonly problem: string | null;
}

export interface Schedule {
  readonly scopes: readonly string[];
  /** Minutes from one beginning to the next. */
  readonly minutes: number;
  readonly startedAt: string | null;
}

/** A step of another entity's plan that reads something for each record. */
export interface ChildStep {
  readonly entity: string;
  readonly step: number;
}

export interface FinishOptions {
  /** Whether more than half of the records may be removed. */
  readonly massDelete: boolean;
  /** Entities that the records have their parents in. */
  readonly parents: readonly string[];
}

export interface Parent {
  readonly key: string;
  readonly record: RecordObject;
  /** The mark of its last complete reading for this child entity. */
  readonly mark: string | null;
}

/** Keeps records and finds them. Everything is asynchronous: a store may be a file, or a server elsewhere. */
export interface Store {
  /**
   * @param deadline as of `performance.now()`; the store may have an earlier one of its own
   * @param signal ends a search, waiting or running, when its caller has gone
   * @throws TenonError `search_timeout`, or `overloaded` when too many searches wait
   */
  search(shelf: Shelf, query: StoreSearch, deadline: number, signal?: AbortSignal): Promise<StoreAnswer>;

  /** Saves records and the position behind them in one transaction; what was acknowledged survives a crash. */
  save(shelf: SyncShelf, page: Page): Promise<PageResult>;
  /** Parents of a child listing within a scope, by key, at most `limit` of them behind `after`. */
  parents(shelf: SyncShelf, child: ChildStep, after: string | undefined, limit: number): Promise<Parent[]>;
  /**
   * Ends a pass: removes what it did not see (of everything in a full pass, else of the parents that were read to their end), and
   * what has lost its parent; keeps when it was complete. Nothing is removed when that were more than half, unless it may.
   */
  finish(shelf: SyncShelf, position: SyncPosition, options: FinishOptions): Promise<Removal>;
  /** Notes why a pass could not go on; the next one goes on from there. */
  fail(shelf: SyncShelf, problem: string): Promise<void>;
  /** Notes why a pass, although at its end, is not complete; the next one begins anew. */
  abandon(shelf: SyncShelf, problem: string): Promise<void>;
  states(instance: StoreInstance): Promise<SyncState[]>;
  /** Takes or extends the right to sync an instance; false while another process has it. */
  lease(instance: StoreInstance, owner: string, seconds: number): Promise<boolean>;
  leased(instance: StoreInstance): Promise<boolean>;
  /** What is synced by itself, and when that last began. */
  schedule(instance: StoreInstance): Promise<Schedule | null>;
  setSchedule(instance: StoreInstance, schedule: Omit<Schedule, "startedAt"> | null): Promise<void>;
  /** The schedule's sync begins now. */
  started(instance: StoreInstance): Promise<void>;
  close(): Promise<void>;
}
