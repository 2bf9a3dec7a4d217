import { BoundedMap } from "../base/bounded-map.ts";
import type { Fault } from "../base/errors.ts";
import type { WatchedRequest } from "../server/monitoring/access-log.ts";

/** What this process remembers of a call beside its entry of the audit log, which holds names and ids only. */
export interface CallDetails {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Undefined where the caller went away before a response began. */
  readonly status: number | undefined;
  /** Milliseconds, and those of its parts that were measured. */
  readonly ms: number;
  readonly parts: readonly { readonly name: string; readonly ms: number }[];
  /** Why it failed; null where it did not. */
  readonly message: string | null;
  readonly faults: readonly Fault[];
}

/** What names a call: the members that its entry of the audit log has too. */
export interface CallName {
  readonly caller: string;
  readonly action: string;
  readonly target: string | null;
  readonly requestId: string | null;
}

/** Calls that are remembered: as many that failed as others, so that good ones do not displace them. */
const mostCalls = 1_000;
/** Faults of one call, and characters of each text. */
const mostFaults = 10;
const longest = 1_000;
/** Milliseconds between the entry of a call and its details. A caller may give two requests the same id. */
const apart = 60_000;

/** Remembers what the latest calls were answered with: in memory, and in bounds. */
export class RecentCalls {
  readonly #good = new BoundedMap<string, CallDetails>(mostCalls);
  readonly #failed = new BoundedMap<string, CallDetails>(mostCalls);

  ended({ at, requestId, caller, status, ms, trace, redact }: WatchedRequest): void {
    if (caller === undefined || trace?.deed === undefined) return;
    const { failure, validation, calls, queue, platform, store } = trace;
    const shown = (text: string) => redact(text).slice(0, longest);
    const parts = [
      { name: "checking the request", ms: validation },
      { name: "waiting for its turn at the platform", ms: calls === 0 ? undefined : queue },
      { name: "the platform", ms: calls === 0 ? undefined : platform },
      { name: "the cached search", ms: store },
    ];
    const details: CallDetails = {
      at,
      status,
      ms,
      parts: parts.flatMap((part) => (part.ms === undefined ? [] : [{ name: part.name, ms: part.ms }])),
      message: failure === undefined ? null : shown(failure.message),
      faults: (failure?.faults ?? []).slice(0, mostFaults).map(({ pointer, code, message }) => {
        return { pointer: shown(pointer), code, message: shown(message) };
      }),
    };
    const name = { caller, action: trace.deed, target: trace.target ?? trace.instance?.id ?? null, requestId };
    (failure === undefined ? this.#good : this.#failed).set(keyOf(name), details);
  }

  /** What is remembered of a call that ended at about this time (milliseconds since 1970). */
  of(name: CallName, at: number, failed: boolean): CallDetails | undefined {
    const found = (failed ? this.#failed : this.#good).get(keyOf(name));
    return found !== undefined && Math.abs(found.at - at) <= apart ? found : undefined;
  }
}

/** What the entries and the details of one call have in common. */
export function keyOf({ caller, action, target, requestId }: CallName): string {
  return JSON.stringify([caller, action, target, requestId]);
}
