import type { Action, ActionName } from "./action.ts";
import type { RecordPlan } from "./record.ts";
import type { ScopePlan, StorePlan, SyncPlan } from "./store.ts";

export interface Entity {
  readonly actions: Readonly<Partial<Record<ActionName, Action>>>;
  /** Records of reads, live and cached. */
  readonly record: RecordPlan;
  readonly store: StorePlan;
  /** How the cache is filled, in this order. */
  readonly sync: readonly SyncPlan[];
}

/** What an error name or HTTP status of the platform means. `code` is one of the runtime's error codes. */
export interface ErrorRule {
  readonly code: string;
  /** The call may succeed when it is tried again after a pause. */
  readonly retry?: true;
  /** The call may succeed when it is tried again with a smaller page. */
  readonly shrink?: true;
}

/** How many points a platform allows in a minute, and how many a read and a write cost. */
export interface PointBudget {
  readonly perMinute: number;
  readonly read: number;
  readonly write: number;
}

/** Facts about the platform's limits. Times are milliseconds. */
export interface RateLimitRules {
  readonly headers: { readonly remaining: string; readonly reset: string };
  /** Regular expression that matches the message of a refusal by a secondary limit, which counts all calls together. */
  readonly secondary?: string;
  /** Name of the header with the platform's own id of a request. */
  readonly requestId: string;
  /** How many requests may be under way at the same time. */
  readonly concurrent: number;
  readonly writes: { readonly spacing: number; readonly perMinute: number; readonly perHour: number };
  readonly points: { readonly graphql: PointBudget; readonly rest: PointBudget };
  /** What a GraphQL call takes from the hourly budget: so much for each connection that it asks for, and at least so much. */
  readonly cost?: { readonly connection: number; readonly least: number };
  /**
   * Calls that no caller waits for: how many may be under way at the same time, and how many calls of the hourly budget they leave to
   * other calls. Default: one at a time, and none.
   */
  readonly background?: { readonly concurrent: number; readonly reserve: number };
}

export interface PlatformPlan {
  readonly title: string;
  /** `scheme` stands before the credential in the header `Authorization`. */
  readonly auth: { readonly env: string; readonly scheme: string; readonly secrets: readonly string[] };
  readonly graphql?: { readonly url: string; readonly env: string; readonly derive: Readonly<Record<string, string>> };
  readonly rest: { readonly url: string; readonly env: string; readonly headers: Readonly<Record<string, string>> };
  readonly rateLimit: RateLimitRules;
  /**
   * Single sign-on: the header that reports it; the pattern `required` for a demand to sign on, with the address as its group; the
   * pattern `partial` for a note that results were left out; and the member of a GraphQL error's `extensions` that reports it.
   */
  readonly sso?: { readonly header: string; readonly required: string; readonly partial: string; readonly extension: string };
  readonly errors: { readonly graphql: Readonly<Record<string, ErrorRule>>; readonly rest: Readonly<Record<string, ErrorRule>> };
}

/** A request for one action, as data. */
export interface PlannedRequest {
  readonly entity: string;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** How the public Python client of another service knows a connector. */
export interface CompatPlan {
  readonly definitionId: string;
  /** The request with which that client checks its connection, and the one that is run instead. */
  readonly check?: { readonly asks: PlannedRequest; readonly runs: PlannedRequest };
}

/** A connector as the generator wrote it. The runtime knows nothing else about a platform. */
export interface Connector {
  readonly name: string;
  readonly title: string;
  /** A request that a newcomer may try first. */
  readonly example: { readonly entity: string; readonly action: string; readonly params: object };
  readonly platform: PlatformPlan;
  readonly compat?: CompatPlan;
  /** Module that simulates the platform. It is started in a thread of its own. */
  readonly simulator?: URL;
  /** Its description of the HTTP interface (OpenAPI 3.1), which is read only when somebody asks for it. */
  readonly openapi: URL;
  readonly scopes: Readonly<Record<string, ScopePlan>>;
  readonly entities: Readonly<Record<string, Entity>>;
}
