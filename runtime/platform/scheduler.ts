import { TenonError } from "../base/errors.ts";
import type { RateLimitRules } from "../contract/index.ts";
import { SlidingWindow } from "./window.ts";

export type Bucket = "graphql" | "rest";

export interface Job {
  readonly bucket: Bucket;
  readonly write: boolean;
  /** What the call takes from the hourly budget of its bucket. */
  readonly points: number;
  /** No caller waits for the call: it goes out only while it takes nothing from other calls. */
  readonly background: boolean;
  /** Time (as of `performance.now()`) after which starting the call is useless. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

interface QueuedJob extends Job {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/** How many calls may wait. Further calls are refused at once, so that a burst cannot fill the memory. */
const longestQueue = 1000;
const minute = 60_000;
/** Milliseconds of the longest wait. Platforms count by the hour, so a longer wait is a mistake and must not stop all calls. */
const longestWait = 65 * minute;

/**
 * Decides when each call of one credential may go out. All calls share it, because the platform counts them together. It keeps the
 * limits on requests under way, on points a minute, and on the hourly budget of each bucket; it sends one write at a time with a pause
 * after it, and keeps any pause that the platform asks for. Calls go out in order, but reads pass writes that wait for their pause.
 */
export class Scheduler {
  readonly #rules: RateLimitRules;
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

  constructor(rules: RateLimitRules) {
    this.#rules = rules;
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
    // The platform has counted the call that it answers, but maybe not yet the others under way, so those are subtracted.
    const others = Math.max(0, this.#pointsInFlight[bucket] - points);
    this.#budget[bucket] = { remaining: remaining - others, reset: Math.min(reset, performance.now() + longestWait) };
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
    for (const bucket of ["graphql", "rest"] as const) this.#refused.set(bucket, performance.now());
    this.#pausedUntil = Math.max(this.#pausedUntil, Math.min(until, performance.now() + longestWait));
    return this.#pausedUntil;
  }

  /** Notes that the hourly budget of one bucket is used up until a time. @returns when calls may go out again */
  exhausted(bucket: Bucket, until: number): number {
    this.#refused.set(bucket, performance.now());
    const known = this.#budget[bucket];
    const reset = Math.max(known.remaining <= 0 ? known.reset : 0, Math.min(until, performance.now() + longestWait));
    this.#budget[bucket] = { remaining: 0, reset };
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
    this.#inFlight[job.bucket]++;
    this.#pointsInFlight[job.bucket] += job.points;
    if (job.background) this.#inBackground++;
    this.#points[job.bucket].add(this.#cost(job), now);
    this.#budget[job.bucket].remaining -= job.points;
    if (!job.write) return;
    this.#writing = true;
    for (const window of this.#writes) window.add(1, now);
  }

  #earliest(job: Job, now: number): number {
    let earliest = Math.max(now, this.#pausedUntil, this.#points[job.bucket].freeAt(this.#cost(job), now));
    const budget = this.#budget[job.bucket];
    const reserve = job.background ? (this.#rules.background?.reserve ?? 0) : 0;
    if (budget.remaining - reserve < job.points && budget.reset > now) earliest = Math.max(earliest, budget.reset);
    if (!job.write) return earliest;
    // It is unknown when a write under way will end. The queue is looked at again at its end.
    if (this.#writing) return Math.max(earliest, now + this.#spacing + 1);
    for (const window of this.#writes) earliest = Math.max(earliest, window.freeAt(1, now));
    return Math.max(earliest, this.#lastWrite + this.#spacing);
  }

  #hasRoom({ bucket, background }: Job): boolean {
    if (this.#refused.has(bucket) && this.#inFlight[bucket] > 0) return false;
    return (
      this.#active < this.#rules.concurrent && (!background || this.#inBackground < (this.#rules.background?.concurrent ?? 1))
    );
  }

  /** Milliseconds between two writes. */
  get #spacing(): number {
    return this.#rules.writes?.spacing ?? 0;
  }

  get #active(): number {
    return this.#inFlight.graphql + this.#inFlight.rest;
  }

  #cost(job: Job): number {
    const budget = this.#rules.points?.[job.bucket];
    if (budget === undefined) return 0;
    // A call that takes more of the hourly budget counts with that. A minute must have room for any call.
    return job.write ? budget.write : Math.min(Math.max(budget.read, job.points), budget.perMinute);
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
