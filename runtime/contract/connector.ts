import type { Action } from "./action.ts";
import type { FailureCondition } from "./condition.ts";
import type { RecordPlan } from "./record.ts";
import type { ScopePlan, StorePlan, SyncPlan } from "./store.ts";
import type { Relation } from "./tables.ts";
import type { WebhookPlan } from "./webhook.ts";

export interface Entity {
  readonly actions: Readonly<Record<string, Action>>;
  /** Records of reads, live and cached. */
  readonly record: RecordPlan;
  readonly store: StorePlan;
  /** Other names that people use for it, which errors map to its own. */
  readonly aliases?: readonly string[];
  /** Paths of the fields that tell what a record is: the columns of a list that is shown as a table. */
  readonly brief: readonly string[];
  /** How the cache is filled, in this order. */
  readonly sync: readonly SyncPlan[];
  /** The tables of SQL with which its own joins. */
  readonly relations?: readonly Relation[];
}

/**
 * What an error of the platform means. `code` is one of the runtime's error codes. The rule's key is the error's own code or type, an
 * HTTP status, a pattern of its message (`/not found/`), or a status and one of the others (`400 /not found/`).
 */
export interface ErrorRule {
  readonly code: string;
  /** The call may succeed when it is tried again after a pause. */
  readonly retry?: true;
  /** The call may succeed when it is tried again with a smaller page. */
  readonly shrink?: true;
}

/**
 * How many points a platform allows in a minute, and how many a read and a write cost. A read that takes more points of the hourly budget
 * counts with these, if they are known before it is sent.
 */
export interface PointBudget {
  readonly perMinute: number;
  readonly read: number;
  readonly write: number;
}

/** Facts about the platform's limits. Times are milliseconds. What the platform does not limit, or does not tell, is absent. */
export interface RateLimitRules {
  /**
   * Headers with the calls that are left, and with the time when all are there again. `as` says how the time is given: in seconds or
   * milliseconds since 1970, as a date, or as seconds from now. Default: seconds.
   */
  readonly headers?: {
    readonly remaining: string;
    readonly reset: string;
    readonly as?: "seconds" | "milliseconds" | "date" | "delay";
  };
  /** Regular expression that matches the message of a refusal by a secondary limit, which counts all calls together. */
  readonly secondary?: string;
  /** Name of the header with the platform's own id of a request. */
  readonly requestId?: string;
  /** How many requests may be under way at the same time. */
  readonly concurrent: number;
  readonly writes?: { readonly spacing: number; readonly perMinute: number; readonly perHour: number };
  /** How often single calls may be made in a minute, each on its own: `POST /messages`, as the description writes it. */
  readonly calls?: Readonly<Record<string, number>>;
  readonly points?: { readonly graphql?: PointBudget; readonly rest?: PointBudget };
  /** What a GraphQL call takes from the hourly budget: so much for each connection that it asks for, and at least so much. */
  readonly cost?: { readonly connection: number; readonly least: number };
  /**
   * Calls that no caller waits for: how many may be under way at the same time, and how many calls of the hourly budget they leave to
   * other calls. Default: one at a time, and none.
   */
  readonly background?: { readonly concurrent: number; readonly reserve: number };
}

/** Where a call carries its credential. `template` alternates fixed texts and names of values. */
export type CredentialPlace =
  | { readonly in: "header" | "query"; readonly name: string; readonly template: readonly string[] }
  /** The header `Authorization` with the text in base64 (RFC 7617). */
  | { readonly in: "basic"; readonly template: readonly string[] };

/** A header with an HMAC of a text that is made of the call. */
export interface BodySignature {
  readonly header: string;
  /** Fixed texts and, in turn, `timestamp`, `method`, `path` (with the query) or `body`. */
  readonly of: readonly string[];
  /** Name of the value that is the key. */
  readonly with: string;
  readonly algorithm: "sha256" | "sha512";
  readonly encoding: "hex" | "base64";
  /** Text in front of the signature. */
  readonly prefix?: string;
  /** The header that says when the call was signed. */
  readonly timestamp?: { readonly header: string; readonly as: "seconds" | "milliseconds" };
}

/** A way in which the platform takes a credential. */
export interface AuthKind {
  readonly name: string;
  /** The values that the credential consists of, each with the environment variable of the default instance. */
  readonly values: Readonly<Record<string, string>>;
  readonly doc: string;
  readonly place: CredentialPlace;
  /** Other forms of the credential: the first whose pattern its value matches says where it stands instead. */
  readonly forms?: readonly { readonly matches: string; readonly place: CredentialPlace }[];
  /** What proves that the body of a call comes from the owner of the credential. */
  readonly sign?: BodySignature;
  /** How the token that stands in a call is got with the values; absent where the values themselves stand there. */
  readonly grant?: OauthGrant | AppGrant;
}

