import { type Caller, type CallerLimits, limitNames } from "../../accounts/index.ts";
import { TenonError } from "../../base/errors.ts";
import { type LimitRules, type RateRule, Share, type SharedLimits } from "../../fleet/index.ts";
import { Bucket } from "./bucket.ts";

/** A minute in milliseconds. */
const minute = 60_000;

/** What a caller may use in a minute, or at once; undefined where there is no limit. */
export type Allowance = { readonly [Name in (typeof limitNames)[number]]: number | undefined };

/** What each limit is about, for messages. */
const texts = {
  requests: "requests a minute",
  concurrent: "requests at once",
  writes: "writes a minute",
  points: "points of the platform's limit a minute",
  searchSeconds: "seconds of cached searches a minute",
  bodyMib: "MiB of request bodies a minute",
  cpuSeconds: "seconds of processor time for reading and checking requests and making large responses a minute",
} as const satisfies Record<keyof Allowance, string>;

type Budget = Exclude<keyof Allowance, "concurrent">;
type OwnBudget = "bodyMib" | "cpuSeconds";
type SharedBudget = Exclude<Budget, OwnBudget>;

/**
 * What each process limits by itself, because it protects the event loop of that process, and is used by every request: telling the others
 * would cost more than the use.
 */
const ofProcess: readonly (keyof Allowance)[] = ["bodyMib", "cpuSeconds"] satisfies OwnBudget[];

/** Into how many bursts a minute's processor time is divided: all of it at once would keep the event loop busy for seconds. */
const burstsOfTime = 6;

/** How much of which limits something takes. */
type Need = { readonly [Name in keyof Allowance]?: number };

/** The state of the limit of requests, for the headers of an answer. */
export interface LimitUse {
  readonly limit: number;
  readonly left: number;
  /** Seconds until all of it is there again. */
  readonly reset: number;
}

/** How much of a limit is used. */
export interface UsedLimit {
  /** What the limit is about, such as "requests a minute". */
  readonly what: string;
  readonly used: number;
  readonly limit: number;
}

/** Limits that other processes keep too, and the name of the caller in them. */
interface SharedCaller {
  readonly limits: SharedLimits;
  readonly key: string;
}

/** How often something is requested from the shared limits before it is refused: others may be faster each time. */
const mostTurns = 4;

/**
 * How much one caller has used lately. Where other processes serve the caller too, its limits count for all of them together; while they
 * cannot be reached, this process keeps to its part of them.
 */
export class Usage {
  readonly allowance: Allowance;
  readonly #buckets = new Map<keyof Allowance, Bucket>();
  readonly #now: () => number;
  readonly #share: Share | undefined;
  /** What requests wait for. */
  readonly #waiting = new Set<Need>();
  #underWay = 0;

