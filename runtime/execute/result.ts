import type { Logger } from "../base/log.ts";
import type { Warning } from "../contract/index.ts";
import type { EndedCall } from "../platform/call.ts";

export interface ExecuteContext {
  /** Milliseconds that the action may take, including all its calls to the platform. */
  readonly timeout: number;
  /** Aborted when the caller has gone, which ends the action. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly requestId: string;
  /** Id of the caller, where there are several: where searches and calls to the platform have to wait, callers take turns. */
  readonly caller?: string;
  /** Which part the caller may use of what others have not used of the platform's limits. Absent: all of it. */
  readonly platformShare?: number;
  /** Set for work that no caller waits for: its calls go out few at a time, and leave a part of the quota to other calls. */
  readonly background?: true;
  /** Bytes that the records of a cached search should not exceed, where these are fewer than those of any search; a cursor leads to the rest. */
  readonly answerBytes?: number;
  /** Called before each call to the platform, with what it takes from the platform's hourly budget. */
  readonly spend?: (points: number) => void;
  /** Called for each call to the platform, when it has ended. */
  readonly onCall?: (call: EndedCall) => void;
  /** Called with the warning about each value that does not fit the spec. */
  readonly onMisfit?: (warning: Warning) => void;
  /** Called for each list inside a record that has more elements than were read, where the platform says how it goes on. */
  readonly onCut?: (list: CutList) => void;
}

/** A list inside a record that was read, of which the answer had only the beginning. */
export interface CutList {
  /** The record, to which the rest of the list may be added. */
  readonly record: Record<string, unknown>;
  readonly field: string;
  /** Cursor of the list's next page. */
  readonly after: string;
}

/** The shape of every answer: the records in `data`, and information about them in `meta`. */
export interface ExecuteResult {
  readonly data: unknown;
  /** `data` as JSON (UTF-8), where it exists already. */
  readonly json?: Uint8Array;
  readonly meta: Readonly<Record<string, unknown>> & { readonly warnings?: readonly Warning[] };
}

/** The same result with more members of `meta`. The records of a cached search stay bytes that are parsed only on demand. */
export function withMeta(result: ExecuteResult, more: ExecuteResult["meta"]): ExecuteResult {
  return {
    get data() {
      return result.data;
    },
    ...(result.json === undefined ? {} : { json: result.json }),
    meta: { ...result.meta, ...more },
  };
}
