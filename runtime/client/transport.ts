import type { LocalOptions } from "./options.ts";

/** The triple that every way into Tenon takes. */
export interface Triple {
  readonly entity: string;
  readonly action: string;
  readonly params: object;
}

/** What the change feed takes. */
export interface ChangesQuery {
  readonly entity?: string | readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly filter?: unknown;
  readonly fields?: readonly string[] | undefined;
  /** Seconds. */
  readonly wait?: number | undefined;
}

/** One call with everything that its options leave open filled in. */
export interface ClientCall {
  readonly writes: boolean;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
}

export interface Answered {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Carries a request to where its action runs. */
export interface Transport {
  /** @throws CallError, or the reason of the call's signal */
  execute(triple: Triple, call: ClientCall): Promise<Answered>;
  /** Reads a page of the change feed. @throws as `execute` */
  changes(query: ChangesQuery, call: ClientCall): Promise<Answered>;
}

/** Makes the transport that calls the platform from this process. @returns a function that loads it once */
export type LocalMode = (options: LocalOptions) => () => Promise<Transport>;

/** What the generator says of a connector to its client. */
export interface ClientPlan {
  readonly name: string;
  readonly title: string;
  /** Entities and actions by their names in requests. */
  readonly entities: Readonly<Record<string, Readonly<Record<string, ActionPlan>>>>;
}

export interface ActionPlan {
  readonly writes?: true;
  /** Parameter that takes the `end_cursor` of the previous response, where the action has pages. */
  readonly cursor?: string;
}
