import type { Action, CommonMeta } from "../contract/index.ts";
import type { Changes } from "./changes.ts";
import type { ConnectorTypes, EntityTypes } from "./entity-types.ts";
import type { Chosen, Fields } from "./fields.ts";
import type { SnakeCase } from "./names.ts";
import type { CallOptions, WalkOptions } from "./options.ts";
import type {
  GroupParams,
  GroupResult,
  SemanticHit,
  SemanticParams,
  Single,
  StorePage,
  StoreParams,
  StoreSearchMethod,
  StoreSearchResult,
} from "./search.ts";
import type { RunSql, SqlOptions, SqlResult, SqlRow } from "./sql.ts";

// Types of a client's methods. They follow from the types of the generated handlers.

type ParamsOf<Handler> = Handler extends Action<infer Params, unknown> ? Omit<Params, "fields"> : never;
type ResultOf<Handler> = Handler extends Action<infer _Params, infer Result> ? Result : never;
type ItemOf<Result> = Result extends { readonly data: readonly (infer Item)[] }
  ? Item
  : Result extends { readonly data: infer Item }
    ? Item
    : never;

/** The result with the chosen fields only. */
type Shaped<Result, Names> = Result extends { readonly data: readonly (infer Item)[]; readonly meta: infer Meta }
  ? { readonly data: readonly Chosen<Item, Names>[]; readonly meta: Meta }
  : Result extends { readonly data: infer Item; readonly meta: infer Meta }
    ? { readonly data: Chosen<Item, Names>; readonly meta: Meta }
    : never;

/** What a read with `dryRun: true` answers: nothing was sent. */
export interface DryRun {
  readonly data: null;
  readonly meta: CommonMeta & {
    readonly document: string;
    readonly variables: Readonly<Record<string, unknown>>;
    /** Points that the call would take from the platform's budget; null where the platform has no rule for it. */
    readonly points: number | null;
  };
}

type Given<Params, Names, Dry> = Params & { readonly fields?: Names; readonly dryRun?: Dry };
type Read<Result, Names, Dry> = Dry extends true ? DryRun : Shaped<Result, Names>;

type ReadWith<Params, Result> = <const Names extends Fields<ItemOf<Result>> | undefined = undefined, Dry extends boolean = false>(
  params: Given<Params, Names, Dry>,
  options?: CallOptions,
) => Promise<Read<Result, Names, Dry>>;

type ReadWithout<Params, Result> = <
  const Names extends Fields<ItemOf<Result>> | undefined = undefined,
  Dry extends boolean = false,
>(
  params?: Given<Params, Names, Dry>,
  options?: CallOptions,
) => Promise<Read<Result, Names, Dry>>;

/** The type of a method, as which a local client, whose writes have fewer options, fits where a client of either mode is expected. */
type WriteWith<Params, Result, Options> = {
  write<const Names extends Fields<ItemOf<Result>> | undefined = undefined>(
    params: Params & { readonly fields?: Names },
    options?: Options,
  ): Promise<Shaped<Result, Names>>;
}["write"];

interface WalkWith<Params, Result> {
  /** Walks all pages. */
  all<const Names extends Fields<ItemOf<Result>> | undefined = undefined>(
    params: Params & { readonly fields?: Names },
    options?: WalkOptions,
  ): AsyncIterable<Chosen<ItemOf<Result>, Names>>;
}

interface WalkWithout<Params, Result> {
  /** Walks all pages. */
  all<const Names extends Fields<ItemOf<Result>> | undefined = undefined>(
    params?: Params & { readonly fields?: Names },
    options?: WalkOptions,
  ): AsyncIterable<Chosen<ItemOf<Result>, Names>>;
}

/** Parameters that none is required of may be left out. */
type Nothing = Record<never, never>;

/** A read's `meta` says whether there are more pages, a write's does not. */
type Method<Params, Result, Options> = Result extends { readonly meta: { readonly has_next_page: boolean } }
  ? (Nothing extends Params ? ReadWithout<Params, Result> : ReadWith<Params, Result>) &
      (Result extends { readonly data: readonly unknown[] }
        ? Nothing extends Params
          ? WalkWithout<Params, Result>
          : WalkWith<Params, Result>
        : unknown)
  : WriteWith<Params, Result, Options>;

/** The methods of one entity. */
export type EntityClient<Of extends EntityTypes, Options = CallOptions> = {
  readonly [Name in keyof Of["actions"]]: Method<ParamsOf<Of["actions"][Name]>, ResultOf<Of["actions"][Name]>, Options>;
} & {
  /** Searches the records that a sync has stored. */
  readonly contextStoreSearch: StoreSearchMethod<Of>;
};