  /** @param shared absent where this process alone serves the caller */
  constructor(allowance: Allowance, now: () => number, shared?: SharedCaller) {
    this.allowance = allowance;
    this.#now = now;
    for (const name of limitNames) {
      const limit = allowance[name];
      if (limit === undefined || name === "concurrent") continue;
      this.#buckets.set(name, new Bucket(limit, now(), name === "cpuSeconds" ? limit / burstsOfTime : limit));
    }
    const isLimited = limitNames.some((name) => allowance[name] !== undefined && !ofProcess.includes(name));
    if (shared !== undefined && isLimited)
      this.#share = new Share({
        ...shared,
        rules: rulesOf(allowance),
        wanted: () => [...this.#waiting],
        onSlice: () => undefined,
      });
  }

  /**
   * Counts a request that begins.
   *
   * @returns a function to call once when it has ended
   * @throws TenonError `too_many_requests`
   */
  async begin(): Promise<() => void> {
    const need = this.#limited({ requests: 1, concurrent: 1 });
    await this.#obtain(need, () => {
      this.#use(need);
      this.#underWay++;
    });
    return () => {
      this.#underWay--;
      this.#share?.end(need);
    };
  }

  /** Takes from a budget. @throws TenonError `too_many_requests` when it has not so much */
  async take(name: SharedBudget, amount: number): Promise<void> {
    const need = this.#limited({ [name]: amount });
    await this.#obtain(need, () => this.#use(need));
  }

  /** Checks budgets that the process has for itself. @throws TenonError `too_many_requests` when one has not so much */
  checkOwn(need: Readonly<Partial<Record<OwnBudget, number>>>): void {
    this.#checkOwn(this.#limited(need));
  }

  /** @throws TenonError `too_many_requests` when a budget has not so much */
  async check(name: SharedBudget, amount = 1): Promise<void> {
    await this.#obtain(this.#limited({ [name]: amount }), () => undefined);
  }

  /** Takes from a budget what has been used already. */
  spend(name: Budget, amount: number): void {
    const bucket = this.#buckets.get(name);
    bucket?.take(amount * this.#weightOf(name), this.#now());
    if (bucket !== undefined && !ofProcess.includes(name)) this.#share?.spend(name, amount);
  }

  /** Does work whose processor time counts. */
  measure<Result>(work: () => Result): Result {
    if (!this.#buckets.has("cpuSeconds")) return work();
    const began = performance.now();
    try {
      return work();
    } finally {
      this.spend("cpuSeconds", (performance.now() - began) / 1000);
    }
  }

  /** What is used of each limit now, the largest part first. What other processes use of a shared limit is not in it. */
  get used(): UsedLimit[] {
    const now = this.#now();
    const { concurrent } = this.allowance;
    const used = [...this.#buckets].map(([name, bucket]) => ({
      what: texts[name],
      used: Math.min(bucket.limit, (bucket.reset(now) / minute) * bucket.limit),
      limit: bucket.limit,
    }));
    if (concurrent !== undefined) used.push({ what: texts.concurrent, used: this.#underWay, limit: concurrent });
    return used.filter((one) => one.used > 0).sort((one, other) => other.used / other.limit - one.used / one.limit);
  }

  /** Undefined where requests have no limit. */
  get requests(): LimitUse | undefined {
    const bucket = this.#buckets.get("requests");
    if (bucket === undefined) return undefined;
    const { limit } = bucket;
    const known = this.#share?.isAway === false ? this.#share.left("requests") : undefined;
    const now = this.#now();
    if (known === undefined)
      return { limit, left: Math.floor(bucket.left(now) / this.#weight), reset: Math.ceil(bucket.reset(now) / 1000) };
    const left = Math.max(0, Math.min(limit, known.left + ((performance.now() - known.at) / minute) * limit));
    return { limit, left: Math.floor(left), reset: Math.ceil(((limit - left) / limit) * (minute / 1000)) };
  }

  /** Whether nothing would be lost if this were forgotten. */
  get isIdle(): boolean {
    const now = this.#now();
    return this.#underWay === 0 && [...this.#buckets.values()].every((bucket) => bucket.reset(now) === 0);
  }

  /** For how many processes each use counts in the budgets of this one. */
  get #weight(): number {
    return this.#share?.weight ?? 1;
  }

  #weightOf(name: keyof Allowance): number {
    return ofProcess.includes(name) ? 1 : this.#weight;
  }

  /** What of a need has a limit. */
  #limited(need: Need): Need {
    // Most callers have no limits, and all of a request's checks come here.
    if (this.#buckets.size === 0 && this.allowance.concurrent === undefined) return nothing;
    return Object.fromEntries(amountsOf(need).filter(([name]) => this.allowance[name] !== undefined));
  }

  /**
   * Waits until it is known whether so much is there.
   *
   * @param use called in the moment in which it is there
   * @throws TenonError `too_many_requests` when it is not
   */
  async #obtain(need: Need, use: () => void): Promise<void> {
    const share = amountsOf(need).length === 0 ? undefined : this.#share;
    for (let turn = 0; share !== undefined && turn < mostTurns; turn++) {
      const now = performance.now();
      const has = share.has(need, now);
      if (share.isAway) break;
      if (has) return use();
      if (share.freeAt(need, now) > now) break;
      this.#waiting.add(need);
      await share.renewed();
      this.#waiting.delete(need);
    }
    if (share?.isAway === false) throw this.#refusal(need, share);
    this.#checkOwn(need);
    use();
  }

  #refusal(need: Need, share: Share): TenonError {
    const now = performance.now();
    const waits = amountsOf(need).map(([name, amount]) => ({ name, wait: share.freeAt({ [name]: amount }, now) - now }));
    const { name, wait } = waits.reduce((longest, one) => (one.wait > longest.wait ? one : longest));
    return tooMany(this.allowance[name] ?? 0, name, wait);
  }

  #use(need: Need): void {
    const amounts = amountsOf(need);
    for (const [name, amount] of amounts) this.#buckets.get(name)?.take(amount * this.#weightOf(name), this.#now());
    if (amounts.length > 0) this.#share?.use(need);
  }

  #checkOwn(need: Need): void {
    const weight = this.#weight;
    const { concurrent } = this.allowance;
    const isFull = concurrent !== undefined && this.#underWay > 0 && (this.#underWay + 1) * weight > concurrent;
    if (need.concurrent !== undefined && isFull) throw tooMany(concurrent, "concurrent", 1000);
    for (const [name, amount] of amountsOf(need)) {
      const bucket = this.#buckets.get(name);
      const wait = bucket?.wait(amount * this.#weightOf(name), this.#now()) ?? 0;
      if (bucket !== undefined && wait > 0) throw tooMany(bucket.limit, name, wait);
    }
  }
}

