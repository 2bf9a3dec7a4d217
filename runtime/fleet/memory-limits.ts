import { exchange, type LimitState, noState } from "./exchange.ts";
import type { SharedLimits } from "./shared-limits.ts";

/** Keeps the limits of owners within one process. @param clock milliseconds since 1970 */
export function memoryLimits(clock: () => number = Date.now): SharedLimits {
  const states = new Map<string, LimitState>();
  return {
    exchange: async (key, rules, ask) => {
      const { state, slice } = exchange(states.get(key) ?? noState, rules, ask, clock());
      states.set(key, state);
      return slice;
    },
  };
}
