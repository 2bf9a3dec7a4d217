import type { RateLimitRules } from "../contract/index.ts";
import type { Amounts } from "../fleet/index.ts";
import { pointsAMinute } from "./call-cost.ts";
import { CallerShares, type Cost } from "./caller-shares.ts";
import type { Job, PlatformApi } from "./job.ts";
import { SlidingWindow } from "./window.ts";

const minute = 60_000;
/** Milliseconds of the longest wait. Platforms count by the hour, so a longer wait is a mistake and must not stop all calls. */
export const longestWait = 65 * minute;
/**
 * Milliseconds after which a single call finds out whether the platform accepts calls again, where the platform named a time that may make
 * no sense.
 */
export const trialWait = 5 * minute;

/** When a budget is full again, as of `performance.now()`: what the platform said, or the time of a trial where that makes no sense. */
export function believableReset(reset: number, now: number): number {
  return reset - now > longestWait ? now + trialWait : reset;
}

/** What this process has under way with one credential, and has used of its limits: all calls together, and each caller's share. */
export class CredentialUse {
  readonly #rules: RateLimitRules;
  readonly #weight: () => number;
  readonly #callers: CallerShares;
  readonly #points: Readonly<Record<PlatformApi, SlidingWindow>>;
  readonly #writes: readonly SlidingWindow[];
  /** The limits of single calls. */
  readonly #calls: ReadonlyMap<string, { readonly window: SlidingWindow; heldUntil: number }>;
  readonly #budget: Record<PlatformApi, { remaining: number; reset: number }>;
  readonly #inFlight: Record<PlatformApi, number> = { graphql: 0, rest: 0 };
  readonly #pointsInFlight: Record<PlatformApi, number> = { graphql: 0, rest: 0 };
  #inBackground = 0;
  #writing = false;
  #lastWrite = Number.NEGATIVE_INFINITY;

  /** @param weight how many calls each call counts for: while shared limits cannot be reached, as many as there are processes */
  constructor(rules: RateLimitRules, weight: () => number) {
    this.#rules = rules;
    this.#weight = weight;
    const points = (bucket: PlatformApi) =>
      new SlidingWindow(rules.points?.[bucket]?.perMinute ?? Number.POSITIVE_INFINITY, minute);
    this.#points = { graphql: points("graphql"), rest: points("rest") };
    const { perMinute = Number.POSITIVE_INFINITY, perHour = Number.POSITIVE_INFINITY } = rules.writes ?? {};
    this.#writes = [new SlidingWindow(perMinute, minute), new SlidingWindow(perHour, 60 * minute)];
    this.#calls = new Map(
      Object.entries(rules.calls ?? {}).map(([call, limit]) => [
        call,
        { window: new SlidingWindow(limit, minute), heldUntil: 0 },
      ]),
    );
    const unknown = () => ({ remaining: Number.POSITIVE_INFINITY, reset: 0 });
    this.#budget = { graphql: unknown(), rest: unknown() };
    const totals = { active: () => this.active, weight, points: this.#points, writes: this.#writes, budget: this.#budget };
    this.#callers = new CallerShares(rules, totals);
  }

  /** Calls under way. */
  get active(): number {
    return this.#inFlight.graphql + this.#inFlight.rest;
  }

  activeOf(bucket: PlatformApi): number {
    return this.#inFlight[bucket];
  }

  /** Milliseconds between two writes. */
  get spacing(): number {
    return this.#rules.writes?.spacing ?? 0;
  }

