import { TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";
import type { ChangeKind } from "../contract/change.ts";
import type { CallOptions } from "./options.ts";
import type { Answered, ChangesQuery } from "./transport.ts";

/** A record of the cache was created, updated or deleted. */
export interface Change<Name extends string = string> {
  readonly kind: ChangeKind;
  /** Position in the log of the connector instance. */
  readonly sequence: number;
  readonly connector_id: string;
  readonly entity: Name;
  /** The fields that identify the record, with their values. */
  readonly key: Readonly<Record<string, string | number>>;
  /** The scope whose sync saw the change. */
  readonly scope: string;
  /** Names of the fields that an update changed. */
  readonly changed_fields?: readonly string[];
  /** When it was stored (ISO 8601). */
  readonly at: string;
  /** Goes on behind this change. */
  readonly cursor: string;
  /** The record as it is now, with `fields`; absent when it is deleted. */
  readonly record?: Readonly<Record<string, unknown>>;
  /** The record may have matched the filter before, and does not now. */
  readonly matches?: false;
}

/** The log does not have all changes since the cursor any longer: search for all records anew. The changes after that follow. */
export interface Truncated {
  readonly kind: "truncated";
  readonly cursor: string;
}

export interface ChangesOptions<Name extends string = string>
  extends Omit<ChangesQuery, "entity" | "wait">,
    Pick<CallOptions, "signal" | "timeout"> {
  /** Only changes of these entities. Default: of all that the caller may use. */
  readonly entity?: Name | readonly Name[];
  /** Whether to wait for further changes after the last one. Default: true. It ends with the signal. */
  readonly follow?: boolean;
}

/** Gives the changes of cached records in their order, and goes on after failures that may pass. Hosted mode only. */
export type Changes<Name extends string> = (options?: ChangesOptions<Name>) => AsyncIterable<Change<Name> | Truncated>;

/** Seconds that one request waits for a change, and milliseconds of the first pause after a failure and of the longest. */
const longestWait = 25;
const firstPause = 1000;
const longestPause = 30_000;

/**
 * Reads page after page of the change feed. While it follows, a failure that may pass only makes it wait.
 *
 * @param read reads one page
 * @throws what `read` throws, and the reason of the signal
 */
export async function* followChanges(
  { follow: goesOn = true, signal = new AbortController().signal, timeout, cursor, ...query }: ChangesOptions,
  read: (query: ChangesQuery) => Promise<Answered>,
): AsyncGenerator<Change | Truncated, void, void> {
  const wait = Math.min(longestWait, Math.floor((timeout ?? Number.POSITIVE_INFINITY) / 2000));
  let at = cursor;
  for (let failures = 0; ; ) {
    signal.throwIfAborted();
    let answer: Answered;
    try {
      answer = await read({ ...query, cursor: at, ...(goesOn ? { wait } : {}) });
    } catch (thrown) {
      if (!goesOn || signal.aborted || !(thrown instanceof TenonError && thrown.retryable)) throw thrown;
      const delay = Math.min(longestPause, firstPause * 2 ** failures++) * (0.5 + Math.random() / 2);
      await pause(thrown.retryAfter === undefined ? delay : thrown.retryAfter * 1000, signal);
      continue;
    }
    failures = 0;
    at = String(answer.meta["cursor"]);
    if (answer.meta["truncated"] === true) yield { kind: "truncated", cursor: at };
    yield* answer.data as Change[];
    if (!goesOn && answer.meta["has_more"] !== true) return;
  }
}
