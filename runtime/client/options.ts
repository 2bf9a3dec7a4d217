/** Options of one call. */
export interface CallOptions {
  /** Ends the call; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds that the call may take, with all its retries. Default: the client's `timeout`. */
  readonly timeout?: number;
  /** Key under which a service does a write at most once. Default: a new random one for each write. Hosted mode only. */
  readonly idempotencyKey?: string;
  /** Names the call in the service's log. Default: a new random one. */
  readonly requestId?: string;
}

/** Options of a call in local mode, where nothing remembers the keys of writes. */
export interface LocalCallOptions extends Omit<CallOptions, "idempotencyKey"> {
  readonly idempotencyKey?: never;
}

/** Options of a walk over pages. `timeout` is that of one page. */
export interface WalkOptions extends Omit<CallOptions, "idempotencyKey" | "requestId"> {
  /** The walk ends after so many records, though there may be more. */
  readonly maxRecords?: number;
  /** A walk that is not at its end after so many pages fails, because it is probably one without an end. Default: 1,000. */
  readonly maxPages?: number;
}

interface SharedOptions {
  /** Milliseconds that one call may take, with all its retries. Default: 60,000. */
  readonly timeout?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A client of a Tenon service. What is absent is taken from the environment, where there is one: TENON_URL, TENON_API_KEY,
 * TENON_CLIENT_ID, TENON_CLIENT_SECRET.
 */
export interface HostedOptions extends SharedOptions {
  readonly accessToken?: never;
  readonly refreshToken?: never;
  readonly credential?: never;
  /** Address of the service, such as `https://tenon.example.com`. */
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** A bearer token of the service, or a function that gives one for each call. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Exchanged for short-lived tokens. Never in a browser, whose users could read the secret. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** Id of the connector instance. Default: the connector of the workspace, or else the connector's own name. */
  readonly connectorId?: string | undefined;
  /** Name of the workspace in which the connector instance is looked up. */
  readonly workspace?: string | undefined;
  /** Id of the organization that the workspace belongs to. */
  readonly organization?: string | undefined;
  /** How often a call is tried again that failed in a way that allows it. Default: 2. */
  readonly retries?: number | undefined;
}

interface LocalBase extends SharedOptions {
  /** Addresses of a platform that runs elsewhere. */
  readonly restUrl?: string | undefined;
  readonly graphqlUrl?: string | undefined;
  /** Values of the variables in the platform's addresses, by the names that the spec has for them. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

interface TokenOptions extends LocalBase {
  /** Access token of the platform, or a function that gives the present one before each call to the platform. */
  readonly accessToken: string | (() => string | Promise<string>);
  readonly refreshToken?: never;
  readonly credential?: never;
}

/** Tokens that take the place of the former ones. */
export interface NewTokens {
  readonly accessToken: string;
  /** Absent where the platform gave none. */
  readonly refreshToken?: string;
  /** When the access token ends; null where it does not. */
  readonly expiresAt: Date | null;
}

interface RefreshOptions extends LocalBase {
  /** The token of a user of the platform that is renewed, before it expires and when the platform refuses the access token. */
  readonly refreshToken: string;
  /** The access token that belongs to it. Without it, the first call gets one. */
  readonly accessToken?: string;
  /** When the access token ends. Default: it is used until the platform refuses it. */
  readonly expiresAt?: Date;
  /** The app for which the user has authorized. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Stores new tokens. They are used when it has ended: the former refresh token is good no longer. */
  readonly onTokens: (tokens: NewTokens) => void | Promise<void>;
  readonly credential?: never;
}

/** A credential of some kind with its values in camelCase. Each connector has a type of its own for those that it takes. */
export type AnyCredential = Readonly<Record<string, string>> & { readonly kind: string };

interface CredentialOptions<Credential> extends LocalBase {
  /**
   * A credential of any kind that the connector's spec has: its values in camelCase, such as
   * `{ kind: "app", appId, privateKey, installationId }`. Tokens that are got with it are renewed.
   */
  readonly credential: Credential;
  readonly accessToken?: never;
  readonly refreshToken?: never;
}

/** A client that calls the platform itself, in this process. */
export type LocalOptions<Credential = AnyCredential> = TokenOptions | RefreshOptions | CredentialOptions<Credential>;

export type ClientOptions<Credential = AnyCredential> = HostedOptions | LocalOptions<Credential>;
