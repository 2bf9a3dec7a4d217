import { TenonError } from "../base/errors.ts";
import type { RateLimitRules } from "../contract/index.ts";
import { SlidingWindow } from "./window.ts";

export type Bucket = "graphql" | "rest";

export interface Job {
  readonly bucket: Bucket;
  readonly write: boolean;
  /** Nobody waits for it: it goes out only where that takes nothing from others. */
  readonly background: boolean;
  /** Time (as of `performance.now()`) after which a start is of no use. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

interface QueuedJob extends Job {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/** The most calls that may wait; more are refused at once, so that a burst cannot fill the memory. */
const longestQueue = 1000;
const minute = 60_000;
/** Platforms count by the hour, so that a longer wait than this makes no sense and must not stop all calls for as long. */
const longestWait = 65 * minute;

/**
 * Decides when each call of one credential may go out. Reads and writes, GraphQL and REST share it, because the platform counts
 * them together: requests at once, points a minute, one write at a time with a pause, the hourly budget of each bucket, and any
 * pause that the platform asked for. Calls wait in order; a call that waits for a write's pause does not hold up reads.
 */
export class Scheduler {
  readonly #rules: RateLimitRules;
  readonly #points: Readonly<Record<Bucket, SlidingWindow>>;
  readonly #writes: readonly SlidingWindow[];
  readonly #budget: Record<Bucket, { remaining: number; reset: number }>;
  readonly #queue: QueuedJob[] = [];
  readonly #inFlight: Record<Bucket, number> = { graphql: 0, rest: 0 };
  #inBackground = 0;
  #writing = false;
  #lastWrite = Number.NEGATIVE_INFINITY;
  #pausedUntil = 0;
  /**
   * Buckets that refused calls, and when they last did: after the wait a single call goes first, and the others follow when the
   * platform took it.
   */
  readonly #refused = new Map<Bucket, number>();
  #refusals = 0;
  #lastRefusal = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(rules: RateLimitRules) {
    this.#rules = rules;
    this.#points = {
      graphql: new SlidingWindow(rules.points.graphql.perMinute, minute),
      rest: new SlidingWindow(rules.points.rest.perMinute, minute),
    };
    this.#writes = [new SlidingWindow(rules.writes.perMinute, minute), new SlidingWindow(rules.writes.perHour, 60 * minute)];
    const unknown = () => ({ remaining: Number.POSITIVE_INFINITY, reset: 0 });
    this.#budget = { graphql: unknown(), rest: unknown() };
  }

  /**
   * Runs a call when its turn comes.
   *
   * @throws TenonError `rate_limited` at once when its turn would come after the deadline, `overloaded` when too many wait.
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
      if (job.background) this.#inBackground--;
      if (job.write) {
        this.#writing = false;
        this.#lastWrite = performance.now();
      }
      this.#admit();
    }
  }

  /** Takes note of the budget that an answer tells. @param reset in milliseconds, as of `performance.now()` */
  observe(bucket: Bucket, remaining: number, reset: number): void {
    // The call that is answered is counted by the platform; the others under way may not be, so they are counted off.
    const others = Math.max(0, this.#inFlight[bucket] - 1);
    this.#budget[bucket] = { remaining: remaining - others, reset: Math.min(reset, performance.now() + longestWait) };
  }

  quotaLeft(bucket: Bucket): number | undefined {
    const { remaining } = this.#budget[bucket];
    return Number.isFinite(remaining) ? Math.max(0, remaining) : undefined;
  }

  /**
   * A secondary limit, which counts all calls: nothing goes out before `until` (as of `performance.now()`).
   *
   * @returns until when that is so
   */
  pause(until: number): number {
    for (const bucket of ["graphql", "rest"] as const) this.#refused.set(bucket, performance.now());
    this.#pausedUntil = Math.max(this.#pausedUntil, Math.min(until, performance.now() + longestWait));
    return this.#pausedUntil;
  }

  /** The hourly budget of one bucket is used up until then. @returns until when that is so */
  exhausted(bucket: Bucket, until: number): number {
    this.#refused.set(bucket, performance.now());
    const known = this.#budget[bucket];
    const reset = Math.max(known.remaining <= 0 ? known.reset : 0, Math.min(until, performance.now() + longestWait));
    this.#budget[bucket] = { remaining: 0, reset };
    return reset;
  }

  /**
   * How long to pause when the platform did not say, in milliseconds: a minute, and twice as long each time that did not help.
   *
   * @param started when the refused call went out: calls that were under way together are refused together, which counts once
   */
  nextPause(started: number): number {
    if (started >= this.#lastRefusal) {
      this.#refusals++;
      this.#lastRefusal = performance.now();
    }
    return minute * 2 ** Math.min(this.#refusals - 1, 5);
  }

  /**
   * The platform took a call: the pauses start small again and calls go out together again, unless this one was under way already when
   * the last refusal came.
   */
  taken(bucket: Bucket, started: number): void {
    if (started >= this.#lastRefusal) this.#refusals = 0;
    if (started >= (this.#refused.get(bucket) ?? 0)) this.#refused.delete(bucket);
  }

  #turn(job: Job): Promise<void> {
    // Writes go one by one: those ahead take a pause each.
    const ahead = job.write ? this.#queue.filter((one) => one.write).length * this.#rules.writes.spacing : 0;
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

  /** Starts whatever may start, in order, refuses what would come too late, and wakes up when either may change. */
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
        // A call that waits for another one to end is looked at when that ends, or when its own time is up.
        wake = Math.min(wake, earliest > now ? earliest : job.deadline);
        index++;
      }
    }
    if (wake < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#admit(), Math.min(Math.ceil(wake - now), minute));
  }

  #begin(job: Job, now: number): void {
    this.#inFlight[job.bucket]++;
    if (job.background) this.#inBackground++;
    this.#points[job.bucket].add(this.#cost(job), now);
    this.#budget[job.bucket].remaining--;
    if (!job.write) return;
    this.#writing = true;
    for (const window of this.#writes) window.add(1, now);
  }

  #earliest(job: Job, now: number): number {
    let earliest = Math.max(now, this.#pausedUntil, this.#points[job.bucket].freeAt(this.#cost(job), now));
    const budget = this.#budget[job.bucket];
    const reserve = job.background ? (this.#rules.background?.reserve ?? 0) : 0;
    if (budget.remaining <= reserve && budget.reset > now) earliest = Math.max(earliest, budget.reset);
    if (!job.write) return earliest;
    // While a write is under way nobody knows when it ends; its end looks at the queue again.
    if (this.#writing) return Math.max(earliest, now + this.#rules.writes.spacing + 1);
    for (const window of this.#writes) earliest = Math.max(earliest, window.freeAt(1, now));
    return Math.max(earliest, this.#lastWrite + this.#rules.writes.spacing);
  }

  #hasRoom({ bucket, background }: Job): boolean {
    if (this.#refused.has(bucket) && this.#inFlight[bucket] > 0) return false;
    return (
      this.#active < this.#rules.concurrent && (!background || this.#inBackground < (this.#rules.background?.concurrent ?? 1))
    );
  }

  get #active(): number {
    return this.#inFlight.graphql + this.#inFlight.rest;
  }

  #cost(job: Job): number {
    const budget = this.#rules.points[job.bucket];
    return job.write ? budget.write : budget.read;
  }

  #tooLate(earliest: number): TenonError {
    const seconds = Math.max(1, Math.ceil((earliest - performance.now()) / 1000));
    return new TenonError("rate_limited", `The platform's rate limit leaves no room for this call for ${seconds} s.`, {
      retryAfter: seconds,
    });
  }
}

function gone(): TenonError {
  return new TenonError("deadline_exceeded", "The caller went away before its turn came.");
}
