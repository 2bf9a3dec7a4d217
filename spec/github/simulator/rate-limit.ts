/** The two budgets that the platform keeps apart. */
export type Resource = "graphql" | "core";

export interface Budget {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  /** Milliseconds since 1970, a whole second. */
  readonly reset: number;
}

export interface RateLimits {
  /** Takes points; false: there are none left, and none were taken. */
  spend(login: string, resource: Resource, points: number): boolean;
  budget(login: string, resource: Resource): Budget;
  /** Sets what is left, for everybody. */
  set(resource: Resource, remaining: number, limit?: number, resetIn?: number): void;
  clear(): void;
}

const hourly = 5000;
const hour = 3_600_000;

/** The end of a period so many seconds ahead. Told in whole seconds, so it is rounded up: waiting until then is always enough. */
export function resetAfter(seconds: number): number {
  return Math.ceil((Date.now() + seconds * 1000) / 1000) * 1000;
}

export function createRateLimits(): RateLimits {
  const budgets = new Map<string, { limit: number; used: number; reset: number }>();
  const lowered = new Map<Resource, { limit: number; used: number; reset: number }>();
  const find = (login: string, resource: Resource) => {
    const key = `${login}:${resource}`;
    const known = budgets.get(key);
    if (known !== undefined && known.reset > Date.now()) return known;
    const special = lowered.get(resource);
    const fresh =
      special !== undefined && special.reset > Date.now()
        ? { ...special }
        : { limit: hourly, used: 0, reset: resetAfter(hour / 1000) };
    budgets.set(key, fresh);
    return fresh;
  };
  return {
    spend(login, resource, points) {
      const budget = find(login, resource);
      if (budget.used + points > budget.limit) return false;
      budget.used += points;
      return true;
    },
    budget(login, resource) {
      const { limit, used, reset } = find(login, resource);
      return { limit, used, remaining: Math.max(0, limit - used), reset };
    },
    set(resource, remaining, limit = hourly, resetIn = hour / 1000) {
      lowered.set(resource, { limit, used: limit - remaining, reset: resetAfter(resetIn) });
      for (const key of budgets.keys()) if (key.endsWith(`:${resource}`)) budgets.delete(key);
    },
    clear() {
      budgets.clear();
      lowered.clear();
    },
  };
}

export function quotaHeaders(budget: Budget, resource: Resource): Record<string, string> {
  return {
    "x-ratelimit-limit": String(budget.limit),
    "x-ratelimit-remaining": String(budget.remaining),
    "x-ratelimit-used": String(budget.used),
    "x-ratelimit-reset": String(budget.reset / 1000),
    "x-ratelimit-resource": resource,
  };
}
