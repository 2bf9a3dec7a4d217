import type { Action } from "./action.ts";
import type { SyncBatch } from "./batch.ts";

/** Types of searchable fields. An enumeration is a `string` with `values`; an id is a `string`. */
export type SearchType = "string" | "integer" | "number" | "boolean" | "timestamp";

/**
 * How the values of a field are indexed. `exact`: by value and in order. `name`: also by words and by any part, for short texts.
 * `text`: only by words and by any part, for long texts.
 */
export type SearchIndex = "exact" | "name" | "text";

export interface SearchField {
  readonly type: SearchType;
  readonly index: SearchIndex;
  /** Whether the platform may have no value. */
  readonly nullable?: true;
  /** The values of an enumeration. */
  readonly values?: readonly string[];
  /** The field has the name of a kind of scope, such as `repository`: all records of one scope usually have the same value. */
  readonly scope?: true;
  /** Set for a list. Type, index and values are then those of its elements. */
  readonly list?: ListSearch;
}

export interface ListSearch {
  /**
   * Dotted paths of the member of each element that is compared: the first of them that has a value. Absent where the elements themselves
   * are compared.
   */
  readonly by?: readonly string[];
  /**
   * The values come from the place where the record was found, such as the organization whose members were listed. A stored record has
   * the values of all such places.
   */
  readonly relation?: true;
}

/** How the records of an entity are stored and searched. */
export interface StorePlan {
  /** Dotted paths of the fields that identify a record within a connector instance, in the order of comparison. */
  readonly key: readonly string[];
  /** Searchable fields, in the order of the record. They are never inside another field. */
  readonly fields: Readonly<Record<string, SearchField>>;
  readonly semantic?: SemanticPlan;
}

/** How records are searched by the meaning of their texts. */
export interface SemanticPlan {
  /** The fields whose texts are embedded, and the most characters of a text that a hit shows. */
  readonly fields: Readonly<Record<string, { readonly window: number }>>;
  /** Members of a hit's `entity`, each with the field of the record that gives its value as a string. */
  readonly hit: Readonly<Record<string, string>>;
}

/** A kind of scope, which is what a sync reads: a repository, an organization … */
export interface ScopePlan {
  /** Parameters that the parts of the scope's value give, split at `/`. A scope without parameters is part of every sync. */
  readonly params: readonly string[];
  readonly doc: string;
  readonly example?: string;
  /** Values that differ only in upper and lower case name the same scope. */
  readonly ignoreCase?: true;
  readonly changeCheck?: ChangeCheckPlan;
}

/** One call that tells of a scope which of its entities have not changed since the last sync. */
export interface ChangeCheckPlan {
  readonly document: string;
  /** Parameters of the scope that are variables of the document. */
  readonly variables: readonly string[];
  /** Response keys from the root to the object that has the keys of all entities. */
  readonly path: readonly string[];
  /** The response keys of each entity. While they have the values of the last complete sync, nothing has changed. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

/** One way to fill the cache of an entity: an action that is called once for a scope, or once for each stored record of another entity. */
export interface SyncPlan {
  readonly scope: string;
  /** The action that reads the records: `get` or `list` of the entity, or an action that only a sync uses. */
  readonly action: Action;
  /** Parameter that says how many records one call reads, and the value that a sync gives it. Absent where the action is not paged. */
  readonly size?: { readonly param: string; readonly value: number };
  /**
   * Field by which the list is ordered, newest first. A sync stops at records that are more than `overlap` seconds older than the newest
   * record of the last complete sync, because they are stored already.
   */
  readonly cursor?: { readonly field: string; readonly overlap: number };
  /**
   * Field that names a record, where records never change, in a list that begins with the newest. A sync stops when it has seen the first
   * record of the last complete sync and has as many records as the platform.
   */
  readonly newestKnown?: string;
  readonly verification?: VerificationPlan;
  readonly each?: SyncEach;
}

/**
 * Reads stored records again by what names them, with all that belongs to them, because some changes move no time: each day one part of
 * them, so that each is read once in so many days.
 */
export interface VerificationPlan {
  /** The action that reads one record. */
  readonly action: Action;
  /** Name of each parameter, with the field of the record that gives its value. */
  readonly params: Readonly<Record<string, string>>;
  readonly days: number;
  readonly batch: SyncBatch;
}

/** Calls the action for each stored record of another entity in the same scope, which is then a parent. */
export interface SyncEach {
  readonly entity: string;
  /** Name of each parameter, with the field of that record that gives its value. */
  readonly params: Readonly<Record<string, string>>;
  /** Parameters of a first call that needs no record, such as the root of a tree. */
  readonly root?: Readonly<Record<string, string | number>>;
  /** Only records whose fields have these values are used. */
  readonly where?: Readonly<Record<string, string | number | boolean>>;
  /** Records whose fields have these values are passed over, because the call would find nothing. */
  readonly unless?: Readonly<Record<string, string | number | boolean | null>>;
  /** Records whose numeric fields are larger than this are passed over. */
  readonly atMost?: Readonly<Record<string, number>>;
  /** A field with a path, and the glob patterns that choose the paths. */
  readonly paths?: { readonly field: string; readonly include: readonly string[]; readonly exclude: readonly string[] };
  /** Field that changes whenever the result may have changed. Nothing is read while it has the value of the last complete sync. */
  readonly changed?: string;
  /** Set where one call reads for several parents. Without it each parent has a call of its own. */
  readonly batch?: SyncBatch;
}
