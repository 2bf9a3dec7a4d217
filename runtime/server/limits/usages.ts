import { type Caller, type CallerLimits, limitNames } from "../../accounts/index.ts";
import { TenonError } from "../../base/errors.ts";
import { Bucket } from "./bucket.ts";

/** What a caller may use in a minute, or at once; undefined where there is no limit. */
export type Allowance = { readonly [Name in (typeof limitNames)[number]]: number | undefined };

/** What each limit is about, for messages. */
const texts = {
  requests: "requests a minute",
  concurrent: "requests at once",
  writes: "writes a minute",
  points: "points of the platform's limit a minute",
  searchSeconds: "seconds of cached searches a minute",
} as const satisfies Record<keyof Allowance, string>;

type Budget = Exclude<keyof Allowance, "concurrent">;

/** The state of the limit of requests, for the headers of an answer. */
export interface LimitState {
  readonly limit: number;
  readonly left: number;
  /** Seconds until all of it is there again. */
  readonly reset: number;
}

/** How much one caller has used lately. */
export class Usage {
  readonly allowance: Allowance;
  readonly #buckets = new Map<Budget, Bucket>();
  readonly #now: () => number;
  #underWay = 0;

  constructor(allowance: Allowance, now: () => number) {
    this.allowance = allowance;
    this.#now = now;
    for (const name of limitNames) {
      const limit = allowance[name];
      if (limit !== undefined && name !== "concurrent") this.#buckets.set(name, new Bucket(limit, now()));
    }
  }

  /** Counts a request that begins. @returns a function to call once when it has ended. @throws TenonError `too_many_requests` */
  begin(): () => void {
    const { concurrent } = this.allowance;
    if (concurrent !== undefined && this.#underWay >= concurrent) throw tooMany(concurrent, "concurrent", 1000);
    this.take("requests", 1);
    this.#underWay++;
    return () => {
      this.#underWay--;
    };
  }

  /** Takes from a budget. @throws TenonError `too_many_requests` when it has not so much */
  take(name: Budget, amount: number): void {
    this.check(name, amount);
    this.spend(name, amount);
  }

  /** @throws TenonError `too_many_requests` when a budget has not so much */
  check(name: Budget, amount = 1): void {
    const bucket = this.#buckets.get(name);
    const wait = bucket?.wait(amount, this.#now()) ?? 0;
    if (bucket !== undefined && wait > 0) throw tooMany(bucket.limit, name, wait);
  }

  /** Takes from a budget what has been used already. */
  spend(name: Budget, amount: number): void {
    this.#buckets.get(name)?.take(amount, this.#now());
  }

  /** Undefined where requests have no limit. */
  get requests(): LimitState | undefined {
    const bucket = this.#buckets.get("requests");
    if (bucket === undefined) return undefined;
    const now = this.#now();
    return { limit: bucket.limit, left: bucket.left(now), reset: Math.ceil(bucket.reset(now) / 1000) };
  }

  /** Whether nothing would be lost if this were forgotten. */
  get isIdle(): boolean {
    const now = this.#now();
    return this.#underWay === 0 && [...this.#buckets.values()].every((bucket) => bucket.reset(now) === 0);
  }
}

function tooMany(limit: number, name: keyof Allowance, wait: number): TenonError {
  const retryAfter = Math.max(1, Math.ceil(wait / 1000));
  return new TenonError("too_many_requests", `This caller may have ${limit} ${texts[name]}.`, { retryAfter });
}

/** Callers whose usage is remembered. Above that, those are forgotten that have used nothing for a minute. */
const mostCallers = 10_000;

/** Keeps the limits of all callers of this process. */
export class Usages {
  readonly #usual: CallerLimits;
  readonly #operator: CallerLimits;
  readonly #now: () => number;
  readonly #usages = new Map<string, { readonly of: string; readonly usage: Usage }>();

  /**
   * @param usual limits of callers that have none of their own
   * @param operator limits of the operator's key
   * @param now milliseconds, never going back
   */
  constructor(usual: CallerLimits, operator: CallerLimits, now = () => performance.now()) {
    this.#usual = usual;
    this.#operator = operator;
    this.#now = now;
  }

  of({ id, grant, isOperator }: Caller): Usage {
    const limits = isOperator === true ? this.#operator : { ...this.#usual, ...grant.limits };
    const key = JSON.stringify(limits);
    const known = this.#usages.get(id);
    // A caller whose limits were changed begins anew.
    if (known?.of === key) return known.usage;
    if (this.#usages.size >= mostCallers) this.#forget();
    const allowance = Object.fromEntries(limitNames.map((name) => [name, limits[name]])) as Allowance;
    const usage = new Usage(allowance, this.#now);
    this.#usages.set(id, { of: key, usage });
    return usage;
  }

  #forget(): void {
    for (const [id, { usage }] of this.#usages) if (usage.isIdle) this.#usages.delete(id);
  }
}
