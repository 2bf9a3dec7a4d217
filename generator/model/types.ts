import type {
  ActionTraits,
  CompatPlan,
  FieldPlan,
  GraphqlGet,
  GraphqlList,
  GraphqlWrite,
  OverflowPlan,
  PlatformPlan,
  Relation,
  RestOperation,
  ScopePlan,
  SearchField,
  StorePlan,
  SyncPlan,
  Transition,
  VerificationPlan,
  WebhookPlan,
} from "../../runtime/contract/index.ts";
import type { ConnectorSpec, ErrorSpec, TransitionSpec } from "../load/spec.ts";

// The model: a spec after everything is resolved, defaulted and checked. Emitters read nothing else.

export const scalarTypes = ["string", "integer", "number", "boolean", "timestamp", "date", "id", "object", "json"] as const;
export type ScalarType = (typeof scalarTypes)[number];

/** Types whose values have names and forms of the platform's own, which nothing compares or names. */
export function isOpen({ kind, name }: TypeReference): boolean {
  return kind === "scalar" && (name === "object" || name === "json");
}

export interface TypeReference {
  readonly kind: "scalar" | "enum" | "type";
  /** A {@link ScalarType}, or the name of an enum or type. */
  readonly name: string;
  readonly list: boolean;
  readonly nullable: boolean;
}

export interface EnumModel {
  readonly name: string;
  readonly doc: string;
  readonly values: readonly { readonly value: string; readonly doc: string }[];
}

export interface FieldModel {
  readonly name: string;
  readonly doc: string;
  readonly type: TypeReference;
  /** How cached search looks it up; undefined when it does not. */
  readonly search: SearchField | undefined;
  readonly semantic?: { readonly window: number };
  readonly onRequest: boolean;
  readonly scope?: string;
  readonly example?: unknown;
  /** The emitted plan, without `of`, which is a name until it is printed. */
  readonly plan: Omit<FieldPlan, "of">;
}

/** A record of an entity, an object inside one, or the answer of a REST call. */
export interface TypeModel {
  readonly name: string;
  readonly doc: string;
  /** Paths of the fields that tell what was written. */
  readonly brief?: readonly string[];
  readonly on?: string;
  readonly fields: readonly FieldModel[];
  /** Entity whose module declares it; undefined for the connector's shared module. */
  readonly home: string | undefined;
}

export interface ParamModel {
  readonly name: string;
  readonly doc: string;
  readonly type: TypeReference;
  /** Name under which the platform takes it. Default: its own. */
  readonly sentAs?: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly range?: readonly [number, number];
  readonly length?: readonly [number, number];
  /** Characters that the text never has. */
  readonly excludes?: string;
  readonly items?: readonly [number, number];
  /** Members of the object, or of each object of the list; absent where any object is accepted. */
  readonly members?: readonly ParamModel[];
  /** The text is base64. */
  readonly base64?: true;
  /** The object is a file that is uploaded. */
  readonly file?: true;
  /** What is sent for the text. */
  readonly as?: unknown;
  readonly example?: unknown;
}

/** The emitted operations, without the plan of the record, which is printed as a name. */
export type OperationModel =
  | Omit<GraphqlGet, "record">
  | Omit<GraphqlList, "record">
  | Omit<GraphqlWrite, "record">
  | Omit<RestOperation, "record">;

export interface ActionModel {
  readonly name: string;
  readonly traits: ActionTraits;
  readonly entity: string;
  readonly doc: string;
  /** It is not part of the interface that connectors of its kind promise. */
  readonly addition: boolean;
  readonly params: readonly ParamModel[];
  readonly operation: OperationModel;
  readonly returns: TypeModel;
  /** Of an update: the parameters that change something. */
  readonly changes: readonly string[];
  readonly transitions: readonly Transition[];
}

/** The emitted plan of a sync, except that the action is a name until it is printed. */
export interface SyncModel extends Omit<SyncPlan, "action" | "verification"> {
  readonly action: "get" | "list" | "sync";
  readonly verification?: Omit<VerificationPlan, "action"> & { readonly action: string };
}

export interface EntityModel {
  readonly name: string;
  readonly title: string;
  readonly doc: string;
  /** Spec file that it comes from, as shown in generated headers. */
  readonly file: string;
  readonly record: TypeModel;
  /** The record, where the entity declares it: no other has it, and it is not only what an action answers. */
  readonly ownRecord: readonly TypeModel[];
  readonly store: StorePlan;
  /** All its actions are additions. */
  readonly addition: boolean;
  readonly aliases: readonly string[] | undefined;
  /** Paths of the fields that tell what a record is. */
  readonly brief: readonly string[];
  readonly sync: readonly SyncModel[];
  /** How its table joins with others in SQL. */
  readonly relations: readonly Relation[];
  /** How the rest of the record's searchable lists is read. */
  readonly overflow?: OverflowPlan;
  /** Entity whose record it shares. */
  readonly like: string | undefined;
  readonly enums: readonly EnumModel[];
  readonly types: readonly TypeModel[];
  /** Those that callers may request. */
  readonly actions: readonly ActionModel[];
  /** Reads records for the cache only; callers cannot ask for it. */
  readonly syncAction: ActionModel | undefined;
  readonly transitions: readonly TransitionSpec[];
}

export interface ConnectorModel {
  readonly name: string;
  readonly title: string;
  readonly doc: string;
  readonly file: string;
  readonly example: ConnectorSpec["example"];
  /** Each way to give a credential: its name where there are several, what it is, and its environment variables. */
  readonly auth: readonly { readonly kind: string | undefined; readonly doc: string; readonly env: readonly string[] }[];
  readonly platform: PlatformPlan;
  readonly compat: CompatPlan | undefined;
  /** Package from which generated code imports the runtime; absent where it imports the sources of this repository. */
  readonly library?: string;
  /** Address of the module that simulates the platform, as the connector's generated code names it. */
  readonly simulator?: string;
  readonly errors: { readonly graphql: Readonly<Record<string, ErrorSpec>>; readonly rest: Readonly<Record<string, ErrorSpec>> };
  readonly scopes: Readonly<Record<string, ScopePlan>>;
  readonly webhooks: WebhookPlan | undefined;
  readonly enums: readonly EnumModel[];
  readonly types: readonly TypeModel[];
  readonly entities: readonly EntityModel[];
}

/** Finds a type by its name. */
export type TypeLookup = (name: string) => TypeModel | undefined;
