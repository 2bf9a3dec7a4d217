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

export interface GraphqlList extends GraphqlOperation {
  readonly kind: "graphql-list";
  /** Member of the connection that holds the records. Absent: the list itself is the only page. */
  readonly items?: "nodes" | "edges";
  /** Parameter that says how many records are wanted. */
  readonly size?: string;
  /** The most records one request to the platform may ask for. */
  readonly pageLimit?: number;
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
  readonly list?: { readonly items?: string; readonly size: string; readonly by: "link" };
}

/** Outer elements that one call reads of a list of lists. Most hold a few records, so a page of records rarely needs more. */
export const nestedOuterPage = 50;

export type Operation = GraphqlGet | GraphqlList | RestOperation;

/** A row of the spec's transitions: what else may be set together with a state. */
export interface Transition {
  readonly set: Readonly<Record<string, string>>;
  readonly allow: Readonly<Record<string, readonly string[]>>;
}

/** What runs the operations. The handlers know no more of the runtime than this. */
export interface ActionContext {
  get<Item>(action: string, operation: GraphqlGet, params: object): Promise<Single<Item>>;
  list<Item>(action: string, operation: GraphqlList, params: object): Promise<Page<Item>>;
  rest<Data>(action: string, operation: RestOperation, params: object): Promise<Data>;
}

/** Action names of the interface; `context_store_search` is not among them, because the store answers it without an operation. */
export type ActionName = "get" | "list" | "api_search" | "create" | "update";

/** One action of one entity: its checks and its handler. */
export interface Action<Params extends object = object, Result = unknown> {
  /** `issues.list`; stands in logs. */
  readonly name: string;
  readonly params: readonly string[];
  readonly validate: Validator;
  readonly operation: Operation;
  readonly transitions?: readonly Transition[];
  /** Calls the platform. The params must have passed `validate`. */
  run(params: Params, context: ActionContext): Promise<Result>;
}

type Definition<Params extends object, Kind extends Operation> = Omit<Action<Params>, "run" | "operation"> & {
  readonly operation: Kind;
};

export function getAction<Params extends object, Item>(definition: Definition<Params, GraphqlGet>): Action<Params, Single<Item>> {
  return { ...definition, run: (params, context) => context.get<Item>(definition.name, definition.operation, params) };
}

export function listAction<Params extends object, Item>(definition: Definition<Params, GraphqlList>): Action<Params, Page<Item>> {
  return { ...definition, run: (params, context) => context.list<Item>(definition.name, definition.operation, params) };
}

export function restAction<Params extends object, Data>(definition: Definition<Params, RestOperation>): Action<Params, Data> {
  return { ...definition, run: (params, context) => context.rest<Data>(definition.name, definition.operation, params) };
}
