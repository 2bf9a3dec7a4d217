import type { TenonError } from "../base/errors.ts";
import type { Manual } from "../manual/manual.ts";

/** What the tools act on: the service's own instances, those of a service elsewhere, or those of this process. */
export interface ToolHost {
  /** The connector instances that the caller may use. */
  instances(): Promise<readonly ToolInstance[]>;
  /**
   * @returns where `json` has the records as JSON (UTF-8), `data` is parsed on demand
   * @throws TenonError
   */
  execute(
    connectorId: string,
    triple: { readonly entity: string; readonly action: string; readonly params: object },
    call: ToolCall,
  ): Promise<{
    readonly data: unknown;
    readonly json?: Uint8Array | undefined;
    readonly meta: Readonly<Record<string, unknown>>;
  }>;
  /** Reads a page of the change feed. @throws TenonError */
  changes(
    connectorId: string,
    query: Readonly<Record<string, unknown>>,
    call: Pick<ToolCall, "signal">,
  ): Promise<{ readonly data: unknown; readonly meta: Readonly<Record<string, unknown>> }>;
  /** Follows the change feed. Whether the caller may read is looked up anew for each page. @throws TenonError for a wrong query */
  watch(connectorId: string, query: Readonly<Record<string, unknown>>, call: { readonly signal: AbortSignal }): Promise<Watch>;
  /** Webhooks of clients to which events are sent; absent where there can be none. */
  readonly events?: EventWebhooks | undefined;
  /** Work that goes on after a call; absent where nothing can be asked about it later. */
  readonly tasks?: ToolTasks | undefined;
  /** Whether there is a tool that writes. The operator has to turn it on. */
  readonly writes: boolean;
  /** Where a person decides about writes that need an approval; absent where a client cannot lead its user there. */
  readonly approvals?: ApprovalPage | undefined;
  /** Removes secrets from errors. */
  readonly redact?: (text: string) => string;
}

export interface Watch {
  /**
   * The next page, when the client has taken what came before; undefined where the client has gone or the service ends.
   *
   * @param wait seconds to wait for a change; then the page is empty
   * @throws TenonError
   */
  next(wait: number): Promise<{ readonly data: unknown; readonly meta: Readonly<Record<string, unknown>> } | undefined>;
}

/** An event that a client wants by webhook. */
export interface WantedEvent {
  readonly connectorId: string;
  readonly event: string;
  readonly entity: string;
  readonly args: { readonly filter?: unknown; readonly fields?: unknown };
  readonly url: unknown;
}

export interface EventWebhooks {
  /** Makes or renews a subscription. @returns the result for the client, or why its address refuses it @throws TenonError */
  subscribe(
    wanted: WantedEvent,
    more: { readonly secret: string; readonly cursor: string | undefined; readonly ttlMs: number | null | undefined },
  ): Promise<{ readonly result: Readonly<Record<string, unknown>> } | { readonly refused: string }>;
  /** @throws TenonError `unknown_subscription` */
  unsubscribe(wanted: WantedEvent): Promise<void>;
}

/** Work of a caller that outlives a call: syncs, and writes that wait for an approval. */
export interface ToolTasks {
  /**
   * Starts a sync; absent where the caller may not.
   *
   * @param body `scopes` and `entities`
   * @returns the id of its task
   * @throws TenonError
   */
  readonly sync?: ((connectorId: string, body: object) => Promise<string>) | undefined;
  /** @returns undefined where the caller has no such task @throws TenonError */
  find(id: string): Promise<ToolTask | undefined>;
  /** Ends a task as soon as that can be. One that has ended stays as it is. @returns as `find` @throws TenonError */
  cancel(id: string): Promise<boolean>;
}

/** How far a task is. Times are milliseconds. */
export interface ToolTask {
  readonly id: string;
  /** The tool whose call it goes on with. */
  readonly tool: string;
  readonly status: "working" | "completed" | "cancelled";
  readonly message: string;
  /** Since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** From the beginning until it may be forgotten. */
  readonly ttl: number;
  /** Until a client should ask again. */
  readonly pollInterval: number;
  /** What the call results in, once it is completed, as JSON with `data` and `meta`: this, or an error. */
  readonly result?: string;
  readonly error?: TenonError;
  /** Set where the result tells that something was not done. */
  readonly isError?: boolean;
}

export interface ToolCall {
  readonly signal: AbortSignal | undefined;
  /** A write with the same key is done once. */
  readonly idempotencyKey?: string;
  /** Bytes that the records of a cached search should not exceed; a cursor leads to the rest. A service elsewhere does not know it. */
  readonly answerBytes: number;
  /** A list says how many records there are, where the platform knows that without another call. */
  readonly withTotal: true;
}

export interface ToolInstance {
  readonly id: string;
  /** Set where its data is invented. */
  readonly simulated?: true;
  readonly manual: () => Promise<Manual>;
  /** The documentation of an entity in Markdown; undefined where there is none. */
  readonly page: (entity: string) => Promise<string | undefined>;
}

/** Where a person decides about the writes of a caller. */
export interface ApprovalPage {
  readonly url: string;
  /** The secret that protects what the client keeps meanwhile; all processes have the same. */
  readonly secret: string;
  /** Id of the caller. */
  readonly caller: string;
}
