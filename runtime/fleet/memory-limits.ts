import { type LimitState, noState, renewSlice } from "./renew-slice.ts";
import type { SharedLimits } from "./shared-limits.ts";

// Decision 14 in runtime/site/text/decisions-service.md says why: a single process does not keep its limits as a fleet.

/**
 * Keeps the limits of owners within one process.
 *
 * A service of one process does not use it, although a `Share` of it would replace `Bucket` and `SlidingWindow`: the execute route would
 * take more than a tenth more processor time, where 2 % were allowed. Measured in November 2026 on a busy machine, in 25 alternations of
 * 30,000 requests in one process, as medians: the limits of a caller took 4.0 µs without and 5.9 µs with a `Share`, those of a platform
 * 1.0 µs and 11.4 µs, of about 90 µs for a whole request. Most of it goes into the texts of needs and into a renewal a second.
 *
 * @param clock milliseconds since 1970
 */
export function memoryLimits(clock: () => number = Date.now): SharedLimits {
  const states = new Map<string, LimitState>();
  return {
    renew: async (key, rules, ask) => {
      const { state, slice } = renewSlice(states.get(key) ?? noState, rules, ask, clock());
      states.set(key, state);
      return slice;
    },
  };
}
