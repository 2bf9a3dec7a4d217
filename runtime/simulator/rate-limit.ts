import type { Api } from "./fault.ts";

export interface Budget {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  /** Milliseconds since 1970, a whole second. */
  readonly reset: number;
}

/** What every account may ask for in an hour, counted for each API by itself. */
export interface RateLimits {
  /** Takes points; false: there are none left, and none were taken. */
  spend(account: string, api: Api, points: number): boolean;
  budget(account: string, api: Api): Budget;
  /** Sets what is left, for everybody. `resetIn` is in seconds. */
  set(api: Api, remaining: number, limit?: number, resetIn?: number): void;
  clear(): void;
}

const hour = 3600;

/** The end of a period of so many seconds, in milliseconds since 1970. It is rounded up to a whole second, as headers tell it. */
export function resetAfter(seconds: number): number {
  return Math.ceil((Date.now() + seconds * 1000) / 1000) * 1000;
}

/**
 * @param perHour points of one account and API in an hour
 * @param ahead milliseconds by which the platform's clock, which times the reset, is ahead of this machine's
 */
export function createRateLimits(perHour: number, ahead: () => number): RateLimits {
  const budgets = new Map<string, { limit: number; used: number; reset: number }>();
  const lowered = new Map<Api, { limit: number; used: number; reset: number }>();
  const find = (account: string, api: Api) => {
    const key = `${account}:${api}`;
    const known = budgets.get(key);
    if (known !== undefined && known.reset > Date.now()) return known;
    const special = lowered.get(api);
    const fresh =
      special !== undefined && special.reset > Date.now() ? { ...special } : { limit: perHour, used: 0, reset: resetAfter(hour) };
    budgets.set(key, fresh);
    return fresh;
  };
  return {
    spend(account, api, points) {
      const budget = find(account, api);
      if (budget.used + points > budget.limit) return false;
      budget.used += points;
      return true;
    },
    budget(account, api) {
      const { limit, used, reset } = find(account, api);
      return { limit, used, remaining: Math.max(0, limit - used), reset: reset + ahead() };
    },
    set(api, remaining, limit = perHour, resetIn = hour) {
      lowered.set(api, { limit, used: limit - remaining, reset: resetAfter(resetIn) });
      for (const key of budgets.keys()) if (key.endsWith(`:${api}`)) budgets.delete(key);
    },
    clear() {
      budgets.clear();
      lowered.clear();
    },
  };
}
