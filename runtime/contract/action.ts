import type { FailureCondition } from "./condition.ts";
import type { RecordPlan } from "./record.ts";
import type { Warning } from "./warnings.ts";

/** A path of a field: `"user.login"`, or its keys `["user", "login"]`. */
export type FieldPath = string | readonly string[];

/** Members that `meta` of every response may have. */
export type CommonMeta = {
  readonly warnings?: readonly Warning[];
  /** Set where the platform is simulated, so that the data is invented. Responses with real data do not have it. */
  readonly simulated?: true;
};

/** What a write answers. */
export interface Answer<Data> {
  readonly data: Data;
  readonly meta: CommonMeta & {
    /** The write was done by an earlier request with this idempotency key, whose answer this is. Nothing was sent. */
    readonly replayed?: true;
  };
}

/** The paging members of `meta` for an answer that has no further pages, such as a single record. */
export const onlyPage = { has_next_page: false, end_cursor: null } as const;

/** What a read of one record answers. */
export interface Single<Item> {
  readonly data: Item;
  readonly meta: typeof onlyPage & CommonMeta;
}

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: CommonMeta & {
    readonly has_next_page: boolean;
    readonly end_cursor: string | null;
    readonly total_count?: number;
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
export type VariablePlan = TextVariable | InputVariable;

/** The parameters that a variable is made of. */
export function variableParams(plan: VariablePlan): readonly string[] {
  return "input" in plan ? plan.input.map((one) => sentParam(one).param) : plan.template.filter((_, index) => index % 2 === 1);
}

export interface TextVariable {
  /** Fixed texts and names of parameters in turn: `["", "ref", ":", "path", ""]` stands for `{ref}:{path}`. */
  readonly template: readonly string[];
  /** Qualifier that is added to a query in the platform's search syntax. */
  readonly qualify?: string;
}

/** A variable that is an input object. Each parameter that the caller sent is one of its fields. */
export interface InputVariable {
  readonly input: readonly SentParam[];
}

/**
 * A parameter, and how it is sent. A text stands for a parameter that is sent under its own name. `name` is a path of keys
 * (`owner.id`, `people[0].id`) in a body or an input object, and otherwise the name that the platform has for the parameter.
 */
export type SentParam =
  | string
  | {
      readonly param: string;
      readonly name: string;
      /**
       * How a list or an object stands in a query or a form. `repeat`: the name once for each element, or each member under its own name.
       * `brackets`: `name[0]` and `name[key]`. `json`: as JSON. Anything else joins the elements, or the names and values of members.
       */
      readonly join?: string;
      /** The members that the object may have, and how each is sent. Any object is sent as it is where they are absent. */
      readonly members?: readonly SentParam[];
      /** The object is a file: its name, its content in base64 and its media type. */
      readonly file?: true;
      /** Template of what is sent: `{text}` is replaced by the text, and a list element with `{line}` is repeated for each line of it. */
      readonly as?: unknown;
    };

/** The parameter, the name it is sent under, and how a list or an object is sent. */
export function sentParam(sent: SentParam): Exclude<SentParam, string> {
  return typeof sent === "string" ? { param: sent, name: sent } : sent;
}

/** Whether two names of the platform are one place, or one is inside the other: `owner` and `owner.id`. */
export function isSamePlace(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long === short || long.startsWith(`${short}.`) || (long.startsWith(`${short}[`) && !long.endsWith("[]"));
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
  /** Set where the schema has an abstract type at `path`: a record whose `__typename` is not one of these is not of this entity. */
  readonly narrow?: readonly string[];
}

export interface GraphqlGet extends GraphqlOperation {
  readonly kind: "graphql-get";
}

/** A mutation. Where its payload says that nothing was done, the call has failed although the platform reports no error. */
export interface GraphqlWrite extends GraphqlOperation {
  readonly kind: "graphql-write";
  /** Path of a boolean that is false when nothing was done. */
  readonly success?: readonly string[];
  /** Path of the list of the caller's mistakes in the payload, and the members of one of them. */
  readonly mistakes?: { readonly path: readonly string[]; readonly field?: string; readonly code?: string };
}

/** How a list is paged. */
export interface Paging {
  /** Parameter that says how many records are wanted. */
  readonly size: string;
  /** Parameter that takes the `end_cursor` of the previous response. */
  readonly cursor: string;
  /** The most records that one request to the platform may ask for. */
  readonly max: number;
}

/** The paging of an operation; undefined where it answers one record, or the whole list at once. */
export function pagingOf(
  operation: Pick<GraphqlGet | GraphqlWrite, "kind"> | Pick<GraphqlList, "kind" | "page"> | Pick<RestOperation, "kind" | "list">,
): Paging | undefined {
  switch (operation.kind) {
    case "graphql-get":
    case "graphql-write":
      return undefined;
    case "graphql-list":
      return operation.page;
    case "rest":
      return operation.list?.page;
  }
}

/**
 * Whether the pages of a list may differ in size: its cursor is the place of a record. The number of a page stands for another record when
 * the size changes, and an address has the size in it.
 */
export function hasAnySize(operation: Operation): boolean {
  switch (operation.kind) {
    case "graphql-list":
      return operation.page !== undefined;
    case "rest":
      return operation.list?.page !== undefined && ["cursor", "offset"].includes(operation.list.by.kind);
    case "graphql-get":
    case "graphql-write":
      return false;
  }
}

/** Whether a list comes to its end whatever it has: its pages are spans of time, and its first cursor names the end of the last one. */
export function hasOwnEnd(operation: Operation): boolean {
  return operation.kind === "rest" && operation.list?.by.kind === "window";
}

/**
 * Whether the pages of a list may be counted. What follows a record that is removed while the list is read then moves to the page before,
 * which was read already. The address of a next page often has nothing but its number.
 */
export function mayShift(operation: Operation): boolean {
  const { kind = "single" } = (operation.kind === "rest" && operation.list?.by) || {};
  return ["number", "offset", "link", "address"].includes(kind);
}

/** What the generator selects in the connection of a list; it is nowhere else in the document of a list without inner lists. */
export const pageInfo = "pageInfo{hasNextPage endCursor}";

export interface GraphqlList extends GraphqlOperation {
  readonly kind: "graphql-list";
  /** Member of the connection that holds the records. Absent where the platform gives the whole list at once. */
  readonly items?: "nodes" | "edges";
  /** How callers and the platform page the list. Absent where the platform gives the whole list at once. */
  readonly page?: Paging;
  /** Member of the connection with the number of all records. */
  readonly total?: string;
  /** Every connection of the list has `totalCount`, which is read for callers who want it. */
  readonly counts?: true;
  /** `end_cursor` is a string on every page, `""` where there is none. */
  readonly cursorAlways?: true;
  /** Path to a boolean: where it is true, a list that is missing counts as empty. Only for lists without pages. */
  readonly emptyWhen?: string;
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
  readonly query: readonly SentParam[];
  readonly body: readonly SentParam[];
  readonly headers?: readonly SentParam[];
  /** What every call sends beside the parameters: by names of the query, and by paths of keys in the body, below `bodyAt`. */
  readonly fixed?: { readonly query?: Readonly<Record<string, string>>; readonly body?: Readonly<Record<string, unknown>> };
  /** Path of keys in the body below which the parameters stand. */
  readonly bodyAt?: string;
  /** The body is sent as a form, or in parts of which each has a type of its own (RFC 7578), and not as JSON. */
  readonly form?: true;
  readonly multipart?: true;
  /** Name of the limit of this call alone, in the platform's `rateLimit.calls`. */
  readonly limit?: string;
  /** The platform redirects to an address, which is not followed: it is this member of the record that is read. */
  readonly redirect?: string;
  /** The call starts a job, whose end is waited for. */
  readonly poll?: JobPoll;
  /** Path of keys in the answer that leads to the record, or to the list. Default: the answer itself. */
  readonly answer?: string;
  readonly record: RecordPlan;
  /** The answer is a list. Without `page` the platform gives the whole list at once. */
  readonly list?: {
    readonly page?: Paging;
    readonly by: RestPaging;
    /** Path of keys in the answer to a boolean that is true where the platform left records out. */
    readonly incomplete?: string;
  };
}

/** How a job that a call has started is read until it has ended. */
export interface JobPoll {
  /** Path of a GET with `{name}` for places. */
  readonly path: string;
  /** For each place: a parameter of the action, or a path of keys in the answer of the call. */
  readonly places: Readonly<Record<string, { readonly param: string } | { readonly answer: string }>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Milliseconds between two reads. */
  readonly every: number;
  /** The job has ended, or has failed, when one of these conditions holds. */
  readonly until: readonly FailureCondition[];
  readonly failed?: readonly FailureCondition[];
  /** Where a job that failed says why: a path of keys. */
  readonly message?: string;
}

/** How the platform divides a list into pages, and how it says where the next one is. Paths are paths of keys in the answer. */
export type RestPaging =
  /** The whole list at once. */
  | { readonly kind: "single" }
  /** The header `Link` has the address of the next page (RFC 8288). */
  | { readonly kind: "link" }
  /** The answer has the address of the next page. */
  | { readonly kind: "address"; readonly next: string }
  /** The answer, or one of its headers, has the text or number that leads to the next page. */
  | (PageParam & { readonly kind: "cursor"; readonly next: string; readonly header?: true; readonly end?: EndFlag })
  /** The call says how many records come before the page. */
  | (PageParam & { readonly kind: "offset"; readonly end: PageEnd })
  /**
   * The call names a span of time: its start in `param` and its end in `until`, which `inclusive` says belongs to the span. The first span
   * begins at the caller's own parameter `since`, and the last one ends at `before` or at the present. A span is `length` milliseconds
   * long, and shorter where it has as many records as a page may have.
   */
  | (PageParam & {
      readonly kind: "window";
      readonly until: string;
      readonly since: string;
      readonly before?: string;
      readonly length: number;
      readonly as: TimeForm;
      readonly inclusive?: true;
    })
  /** The call has the number of the page, counted from `first`. */
  | (PageParam & { readonly kind: "number"; readonly first: number; readonly end: PageEnd });

/** How a platform takes a point in time: in seconds or milliseconds since 1970, or as a date or time of ISO 8601. */
export type TimeForm = "seconds" | "milliseconds" | "date" | "timestamp";

/** What leads to a page: a parameter of the query, or with `body` a path of keys in the body. */
interface PageParam {
  readonly param: string;
  readonly body?: true;
}

/** A boolean that says whether a page is the last one: at `more` it is false on that page, at `last` it is true. */
export type EndFlag = { readonly more: string } | { readonly last: string };

/**
 * How a platform without cursors says that a page is the last one: by a boolean, by the number of all records at `total`, by the number of
 * all pages at `pages`, or (`short`) by a page with fewer records than were requested and than the pages before it have.
 */
export type PageEnd = EndFlag | { readonly total: string } | { readonly pages: string } | "short" | "empty";

/** How many outer elements of a list of lists one call reads. Most hold a few records, so a page of records rarely needs more. */
export const nestedOuterPage = 50;

export type Operation = GraphqlGet | GraphqlList | GraphqlWrite | RestOperation;

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
  /** Done twice, the action has the effect of having been done once: a write that was lost may be sent again. */
  readonly idempotent: boolean;
}

