import { TenonError } from "../base/errors.ts";
import type { RateLimitRules } from "../contract/index.ts";
import { type Amounts, Share, type SharedLimits, type Slice } from "../fleet/index.ts";
import { limitRules, needOf, pointsAMinute } from "./call-cost.ts";
import type { Bucket, Job } from "./job.ts";
import { SlidingWindow } from "./window.ts";

interface QueuedJob extends Job {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/** How many calls may wait. Further calls are refused at once, so that a burst cannot fill the memory. */
const longestQueue = 1000;

/** Limits that other processes use too. */
export interface SharedCredential {
  readonly limits: SharedLimits;
  /** Identifies the credential without revealing it. */
  readonly key: string;
}

const minute = 60_000;
/** Milliseconds of the longest wait. Platforms count by the hour, so a longer wait is a mistake and must not stop all calls. */
const longestWait = 65 * minute;

/**
 * Decides when each call of one credential may go out. All calls share it, because the platform counts them together. It keeps the
 * limits on requests under way, on points a minute, and on the hourly budget of each bucket; it sends one write at a time with a pause
 * after it, and keeps any pause that the platform asks for. Calls go out in order, but reads pass writes that wait for their pause.
 *
 * Where other processes use the credential too, a call also needs its part of a slice of the shared limits.
 */
export class Scheduler {
  readonly #rules: RateLimitRules;
  readonly #share: Share | undefined;
  readonly #points: Readonly<Record<Bucket, SlidingWindow>>;
  readonly #writes: readonly SlidingWindow[];
  readonly #budget: Record<Bucket, { remaining: number; reset: number }>;
  readonly #queue: QueuedJob[] = [];
  readonly #inFlight: Record<Bucket, number> = { graphql: 0, rest: 0 };
  readonly #pointsInFlight: Record<Bucket, number> = { graphql: 0, rest: 0 };
  #inBackground = 0;
  #writing = false;
  #lastWrite = Number.NEGATIVE_INFINITY;
  #pausedUntil = 0;
  /**
   * Buckets in which the platform refused calls, with the time of the last refusal. After the wait a single call goes out first; the
   * others follow when the platform has accepted it.
   */
  readonly #refused = new Map<Bucket, number>();
  #refusals = 0;
  #lastRefusal = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** @param shared absent where no other process uses the credential */
  constructor(rules: RateLimitRules, shared?: SharedCredential) {
    this.#rules = rules;
    this.#share =
      shared &&
      new Share({
        ...shared,
        rules: limitRules(rules),
        wanted: () => this.#wanted(),
        onSlice: (slice) => {
          if (slice !== undefined) this.#learn(slice);
          this.#admit();
        },
      });
    const points = (bucket: Bucket) => new SlidingWindow(rules.points?.[bucket]?.perMinute ?? Number.POSITIVE_INFINITY, minute);
    this.#points = { graphql: points("graphql"), rest: points("rest") };
    const { perMinute = Number.POSITIVE_INFINITY, perHour = Number.POSITIVE_INFINITY } = rules.writes ?? {};
    this.#writes = [new SlidingWindow(perMinute, minute), new SlidingWindow(perHour, 60 * minute)];
    const unknown = () => ({ remaining: Number.POSITIVE_INFINITY, reset: 0 });
    this.#budget = { graphql: unknown(), rest: unknown() };
  }

