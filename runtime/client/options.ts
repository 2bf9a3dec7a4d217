/** Options of one call. */
export interface CallOptions {
  /** Ends the call; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds that the call may take, with all its retries. Default: the client's `timeout`. */
  readonly timeout?: number;
  /** Key under which a write is done at most once. Default: a new random one for each write in hosted mode. */
  readonly idempotencyKey?: string;
  /** Names the call in the service's log. Default: a new random one. */
  readonly requestId?: string;
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

/** A client that calls the platform itself, in this process. */
export interface LocalOptions extends SharedOptions {
  /** Access token of the platform, or a function that gives the present one before each call to the platform. */
  readonly accessToken: string | (() => string | Promise<string>);
  /** Addresses of a platform that runs elsewhere. */
  readonly restUrl?: string | undefined;
  readonly graphqlUrl?: string | undefined;
}

export type ClientOptions = HostedOptions | LocalOptions;
