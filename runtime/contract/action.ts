import type { RecordPlan } from "./record.ts";
import type { Warning } from "./warnings.ts";

/** A path of a field: `"user.login"`, or its keys `["user", "login"]`. */
export type FieldPath = string | readonly string[];

/** What a write answers. */
export interface Answer<Data> {
  readonly data: Data;
  readonly meta: { readonly warnings?: readonly Warning[] };
}

/** Where one record is read, nothing comes behind it; `meta` says so as it does for a list. */
export const onlyPage = { has_next_page: false, end_cursor: null } as const;

/** What a read of one record answers. */
export interface Single<Item> {
  readonly data: Item;
  readonly meta: typeof onlyPage & { readonly warnings?: readonly Warning[] };
}

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: {
    readonly has_next_page: boolean;
    readonly end_cursor: string | null;
    readonly total_count?: number;
    readonly warnings?: readonly Warning[];
  };
}

/** What a compiled ajv validator is: a check that leaves its errors on itself. */
export interface Validator {
  (value: unknown): boolean;
  errors?: null | readonly ValidatorError[];
}

export interface ValidatorError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** A variable of a GraphQL document that is not simply the parameter of the same name. */
export interface VariablePlan {
  /** Texts and, between them, names of parameters: `["", "ref", ":", "path", ""]` for `{ref}:{path}`. */
  readonly template: readonly string[];
  /** Qualifier that is added to a query in the platform's search syntax. */
  readonly qualify?: string;
}

interface GraphqlOperation {
  readonly document: string;
  /** Parameters that are variables of the document under their own name. */
  readonly variables: readonly string[];
  /** Variables that are made from parameters. */
  readonly computed?: Readonly<Record<string, VariablePlan>>;
  /** Response keys from the root to the record, the connection or the list. */
  readonly path: readonly string[];
  readonly record: RecordPlan;
  /** The place holds an abstract type: a record whose `__typename` is not the plan's is something else. */
  readonly narrow?: true;
}

export interface GraphqlGet extends GraphqlOperation {
  readonly kind: "graphql-get";
}

/** How a list is paged. */
export interface Paging {
  /** Parameter that says how many records are wanted. */
  readonly size: string;
  /** Parameter that takes the `end_cursor` of the previous answer. */
  readonly cursor: string;
  /** The most records that one request to the platform may ask for. */
  readonly max: number;
}

/** The paging of an operation; undefined where it does not answer a list, or the whole list at once. */
export function pagingOf(operation: Operation): Paging | undefined {
  switch (operation.kind) {
    case "graphql-get":
      return undefined;
    case "graphql-list":
      return operation.page;
    case "rest":
      return operation.list?.page;
  }
}

export interface GraphqlList extends GraphqlOperation {
  readonly kind: "graphql-list";
  /** Member of the connection that holds the records. Absent where the list itself is the only page. */
  readonly items?: "nodes" | "edges";
  /** How callers and the platform page the list. Absent where the list itself is the only page. */
  readonly page?: Paging;
  /** Member of the connection with the number of all records. */
  readonly total?: string;
  /** `end_cursor` is a string on every page, `""` where there is none. */
  readonly cursorAlways?: true;
  /** Key of `path` at which null means an empty list instead of "not found". */
  readonly empty?: string;
  /** A list of lists: the document reads outer elements with their inner records, and this one the rest of one of them. */
  readonly nested?: { readonly inner: string; readonly rest: string };
}

export interface RestOperation {
  readonly kind: "rest";
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with `{name}` for parameters. */
  readonly path: string;
  readonly query: readonly string[];
  readonly body: readonly string[];
  readonly record: RecordPlan;
  /** The answer is a list; `link` follows RFC 8288 `rel="next"`. */
  readonly list?: { readonly items?: string; readonly page: Paging; readonly by: "link" };
}

/** Outer elements that one call reads of a list of lists. Most hold a few records, so a page of records rarely needs more. */
export const nestedOuterPage = 50;

export type Operation = GraphqlGet | GraphqlList | RestOperation;

/** A row of the spec's transitions: what else may be set together with a state. */
export interface Transition {
  readonly set: Readonly<Record<string, string>>;
  readonly allow: Readonly<Record<string, readonly string[]>>;
}

/** What an action does, as far as the runtime and the generator treat actions differently. */
export interface ActionTraits {
  /** It changes something on the platform: it is sent once, and takes an `Idempotency-Key`. */
  readonly writes: boolean;
  /** It answers a list of records with a page's `meta`; otherwise one record. */
  readonly list: boolean;
  /** It changes a record that exists, so that a call which changes nothing is a mistake of the caller. */
  readonly updates: boolean;
}

/**
 * The one table of the actions that reach a platform. `context_store_search` is not among them, because the store answers it
 * without an operation.
 */
export const actionTraits = {
  get: { writes: false, list: false, updates: false },
  list: { writes: false, list: true, updates: false },
  api_search: { writes: false, list: true, updates: false },
  create: { writes: true, list: false, updates: false },
  update: { writes: true, list: false, updates: true },
} as const satisfies Readonly<Record<string, ActionTraits>>;

export type ActionName = keyof typeof actionTraits;

/** Parameter that every action which reads takes besides its own: nothing is sent, and the answer says what would be. */
export const dryRunParam = "dryRun";

/** The action that the context store answers; every entity has it. */
export const storeAction = "context_store_search";

declare const types: unique symbol;

/** One action of one entity, as data. The type parameters say what it takes and answers; no value carries them. */
export interface Action<Params extends object = object, Result = unknown> {
  /** `issues.list`; stands in logs. */
  readonly name: string;
  readonly traits: ActionTraits;
  readonly params: readonly string[];
  readonly validate: Validator;
  readonly operation: Operation;
  readonly transitions?: readonly Transition[];
  readonly [types]?: { readonly params: Params; readonly result: Result };
}
