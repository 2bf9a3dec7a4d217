import type { RecordPlan } from "./record.ts";
import type { Warning } from "./warnings.ts";

/** A path of a field: `"user.login"`, or its keys `["user", "login"]`. */
export type FieldPath = string | readonly string[];

/** What a write answers. */
export interface Answer<Data> {
  readonly data: Data;
  readonly meta: { readonly warnings?: readonly Warning[] };
}

/** The paging members of `meta` for an answer that has no further pages, such as a single record. */
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

/** A compiled ajv validator: a function that checks a value and leaves its errors in its own property `errors`. */
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
  /** Fixed texts and names of parameters in turn: `["", "ref", ":", "path", ""]` stands for `{ref}:{path}`. */
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
  /** Set where the schema has an abstract type at `path`: a record whose `__typename` is not the plan's is not of this entity. */
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

/** The paging of an operation; undefined where it answers one record, or the whole list at once. */
export function pagingOf(
  operation: Pick<GraphqlGet, "kind"> | Pick<GraphqlList, "kind" | "page"> | Pick<RestOperation, "kind" | "list">,
): Paging | undefined {
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
  /** Member of the connection that holds the records. Absent where the platform gives the whole list at once. */
  readonly items?: "nodes" | "edges";
  /** How callers and the platform page the list. Absent where the platform gives the whole list at once. */
  readonly page?: Paging;
  /** Member of the connection with the number of all records. */
  readonly total?: string;
  /** `end_cursor` is a string on every page, `""` where there is none. */
  readonly cursorAlways?: true;
  /** Key of `path` at which null means an empty list instead of "not found". */
  readonly empty?: string;
  /**
   * Set for a list of lists: `document` reads outer elements with their first records in the member `inner`, and the document `rest`
   * reads the remaining records of one outer element.
   */
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

/** How many outer elements of a list of lists one call reads. Most hold a few records, so a page of records rarely needs more. */
export const nestedOuterPage = 50;

export type Operation = GraphqlGet | GraphqlList | RestOperation;

/** A row of the spec's transitions: what else may be set together with a state. */
export interface Transition {
  readonly set: Readonly<Record<string, string>>;
  readonly allow: Readonly<Record<string, readonly string[]>>;
}

/** The properties by which the runtime and the generator treat actions differently. */
export interface ActionTraits {
  /** The action changes something on the platform: it is sent once, and takes an `Idempotency-Key`. */
  readonly writes: boolean;
  /** The action answers a list of records with a page's `meta`; otherwise it answers one record. */
  readonly list: boolean;
  /** The action changes an existing record, so that a call which changes nothing is a mistake of the caller. */
  readonly updates: boolean;
}

/**
 * The one table of the actions that reach a platform. It does not list `context_store_search`, which the store answers without an
 * operation.
 */
export const actionTraits = {
  get: { writes: false, list: false, updates: false },
  list: { writes: false, list: true, updates: false },
  api_search: { writes: false, list: true, updates: false },
  create: { writes: true, list: false, updates: false },
  update: { writes: true, list: false, updates: true },
} as const satisfies Readonly<Record<string, ActionTraits>>;

export type ActionName = keyof typeof actionTraits;

/** Parameter that every action which reads takes besides its own: nothing is sent, and the answer says what would be sent. */
export const dryRunParam = "dryRun";

/** The name of the action that the context store answers. Every entity has it. */
export const storeAction = "context_store_search";

declare const types: unique symbol;

/** One action of one entity, as data. The type parameters say what the action takes and answers; they exist only at compile time. */
export interface Action<Params extends object = object, Result = unknown> {
  /** For messages and logs, such as `issues.list`. */
  readonly name: string;
  readonly traits: ActionTraits;
  readonly params: readonly string[];
  readonly validate: Validator;
  readonly operation: Operation;
  readonly transitions?: readonly Transition[];
  readonly [types]?: { readonly params: Params; readonly result: Result };
}
