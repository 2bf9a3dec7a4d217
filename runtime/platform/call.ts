import type { Logger } from "../base/logger.ts";
import type { EndedCall, PlatformLimits } from "../base/platform-use.ts";
import type { GraphqlFault, Headers } from "./failure.ts";

// The input and the outcome of a call to the platform.

/** The limits of one action. All its calls together have to end before `deadline` (as of `performance.now()`). */
export interface CallContext {
  readonly deadline: number;
  /** Aborted when the caller has gone, which ends the call. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Written into every log line. */
  readonly requestId: string;
  /** Id of the caller, where there are several: where searches and calls have to wait, callers take turns. */
  readonly caller?: string;
  /** What the caller may have of the platform's limits. Absent: all of it, and it may wait until the deadline. */
  readonly platformLimits?: PlatformLimits | undefined;
  /** Set for work that no caller waits for: its calls go out few at a time, and leave a part of the quota to other calls. */
  readonly background?: true;
  /** The caller's `Idempotency-Key`, joined with who the caller is. A platform that takes such keys gets one made of it. */
  readonly idempotencyKey?: string;
  /** Set for a write that a policy has let through by the names in it: a redirect, which leads to another name, is not followed. */
  readonly byName?: true;
  /** Called before each call is sent, with what it takes from the platform's hourly budget. */
  readonly spend?: (points: number) => void;
  /** Takes the paths of the fields that a document was sent without, because the platform no longer has them. */
  readonly onRemoved?: (fields: readonly string[]) => void;
  /** Called for an answer with bytes that are not UTF-8. */
  readonly onBrokenText?: () => void;
  /** Called for each call that was sent, when it has ended. */
  readonly onCall?: (call: EndedCall) => void;
}

export interface GraphqlRead {
  /** A function where a smaller page has another document. */
  readonly document: string | (() => string);
  /** Called for each try, because a smaller page has other variables. */
  readonly variables: () => Readonly<Record<string, unknown>>;
  /** Whether the response contains what was requested. If not, its errors make the call fail. */
  readonly usable: (data: unknown, faults: readonly GraphqlFault[]) => boolean;
  /** Makes the page smaller. Returns false when that is not possible. */
  readonly shrink?: () => boolean;
}

/**
 * What a call does to the platform: `none` reads, `idempotent` may be done twice, `once` may not. `keyed` may not either, but has a key by
 * which the platform does it once, so that it may be sent again.
 */
export type Effect = "none" | "idempotent" | "keyed" | "once";

export interface GraphqlMutation {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly effect: Effect;
  /** Whether the data contains what was requested. If not, the errors of the response make the call fail. */
  readonly usable: (data: unknown) => boolean;
}

export interface GraphqlAnswer {
  readonly data: unknown;
  readonly faults: readonly GraphqlFault[];
  readonly headers: Headers;
}

export interface RestAnswer {
  readonly status: number;
  readonly data: unknown;
  readonly headers: Headers;
}