/**
 * The actions that every connector may have. A spec may declare others, such as `delete` and `archive`, and say what they do. The table
 * does not list `context_store_search`, which the store answers without an operation.
 */
export const actionTraits = {
  get: { writes: false, list: false, updates: false, idempotent: true },
  list: { writes: false, list: true, updates: false, idempotent: true },
  api_search: { writes: false, list: true, updates: false, idempotent: true },
  create: { writes: true, list: false, updates: false, idempotent: false },
  update: { writes: true, list: false, updates: true, idempotent: false },
} as const satisfies Readonly<Record<string, ActionTraits>>;

/** An action of the table. */
export type CommonAction = keyof typeof actionTraits;

/** Parameter that every action which reads takes besides its own: nothing is sent, and the answer says what would be sent. */
export const dryRunParam = "dryRun";

/** The name of the action that searches the cached records of an entity. */
export const storeAction = "context_store_search";
/** The name of the action that runs a statement of SQL over all cached entities of the instance. */
export const sqlAction = "context_store_sql_query";

/** The actions that an entity has because syncs fill the cache with its records. One that is only read live has none. */
export function storeActionsOf({ sync }: { readonly sync: readonly unknown[] }): readonly string[] {
  return sync.length === 0 ? [] : [storeAction, sqlAction];
}