const nothing: Need = {};

function amountsOf(need: Need): (readonly [name: keyof Allowance, amount: number])[] {
  if (need === nothing) return [];
  return limitNames.flatMap((name) => {
    const amount = need[name];
    return amount === undefined ? [] : [[name, amount] as const];
  });
}

function rulesOf(allowance: Allowance): LimitRules {
  const rates: Record<string, RateRule> = {};
  for (const name of limitNames) {
    const limit = allowance[name];
    if (limit !== undefined && name !== "concurrent" && !ofProcess.includes(name))
      rates[name] = { limit, span: minute, refill: "even" };
  }
  return { rates, slots: allowance.concurrent === undefined ? {} : { concurrent: { limit: allowance.concurrent } }, budgets: [] };
}

function tooMany(limit: number, name: keyof Allowance, wait: number): TenonError {
  const retryAfter = Math.max(1, Math.ceil(wait / 1000));
  return new TenonError("too_many_requests", `This caller may have ${limit} ${texts[name]}.`, { retryAfter });
}

/** Callers whose usage is remembered. Above that, those are forgotten that have used nothing for a minute. */
const mostCallers = 10_000;

interface KnownUsage {
  /** JSON of the limits. */
  readonly of: string;
  /** The caller's own limits as they were given. The same object, or none again, saves the comparison of the text. */
  readonly own: CallerLimits | undefined;
  readonly usage: Usage;
}

/** Keeps the limits of all callers. */
export class Usages {
  readonly #usual: CallerLimits;
  readonly #operator: CallerLimits;
  readonly #now: () => number;
  readonly #shared: SharedLimits | undefined;
  readonly #usages = new Map<string, KnownUsage>();

  /**
   * @param usual limits of callers that have none of their own
   * @param operator limits of the operator's key
   * @param options `shared`: limits that other processes keep too; `now`: milliseconds, never going back
   */
  constructor(
    usual: CallerLimits,
    operator: CallerLimits,
    { shared, now = () => performance.now() }: { readonly shared?: SharedLimits | undefined; readonly now?: () => number } = {},
  ) {
    this.#usual = usual;
    this.#operator = operator;
    this.#now = now;
    this.#shared = shared;
  }

  of({ id, grant, isOperator }: Caller): Usage {
    const own = isOperator === true ? this.#operator : grant.limits;
    const known = this.#usages.get(id);
    if (known !== undefined && known.own === own) return known.usage;
    const limits = isOperator === true ? this.#operator : { ...this.#usual, ...own };
    const key = JSON.stringify(limits);
    // A caller whose limits were changed begins anew.
    if (known?.of === key) return known.usage;
    if (this.#usages.size >= mostCallers) this.#forget();
    const allowance = Object.fromEntries(limitNames.map((name) => [name, limits[name]])) as Allowance;
    const shared = this.#shared && { limits: this.#shared, key: `caller ${id}` };
    const usage = new Usage(allowance, this.#now, shared);
    this.#usages.set(id, { of: key, own, usage });
    return usage;
  }

  /** The callers that are nearest to one of their limits, the nearest first, with what they have used of each. */
  nearest(most: number): { readonly caller: string; readonly used: readonly UsedLimit[] }[] {
    const part = ([first]: readonly UsedLimit[]) => (first === undefined ? 0 : first.used / first.limit);
    return [...this.#usages]
      .map(([caller, { usage }]) => ({ caller, used: usage.used }))
      .filter(({ used }) => used.length > 0)
      .sort((one, other) => part(other.used) - part(one.used))
      .slice(0, most);
  }

  #forget(): void {
    for (const [id, { usage }] of this.#usages) if (usage.isIdle) this.#usages.delete(id);
  }
}
