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

/** What an error name or status of the platform means here. `code` is one of the runtime's error codes. */
export interface ErrorRule {
  readonly code: string;
  /** Worth another try after a pause. */
  readonly retry?: true;
  /** Worth another try with a smaller page. */
  readonly shrink?: true;
}

/** Budget of points that a platform allows in a minute, and what a read and a write cost. */
export interface PointBudget {
  readonly perMinute: number;
  readonly read: number;
  readonly write: number;
}

/** Facts about the platform's limits. Times are milliseconds. */
export interface RateLimitRules {
  readonly headers: { readonly remaining: string; readonly reset: string };
  /** Pattern of a refusal's message that is about all calls together. */
  readonly secondary?: string;
  readonly requestId: string;
  /** Requests at once. */
  readonly concurrent: number;
  readonly writes: { readonly spacing: number; readonly perMinute: number; readonly perHour: number };
  readonly points: { readonly graphql: PointBudget; readonly rest: PointBudget };
  /** What a GraphQL call takes from the hourly budget: so much for each connection that it asks for, and at least so much. */
  readonly cost?: { readonly connection: number; readonly least: number };
  /** Calls that nobody waits for: how many at once, and how many of the hourly budget they leave to others. Default: one, and none. */
  readonly background?: { readonly concurrent: number; readonly reserve: number };
}

export interface PlatformPlan {
  readonly title: string;
  /** `scheme` stands before the credential in the header `Authorization`. */
  readonly auth: { readonly env: string; readonly scheme: string; readonly secrets: readonly string[] };
  readonly graphql?: { readonly url: string; readonly env: string; readonly derive: Readonly<Record<string, string>> };
  readonly rest: { readonly url: string; readonly env: string; readonly headers: Readonly<Record<string, string>> };
  readonly rateLimit: RateLimitRules;
  /** Single sign-on: patterns of the header that demands it, with the address as group, and of the one that tells of omissions. */
  readonly sso?: { readonly header: string; readonly required: string; readonly partial: string; readonly extension: string };
  readonly errors: { readonly graphql: Readonly<Record<string, ErrorRule>>; readonly rest: Readonly<Record<string, ErrorRule>> };
}

/** A connector as the generator wrote it: all that the runtime knows of a platform. */
export interface Connector {
  readonly name: string;
  readonly title: string;
  /** A first request to try. */
  readonly example: { readonly entity: string; readonly action: string; readonly params: object };
  readonly platform: PlatformPlan;
  /** Module that simulates the platform when it is started in a thread. */
  readonly simulator?: URL;
  readonly scopes: Readonly<Record<string, ScopePlan>>;
  readonly entities: Readonly<Record<string, Entity>>;
}