  begin(job: Job, now: number): void {
    const { bucket, points, background, write } = job;
    this.#inFlight[bucket]++;
    this.#pointsInFlight[bucket] += points;
    if (background) this.#inBackground++;
    const cost = this.#costOf(job);
    this.#callers.begin(job, cost, now);
    this.#points[bucket].add(cost.points, now);
    this.#budget[bucket].remaining -= points * this.#weight();
    this.#calls.get(job.limit ?? "")?.window.add(this.#weight(), now);
    if (!write) return;
    this.#writing = true;
    for (const window of this.#writes) window.add(cost.writes, now);
  }

  end(job: Job): void {
    this.#callers.end(job);
    this.#inFlight[job.bucket]--;
    this.#pointsInFlight[job.bucket] -= job.points;
    if (job.background) this.#inBackground--;
    if (!job.write) return;
    this.#writing = false;
    this.#lastWrite = performance.now();
  }

  /** When the platform's limits have room for a call, as of `now`. */
  freeAt(job: Job, now: number): number {
    const { bucket, background, points, write } = job;
    const weight = this.#weight();
    const cost = this.#costOf(job);
    let earliest = Math.max(now, this.#points[bucket].freeAt(cost.points, now));
    const { remaining, reset } = this.#budget[bucket];
    const reserve = background ? (this.#rules.background?.reserve ?? 0) : 0;
    if (remaining - reserve < points * weight && reset > now) earliest = Math.max(earliest, reset);
    const own = this.#calls.get(job.limit ?? "");
    if (own !== undefined) {
      const amount = Math.min(weight, own.window.limit);
      earliest = Math.max(earliest, own.heldUntil, own.window.freeAt(amount, now));
    }
    if (!write) return earliest;
    // It is unknown when a write under way will end. The queue is looked at again at its end.
    if (this.#writing) return Math.max(earliest, now + this.spacing + 1);
    for (const window of this.#writes) earliest = Math.max(earliest, window.freeAt(cost.writes, now));
    return Math.max(earliest, this.#lastWrite + this.spacing * weight);
  }

  /** Holds back calls that have a limit of their own. @returns until when; undefined where there is no such limit */
  hold(limit: string, until: number): number | undefined {
    const own = this.#calls.get(limit);
    if (own === undefined) return undefined;
    own.heldUntil = Math.max(own.heldUntil, until);
    return own.heldUntil;
  }

  /** When the share of its caller has room for a call, as of `now`. */
  shareFreeAt(job: Job, now: number): number {
    return this.#callers.freeAt(job, this.#costOf(job), now);
  }

  /** Whether one more call may be under way. */
  hasRoom(job: Job): boolean {
    const weight = this.#weight();
    const isFree = (active: number, limit: number) => active === 0 || (active + 1) * weight <= limit;
    const inBackground = this.#rules.background?.concurrent ?? 1;
    if (!isFree(this.active, this.#rules.concurrent) || (job.background && !isFree(this.#inBackground, inBackground)))
      return false;
    return this.#callers.hasRoom(job);
  }

  /** Notes the budget that an answer reports. @param points what the answered call took */
  observe(bucket: PlatformApi, remaining: number, reset: number, points: number): void {
    // The platform has counted the call that it answers, but maybe not yet the others under way, so those are subtracted.
    const others = Math.max(0, this.#pointsInFlight[bucket] - points);
    this.#budget[bucket] = { remaining: remaining - others, reset };
  }

  /** Notes that a budget is used up until a time. @returns when it is full again */
  exhaust(bucket: PlatformApi, until: number): number {
    const known = this.#budget[bucket];
    const reset = Math.max(known.remaining <= 0 ? known.reset : 0, until);
    this.#budget[bucket] = { remaining: 0, reset };
    return reset;
  }

  /** Takes over what other processes have learned of the budgets. @param resetIn milliseconds until they are full again */
  learn(left: Amounts, resetIn: Amounts, now: number): void {
    for (const bucket of ["graphql", "rest"] as const) {
      const remaining = left[bucket];
      if (remaining !== undefined) this.#budget[bucket] = { remaining, reset: now + (resetIn[bucket] ?? 0) };
    }
  }

  /** Points that are left of a bucket's hourly budget; undefined while no answer has reported it. */
  quotaLeft(bucket: PlatformApi): number | undefined {
    const { remaining } = this.#budget[bucket];
    return Number.isFinite(remaining) ? Math.max(0, remaining) : undefined;
  }

  #costOf(job: Job): Cost {
    const weight = this.#weight();
    return {
      points: Math.min(pointsAMinute(job, this.#rules) * weight, this.#rules.points?.[job.bucket]?.perMinute ?? 0),
      writes: Math.min(weight, this.#rules.writes?.perMinute ?? 1),
    };
  }
}
