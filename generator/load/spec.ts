import type {
  BodySignature,
  FailureCondition,
  RateLimitRules,
  SearchIndex,
  TimeForm,
  WebhookPlan,
} from "../../runtime/contract/index.ts";

// The shape of a spec that connector.schema.json accepts. That file says what each key means.

export interface FieldSpec {
  readonly type?: string;
  readonly from?: string;
  readonly param?: string;
  readonly first?: number;
  readonly cut?: string;
  readonly as?: ConversionSpec;
  readonly search?: SearchIndex | "none" | ListSearchSpec;
  readonly semantic?: { readonly window: number };
  readonly onRequest?: boolean;
  readonly scope?: string;
  readonly doc?: string;
  readonly example?: unknown;
}

/** How a list of objects is searched: by a member of each. */
export interface ListSearchSpec {
  readonly by: string | readonly string[];
  readonly index?: "exact" | "name";
}

export type ConversionSpec =
  | "lower"
  | "upper"
  | "integer"
  | "string"
  | "seconds"
  | "milliseconds"
  | "id"
  | "expanded"
  | "text"
  | "html"
  | "markdown"
  | { readonly map: Readonly<Record<string, string>> }
  | { readonly restUrl: string };

export interface ParamSpec {
  readonly type?: string;
  readonly name?: string;
  readonly required?: boolean;
  readonly default?: unknown;
  readonly range?: readonly [number, number];
  readonly excludes?: string;
  readonly length?: readonly [number, number];
  readonly items?: readonly [number, number];
  readonly members?: Readonly<Record<string, ParamSpec | null>>;
  readonly as?: unknown;
  readonly doc?: string;
  readonly example?: unknown;
}

export interface EnumSpec {
  readonly doc: string;
  readonly values: Readonly<Record<string, string>>;
}

export interface TypeSpec {
  readonly doc: string;
  readonly brief?: readonly string[];
  readonly on?: string;
  readonly fields: Readonly<Record<string, FieldSpec | null>>;
}

export interface ErrorSpec {
  readonly code: string;
  readonly retry?: boolean;
  readonly shrink?: boolean;
  readonly doc: string;
}

export interface AuthSpec extends PlaceSpec {
  readonly kind?: string;
  readonly env: string | Readonly<Record<string, string>>;
  readonly oauth?: OauthSpec;
  readonly app?: string;
  readonly forms?: readonly FormSpec[];
  readonly sign?: SignSpec;
  readonly doc: string;
  readonly secrets?: readonly string[];
}

/** Where a credential stands: one of the three, and a text. */
export interface PlaceSpec {
  readonly header?: string;
  readonly query?: string;
  readonly basic?: string;
  readonly value?: string;
}

export interface FormSpec extends PlaceSpec {
  readonly matches: string;
}

export interface SignSpec extends Partial<Pick<BodySignature, "algorithm" | "encoding" | "prefix">> {
  readonly header: string;
  readonly of: string;
  readonly with: string;
  readonly timestamp?: { readonly header: string; readonly as?: "seconds" | "milliseconds" };
}

export interface OauthSpec {
  readonly authorize: string;
  readonly token: string;
  readonly refresh?: string;
  readonly derive?: Readonly<Record<string, string>>;
  readonly client?: "form" | "basic";
  readonly scopes?: readonly string[];
  readonly refused?: readonly string[];
}

export interface VariablePartSpec {
  readonly env: string;
  readonly doc: string;
  readonly default?: string;
  readonly example?: string;
}

export interface GraphqlApiSpec {
  readonly url: string;
  readonly env?: string;
  readonly derive?: Readonly<Record<string, string>>;
  readonly schema: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly scalars?: Readonly<Record<string, string>>;
}

export interface RestApiSpec {
  readonly url: string;
  readonly env?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotency?: string;
  readonly overrides?: Readonly<Record<string, object>>;
}

export interface PlatformSpec {
  readonly auth: AuthSpec | readonly AuthSpec[];
  readonly variables?: Readonly<Record<string, VariablePartSpec>>;
  readonly graphql?: GraphqlApiSpec;
  readonly rest?: RestApiSpec;
  readonly rateLimit?: Partial<RateLimitRules>;
  readonly sso?: { readonly header: string; readonly required: string; readonly partial: string; readonly extension: string };
  readonly limits?: { readonly nodes: number; readonly defaultNodes: number };
}

export interface ScopeSpec {
  readonly params: readonly string[];
  readonly doc: string;
  readonly example?: string;
  readonly ignoreCase?: true;
  readonly field?: string;
  readonly changeCheck?: string;
}

/** `webhooks` as it is written: the plan, and a file with examples. */
export interface WebhooksSpec extends WebhookPlan {
  readonly examples?: string;
}

