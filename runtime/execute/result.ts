import type { Logger } from "../base/log.ts";
import type { Warning } from "../contract/index.ts";

export interface ExecuteContext {
  /** Milliseconds that the action may take, all calls to the platform together. */
  readonly timeout: number;
  /** Ends the action when the caller has gone. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly requestId: string;
  /** Work that nobody waits for: it goes one call at a time where the platform asks for that, and leaves a part of the quota to others. */
  readonly background?: true;
}

/** The one shape of every answer: records under `data`, everything about them under `meta`. */
export interface ExecuteResult {
  readonly data: unknown;
  /** `data` as JSON (UTF-8), where it stands ready. */
  readonly json?: Uint8Array;
  readonly meta: Readonly<Record<string, unknown>> & { readonly warnings?: readonly Warning[] };
}
