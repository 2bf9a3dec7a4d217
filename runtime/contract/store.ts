import type { Action } from "./action.ts";

/** Types that cached search knows. An enumeration is a `string` with `values`, an id is a `string`. */
export type SearchType = "string" | "integer" | "number" | "boolean" | "timestamp";

/**
 * How the values of a field are looked up. `exact`: by value, in order. `name`: also by words and by any part, for short texts.
 * `text`: by words and by any part only, for long texts.
 */
export type SearchIndex = "exact" | "name" | "text";

export interface SearchField {
  readonly type: SearchType;
  readonly index: SearchIndex;
  /** Whether the platform may have no value. */
  readonly nullable?: true;
  /** The few values of an enumeration. */
  readonly values?: readonly string[];
}

/** How records of an entity are kept and searched. */
export interface StorePlan {
  /** Dotted paths of the fields that tell one record from another within a connector instance, in the order of comparison. */
  readonly key: readonly string[];
  /** Searchable fields, all at the top of the record, in the order of the record. */
  readonly fields: Readonly<Record<string, SearchField>>;
}

/** What a sync can be asked for: a repository, an organization … */
export interface ScopePlan {
  /** Parameters that the scope's value gives, split at `/`. Without any, the scope is part of every sync. */
  readonly params: readonly string[];
  readonly doc: string;
  readonly example?: string;
  /** Values in upper and lower case name the same. */
  readonly ignoreCase?: true;
}

/** One way to fill an entity: an action, called once for a scope or once for each stored record of another entity. */
export interface SyncPlan {
  readonly scope: string;
  /** Reads the records: `get` or `list` of the entity, or one that exists for this purpose only. */
  readonly action: Action;
  /** Parameter that says how many records one call reads, and the number that a sync gives it; absent where nothing is paged. */
  readonly size?: { readonly param: string; readonly value: number };
  /**
   * Field by which the list is ordered, newest first. What is older than the newest record of the last complete sync, less
   * `overlap` (seconds), is known already.
   */
  readonly cursor?: { readonly field: string; readonly overlap: number };
  readonly each?: SyncEach;
}

/** The stored records of the same scope for each of which the action is called. */
export interface SyncEach {
  readonly entity: string;
  /** Parameter to field of that record. */
  readonly params: Readonly<Record<string, string>>;
  /** Parameters of a first call without a record: where a tree begins. */
  readonly root?: Readonly<Record<string, string | number>>;
  /** Fields that must have these values. */
  readonly where?: Readonly<Record<string, string | number | boolean>>;
  /** Fields that must not have these values: nothing would be found. */
  readonly unless?: Readonly<Record<string, string | number | boolean>>;
  /** Numeric fields that must not be larger. */
  readonly atMost?: Readonly<Record<string, number>>;
  /** Field with a path, and glob patterns for it. */
  readonly paths?: { readonly field: string; readonly include: readonly string[]; readonly exclude: readonly string[] };
  /** Field that changes whenever the result may have changed; equal to the last complete sync means that nothing has to be read. */
  readonly changed?: string;
}