export interface RequestSpec {
  readonly entity: string;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface CompatSpec {
  readonly definition_id: string;
  readonly check?: { readonly asks: RequestSpec; readonly runs: RequestSpec };
}

export interface ConnectorSpec {
  readonly connector: string;
  readonly title: string;
  readonly doc: string;
  readonly example: RequestSpec;
  readonly platform: PlatformSpec;
  readonly compat?: CompatSpec;
  readonly simulator?: string;
  readonly errors?: {
    readonly when?: FailureCondition | readonly FailureCondition[];
    readonly places?: Readonly<Partial<Record<"message" | "code" | "field" | "fields" | "retry", string | readonly string[]>>>;
    readonly graphql?: Readonly<Record<string, ErrorSpec>>;
    readonly rest?: Readonly<Record<string, ErrorSpec>>;
  };
  readonly scopes?: Readonly<Record<string, ScopeSpec>>;
  readonly webhooks?: WebhooksSpec;
  readonly params?: Readonly<Record<string, ParamSpec | null>>;
  readonly fields?: Readonly<Record<string, FieldSpec | null>>;
  readonly enums?: Readonly<Record<string, EnumSpec>>;
  readonly types?: Readonly<Record<string, TypeSpec>>;
}

export interface PageSpec {
  readonly by: "connection" | "nested" | "single" | "link" | "address" | "cursor" | "offset" | "number" | "window";
  readonly size?: string;
  readonly max?: number;
  readonly total?: string;
  readonly cursor?: "always";
  readonly empty?: string;
  readonly emptyWhen?: string;
  readonly outer?: string;
  readonly inner?: string;
  readonly param?: string;
  readonly next?: string;
  readonly more?: string;
  readonly last?: string;
  readonly incomplete?: string;
  readonly pages?: string;
  readonly end?: "short" | "empty";
  readonly from?: number;
  readonly until?: string;
  readonly hours?: number;
  readonly as?: TimeForm;
  readonly inclusive?: true;
}

export type VariableSpec = string | { readonly from: string; readonly as: { readonly qualify: string } };

export interface ActionSpec {
  readonly doc: string;
  readonly params: Readonly<Record<string, ParamSpec | null>>;
  readonly variables?: Readonly<Record<string, VariableSpec>>;
  readonly graphql?: string;
  readonly rest?: string;
  readonly fixed?: Readonly<Record<string, unknown>>;
  readonly body?: string;
  readonly answer?: string;
  readonly redirect?: string;
  readonly addition?: true;
  readonly effect?: "none" | "idempotent" | "once";
  readonly list?: true;
  readonly page?: "connection" | "single" | "link" | PageSpec;
  readonly returns?: string;
  readonly poll?: PollSpec;
}

export interface PollSpec {
  readonly rest: string;
  readonly from?: Readonly<Record<string, string>>;
  readonly fixed?: Readonly<Record<string, string | number | boolean>>;
  readonly every?: number;
  readonly until: FailureCondition | readonly FailureCondition[];
  readonly failed?: FailureCondition | readonly FailureCondition[];
  readonly message?: string;
}

export interface TransitionSpec {
  readonly from: string;
  readonly action: string;
  readonly set: Readonly<Record<string, string>>;
  readonly to: string;
  readonly condition?: string;
  readonly allow?: Readonly<Record<string, readonly string[]>>;
}

type FieldValues = Readonly<Record<string, string | number | boolean>>;

export interface EachSpec {
  readonly entity: string;
  readonly params: Readonly<Record<string, string>>;
  readonly root?: Readonly<Record<string, string | number>>;
  readonly where?: FieldValues;
  readonly unless?: Readonly<Record<string, string | number | boolean | null>>;
  readonly atMost?: Readonly<Record<string, number>>;
  readonly paths?: { readonly field: string; readonly include: readonly string[]; readonly exclude: readonly string[] };
  readonly changed?: string;
  readonly batch?: number;
  readonly first?: number;
}

export interface VerificationSpec {
  readonly action?: "get";
  readonly params: Readonly<Record<string, string>>;
  readonly batch: number;
  readonly days?: number;
}

export interface SyncSpec {
  readonly scope: string;
  readonly action?: "get" | "list" | "sync";
  readonly size?: number;
  readonly cursor?: { readonly field: string; readonly overlap?: number };
  readonly newestKnown?: string;
  readonly changeCheck?: string;
  readonly verification?: VerificationSpec;
  readonly each?: EachSpec;
}

export interface EntitySpec {
  readonly entity: string;
  readonly title: string;
  readonly like?: string;
  readonly record?: string;
  readonly on?: string;
  readonly key?: string | readonly string[];
  readonly doc: string;
  readonly enums?: Readonly<Record<string, EnumSpec>>;
  readonly types?: Readonly<Record<string, TypeSpec>>;
  readonly fields?: Readonly<Record<string, FieldSpec | null>>;
  readonly addition?: true;
  readonly aliases?: readonly string[];
  readonly brief?: readonly string[];
  readonly hit?: Readonly<Record<string, string>>;
  readonly actions: Readonly<Record<string, ActionSpec>>;
  readonly sync?: readonly SyncSpec[];
  readonly transitions?: readonly TransitionSpec[];
}
