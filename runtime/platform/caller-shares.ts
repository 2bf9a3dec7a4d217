import type { RateLimitRules } from "../contract/index.ts";
import type { Job, PlatformApi } from "./job.ts";
import { SlidingWindow } from "./window.ts";

/** What all calls together use of a credential's limits. */
export interface Totals {
  /** Calls under way. */
  readonly active: () => number;
  /** As how many calls each one counts. */
  readonly weight: () => number;
  readonly points: Readonly<Record<PlatformApi, SlidingWindow>>;
  readonly writes: readonly SlidingWindow[];
  /** What is left of the hourly budgets, and when they are full again. */
  readonly budget: Readonly<Record<PlatformApi, { readonly remaining: number; readonly reset: number }>>;
}

/** What a call takes of the limits of a minute, and a write of the limits of writes. */
export interface Cost {
  readonly points: number;
  readonly writes: number;
}

/** What one caller has used lately. */
interface Use {
  active: number;
  readonly points: Readonly<Record<PlatformApi, SlidingWindow>>;
  readonly writes: readonly SlidingWindow[];
  /** Points of the hourly budgets, each until its budget is full again. */
  readonly hour: Record<PlatformApi, { points: number; until: number }>;
}

/** Stands for the end of a budget's window while that is not known. */
const unknown = Number.POSITIVE_INFINITY;
/** Callers whose use is remembered. Above that, those are forgotten that have used nothing lately. */
const mostCallers = 1_000;

/**
 * Keeps a part of each limit of a credential free for callers who have used less of it: a caller may use its share of what the others have
 * not used. With a share of one half, a caller alone may use half of a limit, two callers a third each, and so on. A caller who has used
 * nothing of a limit always gets what is left of it.
 */
export class CallerShares {
  readonly #rules: RateLimitRules;
  readonly #totals: Totals;
  readonly #uses = new Map<string, Use>();

  constructor(rules: RateLimitRules, totals: Totals) {
    this.#rules = rules;
    this.#totals = totals;
  }

  /** When the caller's share has room for a call, as of `now`; `now` itself when it has. */
  freeAt({ caller, share, bucket, write, points }: Job, cost: Cost, now: number): number {
    const use = share < 1 ? this.#uses.get(caller) : undefined;
    if (use === undefined) return now;
    const totals = this.#totals;
    const partOf = (own: SlidingWindow, all: SlidingWindow | undefined, amount: number) => {
      if (all === undefined || own.used(now) === 0) return now;
      return own.freeAt(amount, now, share * (all.limit - all.used(now) + own.used(now)));
    };
    let free = partOf(use.points[bucket], totals.points[bucket], cost.points);
    if (write)
      for (const [index, own] of use.writes.entries()) free = Math.max(free, partOf(own, totals.writes[index], cost.writes));
    const { remaining, reset } = totals.budget[bucket];
    const used = this.#hourOf(use, bucket, now);
    const isOver = used > 0 && used + points * totals.weight() > share * (used + Math.max(0, remaining));
    return isOver && reset > now ? Math.max(free, reset) : free;
  }

  /** Whether the caller may have one more call under way. */
  hasRoom({ caller, share }: Job): boolean {
    const own = share < 1 ? (this.#uses.get(caller)?.active ?? 0) : 0;
    const [active, weight] = [this.#totals.active(), this.#totals.weight()];
    return own === 0 || (own + 1) * weight <= share * (this.#rules.concurrent - (active - own) * weight);
  }

  begin({ caller, share, bucket, write, points }: Job, cost: Cost, now: number): void {
    if (share >= 1) return;
    const use = this.#uses.get(caller) ?? this.#add(caller, now);
    use.active++;
    use.points[bucket].add(cost.points, now);
    if (write) for (const window of use.writes) window.add(cost.writes, now);
    const known = this.#hourOf(use, bucket, now);
    use.hour[bucket] = { points: known + points * this.#totals.weight(), until: use.hour[bucket].until };
  }

  end({ caller, share }: Job): void {
    if (share >= 1) return;
    const use = this.#uses.get(caller);
    if (use !== undefined) use.active--;
  }

  /** Points of a budget that a caller has used since it was full. A budget of which nothing is known yet counts until that is known. */
  #hourOf({ hour }: Use, bucket: PlatformApi, now: number): number {
    const { reset } = this.#totals.budget[bucket];
    const { points, until } = hour[bucket];
    const isKnown = reset > now;
    if (until === unknown) hour[bucket] = { points, until: isKnown ? reset : unknown };
    else if (until <= now) hour[bucket] = { points: 0, until: isKnown ? reset : unknown };
    return hour[bucket].points;
  }

  #isIdle(use: Use, now: number): boolean {
    const windows = [use.points.graphql, use.points.rest, ...use.writes];
    const isUsed = windows.some((window) => window.used(now) > 0);
    // A platform may never say what is left.
    const isCounted = (bucket: PlatformApi) => this.#hourOf(use, bucket, now) > 0 && use.hour[bucket].until !== unknown;
    return use.active === 0 && !isUsed && !isCounted("graphql") && !isCounted("rest");
  }

  #add(caller: string, now: number): Use {
    if (this.#uses.size >= mostCallers) for (const [name, use] of this.#uses) if (this.#isIdle(use, now)) this.#uses.delete(name);
    const { points, writes } = this.#totals;
    const like = (window: SlidingWindow) => new SlidingWindow(window.limit, window.span);
    const use: Use = {
      active: 0,
      points: { graphql: like(points.graphql), rest: like(points.rest) },
      writes: writes.map(like),
      hour: { graphql: { points: 0, until: unknown }, rest: { points: 0, until: unknown } },
    };
    this.#uses.set(caller, use);
    return use;
  }
}