/** Whether the context store answers an action, without the platform. */
export function isStoreAction(action: unknown): action is typeof storeAction | typeof sqlAction {
  return action === storeAction || action === sqlAction;
}

/** The member with which OpenAPI marks what is not part of the interface that connectors of its kind promise. */
export const additionKey = "x-tenon-addition";

/**
 * What the schemas of an action are called in OpenAPI: `issues.get.params`, `issues.get.request`, `issues.get.answer`. An action that is
 * the same for all entities has schemas of its own.
 */
export function schemaNames(entity: string, action: string) {
  const base = action === sqlAction ? "tenon.sql" : `${entity}.${action}`;
  return { params: `${base}.params`, request: `${base}.request`, answer: `${base}.answer` };
}

declare const types: unique symbol;

/** One action of one entity, as data. The type parameters say what the action takes and answers; they exist only at compile time. */
export interface Action<Params extends object = object, Result = unknown> {
  /** For messages and logs, such as `issues.list`. */
  readonly name: string;
  readonly traits: ActionTraits;
  readonly params: readonly string[];
  readonly validate: Validator;
  readonly operation: Operation;
  /** Of an action that updates: the parameters that change something. The others only say which record is meant. */
  readonly changes?: readonly string[];
  readonly transitions?: readonly Transition[];
  readonly [types]?: { readonly params: Params; readonly result: Result };
}