  /**
   * Runs a call when its turn comes.
   *
   * @throws TenonError `rate_limited` when the call could not start before its deadline, `overloaded` when too many calls wait,
   *   `deadline_exceeded` when the caller has gone
   */
  async run<Result>(job: Job, call: () => Promise<Result>): Promise<Result> {
    const now = performance.now();
    if (this.#queue.length === 0 && this.#hasRoom(job) && !job.signal.aborted && this.#earliest(job, now) <= now)
      this.#begin(job, now);
    else await this.#turn(job);
    try {
      return await call();
    } finally {
      this.#share?.end(needOf(job, this.#rules));
      this.#inFlight[job.bucket]--;
      this.#pointsInFlight[job.bucket] -= job.points;
      if (job.background) this.#inBackground--;
      if (job.write) {
        this.#writing = false;
        this.#lastWrite = performance.now();
      }
      this.#admit();
    }
  }

  /**
   * Notes the budget that an answer reports.
   *
   * @param reset when the budget is full again, as of `performance.now()`
   * @param points what the answered call took
   */
  observe(bucket: Bucket, remaining: number, reset: number, points = 1): void {
    this.#share?.report(bucket, { left: remaining, resetIn: Math.max(0, reset - performance.now()) });
    // The platform has counted the call that it answers, but maybe not yet the others under way, so those are subtracted.
    const others = Math.max(0, this.#pointsInFlight[bucket] - points);
    this.#budget[bucket] = { remaining: remaining - others, reset: Math.min(reset, performance.now() + longestWait) };
  }

  /** Notes that an answer says nothing of the budget. */
  unobserved(bucket: Bucket): void {
    this.#share?.report(bucket, { left: null, resetIn: 0 });
  }

  /** Notes that a call has no answer; it may have taken its points all the same. */
  lost(bucket: Bucket, points: number): void {
    this.#share?.lose(bucket, points);
  }

  /** Points that are left of a bucket's hourly budget; undefined while no answer has reported it. */
  quotaLeft(bucket: Bucket): number | undefined {
    const { remaining } = this.#budget[bucket];
    return Number.isFinite(remaining) ? Math.max(0, remaining) : undefined;
  }

  /**
   * Stops all calls because of a secondary limit, until a time (as of `performance.now()`).
   *
   * @returns when the pause ends; later than `until` while an earlier pause lasts longer
   */
  pause(until: number): number {
    this.#hold(Math.min(until, performance.now() + longestWait));
    this.#share?.pause(this.#pausedUntil);
    return this.#pausedUntil;
  }

  /** Notes that the hourly budget of one bucket is used up until a time. @returns when calls may go out again */
  exhausted(bucket: Bucket, until: number): number {
    this.#refused.set(bucket, performance.now());
    const known = this.#budget[bucket];
    const reset = Math.max(known.remaining <= 0 ? known.reset : 0, Math.min(until, performance.now() + longestWait));
    this.#budget[bucket] = { remaining: 0, reset };
    this.#share?.report(bucket, { left: 0, resetIn: Math.max(0, reset - performance.now()) });
    return reset;
  }

  /**
   * Milliseconds to pause when the platform did not say how long: a minute, doubled each time when the pause was not long enough.
   *
   * @param started when the refused call went out; refusals of calls that were under way together count once
   */
  nextPause(started: number): number {
    if (started >= this.#lastRefusal) {
      this.#refusals++;
      this.#lastRefusal = performance.now();
    }
    return minute * 2 ** Math.min(this.#refusals - 1, 5);
  }

  /**
   * Notes that the platform accepted a call. Pauses start small again and calls go out together again, unless the call was already under
   * way at the last refusal.
   */
  taken(bucket: Bucket, started: number): void {
    if (started >= this.#lastRefusal) this.#refusals = 0;
    if (started >= (this.#refused.get(bucket) ?? 0)) this.#refused.delete(bucket);
  }

  #hold(until: number): void {
    for (const bucket of ["graphql", "rest"] as const) this.#refused.set(bucket, performance.now());
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  /** Takes over what other processes have learned from the platform. */
  #learn({ wait, left, resetIn }: Slice): void {
    const now = performance.now();
    if (now + wait > this.#pausedUntil && wait > 0) this.#hold(now + wait);
    for (const bucket of ["graphql", "rest"] as const) {
      const remaining = left[bucket];
      if (remaining !== undefined) this.#budget[bucket] = { remaining, reset: now + (resetIn[bucket] ?? 0) };
    }
  }

  /** What the waiting calls need that this process would send now if it were alone. */
  #wanted(): Amounts[] {
    const now = performance.now();
    const needs: Amounts[] = [];
    for (const job of this.#queue) {
      if (needs.length >= this.#rules.concurrent) break;
      if (this.#earliest(job, now) <= now) needs.push(needOf(job, this.#rules));
    }
    return needs;
  }

  #turn(job: Job): Promise<void> {
    // Writes go out one at a time, so each write ahead adds its pause.
    const ahead = job.write ? this.#queue.filter((one) => one.write).length * this.#spacing : 0;
    const earliest = this.#earliest(job, performance.now()) + ahead;
    if (earliest > job.deadline) return Promise.reject(this.#tooLate(earliest));
    if (this.#queue.length >= longestQueue)
      return Promise.reject(
        new TenonError("overloaded", "Too many calls to the platform are waiting. Try again shortly.", { retryAfter: 5 }),
      );
    if (job.signal.aborted) return Promise.reject(gone());
    return new Promise((resolve, reject) => {
      const leave = () => {
        const index = this.#queue.indexOf(queued);
        if (index >= 0) this.#queue.splice(index, 1);
        reject(gone());
      };
      const settled = () => job.signal.removeEventListener("abort", leave);
      const queued: QueuedJob = {
        ...job,
        start: () => {
          settled();
          resolve();
        },
        refuse: (error) => {
          settled();
          reject(error);
        },
      };
      job.signal.addEventListener("abort", leave, { once: true });
      this.#queue.push(queued);
      this.#admit();
    });
  }

  /** Starts the calls that may start, in order, refuses those that would start too late, and sets a timer for the next change. */
  #admit(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    let wake = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.#queue.length; ) {
      const job = this.#queue[index];
      if (job === undefined) break;
      const earliest = this.#earliest(job, now);
      if (earliest > job.deadline || now >= job.deadline) {
        this.#queue.splice(index, 1);
        job.refuse(this.#tooLate(earliest));
      } else if (earliest <= now && this.#hasRoom(job)) {
        this.#queue.splice(index, 1);
        this.#begin(job, now);
        job.start();
      } else {
        // A call that waits for another one is looked at again when that one ends, or at its own deadline.
        wake = Math.min(wake, earliest > now ? earliest : job.deadline);
        index++;
      }
    }
    if (wake < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#admit(), Math.min(Math.ceil(wake - now), minute));
  }

  #begin(job: Job, now: number): void {
    this.#share?.use(needOf(job, this.#rules));
    this.#inFlight[job.bucket]++;
    this.#pointsInFlight[job.bucket] += job.points;
    if (job.background) this.#inBackground++;
    this.#points[job.bucket].add(this.#weighted(job), now);
    this.#budget[job.bucket].remaining -= job.points * this.#weight;
    if (!job.write) return;
    this.#writing = true;
    for (const window of this.#writes) window.add(this.#writeWeight, now);
  }

  #earliest(job: Job, now: number): number {
    const { bucket, background, points, write } = job;
    const weight = this.#weight;
    let earliest = Math.max(now, this.#pausedUntil, this.#points[bucket].freeAt(this.#weighted(job), now));
    const { remaining, reset } = this.#budget[bucket];
    const reserve = background ? (this.#rules.background?.reserve ?? 0) : 0;
    if (remaining - reserve < points * weight && reset > now) earliest = Math.max(earliest, reset);
    if (this.#share !== undefined) earliest = Math.max(earliest, this.#share.freeAt(needOf(job, this.#rules), now));
    if (!write) return earliest;
    // It is unknown when a write under way will end. The queue is looked at again at its end.
    if (this.#writing) return Math.max(earliest, now + this.#spacing + 1);
    for (const window of this.#writes) earliest = Math.max(earliest, window.freeAt(this.#writeWeight, now));
    return Math.max(earliest, this.#lastWrite + this.#spacing * weight);
  }

  #hasRoom(job: Job): boolean {
    const { bucket, background } = job;
    if (this.#refused.has(bucket) && this.#inFlight[bucket] > 0) return false;
    const weight = this.#weight;
    const isFree = (active: number, limit: number) => active === 0 || (active + 1) * weight <= limit;
    const inBackground = this.#rules.background?.concurrent ?? 1;
    if (!isFree(this.#active, this.#rules.concurrent) || (background && !isFree(this.#inBackground, inBackground))) return false;
    return this.#share?.has(needOf(job, this.#rules), performance.now()) !== false;
  }

  /** Milliseconds between two writes. */
  get #spacing(): number {
    return this.#rules.writes?.spacing ?? 0;
  }

  get #active(): number {
    return this.#inFlight.graphql + this.#inFlight.rest;
  }

  /** How many calls each call counts for: while the shared limits cannot be reached, as many as there are processes. */
  get #weight(): number {
    return this.#share?.weight ?? 1;
  }

  get #writeWeight(): number {
    return Math.min(this.#weight, this.#rules.writes?.perMinute ?? 1);
  }

  #weighted(job: Job): number {
    return Math.min(pointsAMinute(job, this.#rules) * this.#weight, this.#rules.points?.[job.bucket]?.perMinute ?? 0);
  }

  #tooLate(earliest: number): TenonError {
    const seconds = Math.max(1, Math.ceil((earliest - performance.now()) / 1000));
    return new TenonError("rate_limited", `The platform's rate limit leaves no room for this call for ${seconds} s.`, {
      retryAfter: seconds,
    });
  }
}

function gone(): TenonError {
  return new TenonError("deadline_exceeded", "The caller went away before the call could be sent.");
}
