import type { CommonMeta, FieldOperator, fieldOperators } from "../contract/index.ts";
import type { EntityTypes } from "./entity-types.ts";
import type { Chosen, Fields } from "./fields.ts";
import type { SnakeCase } from "./names.ts";
import type { CallOptions, WalkOptions } from "./options.ts";

// Types of cached search. They follow from the table of operators, the record, and the types of its searchable fields.

type Operators = typeof fieldOperators;
type Searchable<Of extends EntityTypes> = keyof Of["search"] & string;
/** The fields that have one value, by which records can be ordered. */
export type Single<Of extends EntityTypes> = {
  [Name in Searchable<Of>]: Of["search"][Name] extends `${string}[]` ? never : Name;
}[Searchable<Of>];

interface Scalars {
  readonly string: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly timestamp: string;
}

/** The operand of an operator. */
type Operand<Operator extends FieldOperator, Value> = {
  readonly value: Value;
  readonly nullable: Value | null;
  readonly list: readonly (Value | null)[];
  readonly text: string;
}[Operators[Operator]["operand"]];

/** The type of a field's values, or of the elements of a list field, as the table of operators names them: `string[]` is a list. */
type TypeOf<Type> = Type extends `${infer Element}[]` ? Element : Type;
/** What a field is compared with. It has the type of the record's field, so that an enumeration takes its own values only. */
type Value<Of extends EntityTypes, Name extends Searchable<Of>> = Of["search"][Name] extends `${string}[]`
  ? Scalars[TypeOf<Of["search"][Name]> & keyof Scalars]
  : Name extends keyof Of["record"]
    ? NonNullable<Of["record"][Name]>
    : Scalars[Of["search"][Name] & keyof Scalars];

/** Whether an operator may compare a field of this type. */
type Fits<Operator extends FieldOperator, Type> = Type extends `${string}[]`
  ? Operators[Operator]["lists"] extends true
    ? TypeOf<Type> extends Operators[Operator]["types"][number]
      ? true
      : false
    : false
  : Type extends Operators[Operator]["types"][number]
    ? true
    : false;

/** The fields that an operator may compare, in both spellings, with their operands. */
type Comparison<Of extends EntityTypes, Operator extends FieldOperator> = {
  readonly [Name in Searchable<Of> as Fits<Operator, Of["search"][Name]> extends true ? Name | SnakeCase<Name> : never]?: Operand<
    Operator,
    Value<Of, Name>
  >;
};

/** A condition: operator, then field, then value. Several in one object are joined by *and*. */
export type Filter<Of extends EntityTypes> = {
  readonly [Operator in FieldOperator]?: Comparison<Of, Operator>;
} & {
  readonly not?: Filter<Of>;
  readonly and?: readonly Filter<Of>[];
  readonly or?: readonly Filter<Of>[];
};

/** One key of an order: one field and its direction. */
export type Sort<Of extends EntityTypes> = {
  [Name in Single<Of> | SnakeCase<Single<Of>>]: { readonly [Key in Name]: "asc" | "desc" };
}[Single<Of> | SnakeCase<Single<Of>>];

export interface StoreQuery<Of extends EntityTypes> {
  readonly filter?: Filter<Of>;
  readonly sort?: readonly Sort<Of>[];
}

interface Paged {
  /** The most records of one answer. */
  readonly limit?: number;
  /** `meta.cursor` of the previous response. An empty string means the beginning. */
  readonly cursor?: string;
}

/** A search for records. */
export interface StoreParams<Of extends EntityTypes, Names> extends Paged {
  readonly query: StoreQuery<Of>;
  readonly fields?: Names;
  /** Adds `meta.total_count`, the number of all matching records. */
  readonly count?: boolean;
  /** Adds `meta.plan`, which says how the search ran. */
  readonly explain?: boolean;
}

/** A count of records by the values of one or two fields. */
export interface GroupParams<Of extends EntityTypes, By extends Single<Of>> {
  readonly query: Pick<StoreQuery<Of>, "filter">;
  readonly groupBy: readonly By[];
  readonly limit?: number;
  readonly count?: boolean;
  readonly explain?: boolean;
}

/** A search by meaning. */
export interface SemanticParams<Of extends EntityTypes> extends Paged {
  readonly semantic: {
    readonly field: Of["semantic"] & string;
    readonly prompt: string;
    readonly filter?: Filter<Of>;
    /** Characters of text around each hit. */
    readonly context_size?: number;
    /** `max`, the default: the best passage of each record; `none`: several passages of one record. */
    readonly dedup?: "max" | "none";
    /** Hits that are less similar are left out: -1 to 1. */
    readonly min_similarity?: number;
  };
  readonly fields?: readonly string[];
}

export interface StoreMeta extends CommonMeta {
  readonly has_more: boolean;
  readonly cursor: string | null;
  /** Milliseconds that the search took. */
  readonly took_ms: number | null;
  /** When the last complete sync ended; null before the first. */
  readonly synced_at: string | null;
  readonly total_count?: number;
  readonly plan?: Readonly<Record<string, unknown>>;
}

export interface StorePage<Item> {
  readonly data: readonly Item[];
  readonly meta: StoreMeta;
}

export interface SemanticHit {
  /** The record, with texts only. */
  readonly entity: Readonly<Record<string, string | null>>;
  readonly metadata: {
    readonly score: number;
    readonly context: string;
    /** Where the passage is in the text of the record: offsets as of `text.slice(start, end)`. */
    readonly start: number;
    readonly end: number;
  };
}

/** What a search for records answers. */
export type StoreSearchResult<Of extends EntityTypes, Names> = StorePage<Chosen<Of["record"], Names>>;

/** What a count by the values of fields answers. */
export type GroupResult<Of extends EntityTypes, By extends Single<Of>> = StorePage<
  { readonly [Name in By]: Value<Of, Name> | null } & { readonly count: number }
>;

/** `context_store_search` of one entity. */
export interface StoreSearchMethod<Of extends EntityTypes> {
  <const Names extends Fields<Of["record"]> | undefined = undefined>(
    params: StoreParams<Of, Names>,
    options?: CallOptions,
  ): Promise<StoreSearchResult<Of, Names>>;
  <const By extends Single<Of>>(params: GroupParams<Of, By>, options?: CallOptions): Promise<GroupResult<Of, By>>;
  (params: Of["semantic"] extends string ? SemanticParams<Of> : never, options?: CallOptions): Promise<StorePage<SemanticHit>>;
  /** Walks all pages of a search. */
  all<const Names extends Fields<Of["record"]> | undefined = undefined>(
    params: StoreParams<Of, Names>,
    options?: WalkOptions,
  ): AsyncIterable<Chosen<Of["record"], Names>>;
}