/**
 * A token of a user, got with a code of the platform's page (RFC 6749, 4.1, with RFC 7636) and renewed with a refresh token (section 6).
 * The values are `client_id`, `client_secret` and `refresh_token`.
 */
export interface OauthGrant {
  readonly by: "oauth";
  /** Addresses of the page, and of the exchange of codes and refresh tokens. */
  readonly authorize: string;
  readonly token: string;
  /** Address of the exchange of refresh tokens, where it is another one. */
  readonly refresh?: string;
  /**
   * How the addresses follow from a replaced REST address: the first ending that it has is replaced, and the result takes the place of
   * their origin.
   */
  readonly derive?: Readonly<Record<string, string>>;
  /** Where the client's id and secret stand: in the form, or in the header `Authorization` (RFC 6749, 2.3.1). */
  readonly client: "form" | "basic";
  readonly scopes?: readonly string[];
  /** Error codes that mean the user has to authorize again. */
  readonly refused: readonly string[];
}

/** A token for an app, which proves itself by a JWT of its own. The values are `app_id`, `private_key`, and those in the path. */
export interface AppGrant {
  readonly by: "app";
  /** Path below the REST address, fixed texts and names of values in turn. */
  readonly path: readonly string[];
}

/** A part of the platform's addresses or headers that each instance has its own value of, such as a subdomain. */
export interface VariablePart {
  readonly env: string;
  readonly doc: string;
  readonly default?: string;
  readonly example?: string;
}

export interface PlatformPlan {
  readonly title: string;
  /** An instance uses one of the kinds. `secrets` are patterns of the platform's tokens. */
  readonly auth: { readonly kinds: readonly AuthKind[]; readonly secrets: readonly string[] };
  readonly variables?: Readonly<Record<string, VariablePart>>;
  /** Addresses and headers may have `{name}` of a variable. */
  readonly graphql?: {
    readonly url: string;
    readonly env?: string;
    readonly derive?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly rest?: {
    readonly url: string;
    readonly env?: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Header by which the platform does a write once, however often it is sent. */
    readonly idempotency?: string;
  };
  readonly rateLimit: RateLimitRules;
  /**
   * Single sign-on: the header that reports it; the pattern `required` for a demand to sign on, with the address as its group; the
   * pattern `partial` for a note that results were left out; and the member of a GraphQL error's `extensions` that reports it.
   */
  readonly sso?: { readonly header: string; readonly required: string; readonly partial: string; readonly extension: string };
  readonly errors: {
    readonly graphql: Readonly<Record<string, ErrorRule>>;
    readonly rest: Readonly<Record<string, ErrorRule>>;
    /** A REST answer of which one of these conditions holds is an error, although its status is a success. */
    readonly when?: readonly FailureCondition[];
    /**
     * Where an answer that refuses a call has the text, the code, the wrong field, an object with a text for each wrong field, and the
     * seconds after which a retry may succeed: paths of keys, the first that has a value counts.
     */
    readonly places?: {
      readonly message?: readonly string[];
      readonly code?: readonly string[];
      readonly field?: readonly string[];
      readonly fields?: readonly string[];
      readonly retry?: readonly string[];
    };
  };
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
  /** Absent where the platform sends none, or the spec does not say how. */
  readonly webhooks?: WebhookPlan;
  readonly entities: Readonly<Record<string, Entity>>;
}

/** What is needed of every connector, also of one that is off, and whose entities nobody uses. */
export interface ConnectorFacts {
  readonly facts: Omit<Connector, "entities">;
  /** How the records of each entity are stored: a store may have records from a time when the connector was on. */
  readonly stores: Readonly<Record<string, StorePlan>>;
}

const knownStores = new WeakMap<Connector, ConnectorFacts["stores"]>();

/** A connector whose entities are loaded when they are first used. @param load loads the whole connector */
export function lazyConnector({ facts, stores }: ConnectorFacts, load: () => Connector): Connector {
  let loaded: Connector | undefined;
  const connector = {
    ...facts,
    get entities() {
      loaded ??= load();
      return loaded.entities;
    },
  };
  knownStores.set(connector, stores);
  return connector;
}

/** How the records of each entity are stored, without loading the entities. */
export function storesOf(connector: Connector): ConnectorFacts["stores"] {
  const stores = (entities: Connector["entities"]) =>
    Object.fromEntries(Object.entries(entities).map(([entity, { store }]) => [entity, store]));
  return knownStores.get(connector) ?? stores(connector.entities);
}

/** The action with these names, which may be any values; undefined where the connector has none. */
export function actionOf({ entities }: Connector, entity: unknown, action: unknown): Action | undefined {
  const actions = typeof entity === "string" && Object.hasOwn(entities, entity) ? entities[entity]?.actions : undefined;
  return actions !== undefined && typeof action === "string" && Object.hasOwn(actions, action) ? actions[action] : undefined;
}
