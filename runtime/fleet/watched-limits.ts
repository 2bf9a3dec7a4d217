import type { SharedLimits } from "./shared-limits.ts";

/** Called when the limits cannot be reached any longer, and when they can be again: with the milliseconds that it took. */
export type LimitsListener = (isAway: boolean, ms: number) => void;

/** Shared limits that tell when they cannot be reached. */
export interface WatchedLimits extends SharedLimits {
  /** From now on each outage is told once, and its end once. */
  watch(listener: LimitsListener): void;
}

export function watchedLimits(limits: SharedLimits): WatchedLimits {
  let tell: LimitsListener = () => undefined;
  /** When the outage began, as of `performance.now()`; undefined while there is none. */
  let away: number | undefined;
  let failures = 0;
  return {
    watch: (listener) => {
      tell = listener;
    },
    exchange: async (key, rules, ask) => {
      const before = failures;
      try {
        const slice = await limits.exchange(key, rules, ask);
        // One that was under way when another one failed says nothing of the time since then.
        if (away !== undefined && before === failures) {
          tell(false, performance.now() - away);
          away = undefined;
        }
        return slice;
      } catch (thrown) {
        failures++;
        if (away === undefined) tell(true, 0);
        away ??= performance.now();
        throw thrown;
      }
    },
  };
}