type EntityOf<Entities extends ConnectorTypes<Entities>> = Entities[keyof Entities];
/** The name of an entity in requests. */
export type EntityName<Entities extends ConnectorTypes<Entities>> = EntityOf<Entities>["name"];
type Named<Entities extends ConnectorTypes<Entities>, Name> = Extract<EntityOf<Entities>, { readonly name: Name }>;
type StoreAction = "context_store_search";

/** The name of an action in requests. */
export type ActionNameOf<Entities extends ConnectorTypes<Entities>, Name> =
  | SnakeCase<keyof Named<Entities, Name>["actions"] & string>
  | StoreAction;

type HandlerOf<Of extends EntityTypes, Action> = {
  [Name in keyof Of["actions"]]: SnakeCase<Name & string> extends Action ? Of["actions"][Name] : never;
}[keyof Of["actions"]];

/** Whether an action reads. A read's `meta` says whether there are more pages, a write's does not. */
type Reads<Handler> = ResultOf<Handler> extends { readonly meta: { readonly has_next_page: boolean } } ? true : false;

/** The record of which an action's `fields` choose. */
type ExecuteItem<Entities extends ConnectorTypes<Entities>, Name, Action> = Action extends StoreAction
  ? Named<Entities, Name>["record"]
  : ItemOf<ResultOf<HandlerOf<Named<Entities, Name>, Action>>>;

/** What {@link Execute} takes. */
export type ExecuteParams<Entities extends ConnectorTypes<Entities>, Name, Action, Names, Dry> = Action extends StoreAction
  ? StoreParams<Named<Entities, Name>, Names>
  : Reads<HandlerOf<Named<Entities, Name>, Action>> extends true
    ? Given<ParamsOf<HandlerOf<Named<Entities, Name>, Action>>, Names, Dry>
    : ParamsOf<HandlerOf<Named<Entities, Name>, Action>> & { readonly fields?: Names };

/** What {@link Execute} answers. */
export type ExecuteResult<Entities extends ConnectorTypes<Entities>, Name, Action, Names, Dry> = Action extends StoreAction
  ? StoreSearchResult<Named<Entities, Name>, Names>
  : Read<ResultOf<HandlerOf<Named<Entities, Name>, Action>>, Names, Dry>;

/** The entities that have search by meaning. */
type SemanticName<Entities extends ConnectorTypes<Entities>> = Extract<EntityOf<Entities>, { readonly semantic: string }>["name"];

interface Executes<Entities extends ConnectorTypes<Entities>, Options> {
  execute<Name extends EntityName<Entities>, const By extends Single<Named<Entities, Name>>>(
    entity: Name,
    action: StoreAction,
    params: GroupParams<Named<Entities, Name>, By>,
    options?: Options,
  ): Promise<GroupResult<Named<Entities, Name>, By>>;
  execute<Name extends SemanticName<Entities>>(
    entity: Name,
    action: StoreAction,
    params: SemanticParams<Named<Entities, Name>>,
    options?: Options,
  ): Promise<StorePage<SemanticHit>>;
  execute(
    entity: EntityName<Entities>,
    action: "context_store_sql_query",
    params: Pick<SqlOptions, "limit" | "explain"> & { readonly sql: string },
    options?: Options,
  ): Promise<SqlResult<SqlRow>>;
  execute<
    Name extends EntityName<Entities>,
    Action extends ActionNameOf<Entities, Name>,
    const Names extends Fields<ExecuteItem<Entities, Name, Action>> | undefined = undefined,
    Dry extends boolean = false,
  >(
    entity: Name,
    action: Action,
    params: ExecuteParams<Entities, Name, Action, Names, Dry>,
    options?: Options,
  ): Promise<ExecuteResult<Entities, Name, Action, Names, Dry>>;
}

/** Runs the action of a request's triple: entity, action and params, with the names that they have in requests. */
export type Execute<Entities extends ConnectorTypes<Entities>, Options = CallOptions> = Executes<Entities, Options>["execute"];

/**
 * A client of a connector: a property for each entity, with a method for each of its actions. `Options` are those of its writes: in local
 * mode they have no `idempotencyKey`.
 */
export type Client<Entities extends ConnectorTypes<Entities>, Options = CallOptions> = {
  readonly [Property in keyof Entities]: EntityClient<Entities[Property], Options>;
} & {
  readonly execute: Execute<Entities, Options>;
  readonly sql: RunSql;
  readonly changes: Changes<EntityName<Entities>>;
};
