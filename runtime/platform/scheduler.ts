import { TenonError } from "../base/errors.ts";
import { FairQueue } from "../base/fair-queue.ts";
import type { RateLimitRules } from "../contract/index.ts";
import { type Amounts, Share, type SharedLimits, type Slice } from "../fleet/index.ts";
import { callerNeedOf, callLimit, limitRules, needOf } from "./call-cost.ts";
import { believableReset, CredentialUse, longestWait } from "./credential-use.ts";
import type { Job, PlatformApi } from "./job.ts";

interface QueuedJob extends Job {
  /** Calls of one kind take the same of every limit. */
  readonly kind: string;
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

/**
 * Decides when each call of one credential may go out. All calls share it, because the platform counts them together. It keeps the
 * limits on requests under way, on points a minute, and on the hourly budget of each bucket; it sends one write at a time with a pause
 * after it, and keeps any pause that the platform asks for. Callers take turns, and each keeps to its share of every limit. The calls of
 * one caller go out in order, but reads pass writes that wait for their pause.
 *
 * Where other processes use the credential too, a call also needs its part of a slice of the shared limits, and of its caller's share
 * there.
 */
export class Scheduler {
  readonly #rules: RateLimitRules;
  readonly #share: Share | undefined;
  readonly #use: CredentialUse;
  readonly #queue = new FairQueue<QueuedJob>(longestQueue);
  #pausedUntil = 0;
  /** When the platform last refused calls of both buckets; undefined when it has accepted one since. A single call goes out first. */
  #held: number | undefined;
  /**
   * Buckets in which the platform refused calls, or named a reset that makes no sense, with the time when it last did. After the wait a
   * single call goes out first; the others follow when the platform has accepted it.
   */
  readonly #refused = new Map<PlatformApi, number>();
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
    this.#use = new CredentialUse(rules, () => this.#share?.weight ?? 1);
  }

  /**
   * Runs a call when its turn comes.
   *
   * @throws TenonError `rate_limited` when the call could not start before its deadline, `too_many_requests` when that is because of its
   * caller's share, `overloaded` when too many calls wait and most of them are of its caller, `deadline_exceeded` when the caller has gone
   */
  async run<Result>(job: Job, call: () => Promise<Result>): Promise<Result> {
    const now = performance.now();
    if (this.#queue.size === 0 && this.#hasRoom(job) && !job.signal.aborted && this.#earliest(job, now) <= now)
      this.#begin(job, now);
    else await this.#turn(job);
    try {
      return await call();
    } finally {
      this.#share?.end(this.#needOf(job));
      this.#use.end(job);
      this.#admit();
    }
  }

  /**
   * Notes the budget that an answer reports.
   *
   * @param reset when the budget is full again, as of `performance.now()`
   * @param points what the answered call took
   */
  observe(bucket: PlatformApi, remaining: number, reset: number, points = 1): void {
    const now = performance.now();
    const believed = believableReset(reset, now);
    if (believed < reset && remaining <= 0) this.#refused.set(bucket, now);
    this.#share?.report(bucket, { left: remaining, resetIn: Math.max(0, believed - now) });
    this.#use.observe(bucket, remaining, believed, points);
  }

  /** Notes that an answer says nothing of the budget. */
  unobserved(bucket: PlatformApi): void {
    this.#share?.report(bucket, { left: null, resetIn: 0 });
  }

  /** Notes that a call has no answer; it may have taken its points all the same. */
  lost(bucket: PlatformApi, points: number): void {
    this.#share?.lose(bucket, points);
  }

  /** Points that are left of a bucket's hourly budget; undefined while no answer has reported it. */
  quotaLeft(bucket: PlatformApi): number | undefined {
    return this.#use.quotaLeft(bucket);
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

  /**
   * Stops the calls that have a limit of their own, in all processes, until a time (as of `performance.now()`).
   *
   * @returns when they may go out again; undefined where there is no such limit
   */
  holdCall(limit: string, until: number): number | undefined {
    const held = this.#use.hold(limit, Math.min(until, performance.now() + longestWait));
    if (held !== undefined) this.#share?.hold(callLimit(limit), held);
    return held;
  }

  /** Notes that the hourly budget of one bucket is used up until a time. @returns when calls may go out again */
  exhausted(bucket: PlatformApi, until: number): number {
    const now = performance.now();
    this.#refused.set(bucket, now);
    const reset = this.#use.exhaust(bucket, believableReset(until, now));
    this.#share?.report(bucket, { left: 0, resetIn: Math.max(0, reset - now) });
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
  taken(bucket: PlatformApi, started: number): void {
    if (started >= this.#lastRefusal) this.#refusals = 0;
    if (started >= (this.#refused.get(bucket) ?? 0)) this.#refused.delete(bucket);
    if (this.#held === undefined || started < this.#held) return;
    this.#held = undefined;
    this.#share?.accept();
  }

  #hold(until: number): void {
    this.#held = performance.now();
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  /** Takes over what other processes have learned from the platform. */
  #learn({ wait, trial, left, resetIn }: Slice): void {
    const now = performance.now();
    if (now + wait > this.#pausedUntil && wait > 0) this.#hold(now + wait);
    if (trial) this.#held ??= now;
    this.#use.learn(left, resetIn, now);
  }

  /** What the waiting calls need that this process would send now if it were alone. */
  #wanted(): Amounts[] {
    const now = performance.now();
    const needs: Amounts[] = [];
    for (const job of this.#queue.inTurn()) {
      if (needs.length >= this.#rules.concurrent) break;
      if (this.#earliest(job, now) <= now) needs.push(this.#needOf(job));
    }
    return needs;
  }

  #turn(job: Job): Promise<void> {
    const now = performance.now();
    const alone = this.#earliest(job, now);
    const earliest = alone + (job.write ? this.#writesAhead(job, alone, now) * this.#use.spacing : 0);
    if (earliest > job.deadline) return Promise.reject(this.#tooLate(job, earliest, now));
    if (job.signal.aborted) return Promise.reject(gone());
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#queue.remove(queued);
        reject(gone());
      };
      const settled = () => job.signal.removeEventListener("abort", leave);
      const queued: QueuedJob = {
        ...job,
        kind: `${job.bucket} ${job.write} ${job.background} ${job.points} ${job.limit ?? ""} ${job.caller}`,
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
      this.#queue.add(job.caller, queued)?.refuse(tooManyCalls());
      this.#admit();
    });
  }

  /**
   * Writes that wait and go out before one that comes now. Writes go out one at a time, so each of them adds its pause.
   *
   * @param earliest when it may go out if it is alone; callers without room in their share until then do not go before it
   */
  #writesAhead({ caller }: Job, earliest: number, now: number): number {
    const waiting = new Map<string, number>();
    for (const one of this.#queue.inTurn()) {
      const known = waiting.get(one.caller);
      const counts = one.write && (known !== undefined || this.#callerFreeAt(one, now) <= earliest);
      if (counts) waiting.set(one.caller, (known ?? 0) + 1);
    }
    const own = waiting.get(caller) ?? 0;
    return [...waiting].reduce((sum, [name, count]) => sum + (name === caller ? own : Math.min(count, own + 1)), 0);
  }

  /** Starts the calls that may start, in turn, refuses those that would start too late, and sets a timer for the next change. */
  #admit(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    let wake = Number.POSITIVE_INFINITY;
    /** Kinds of which a call waits, with when it may go out: what begins meanwhile only leaves less for the others of its kind. */
    const waiting = new Map<string, number>();
    for (const job of this.#queue.inTurn()) {
      const known = waiting.get(job.kind);
      const earliest = known ?? this.#earliest(job, now);
      if (earliest > job.deadline || now >= job.deadline) {
        this.#queue.remove(job);
        job.refuse(this.#tooLate(job, earliest, now));
      } else if (known === undefined && earliest <= now && this.#hasRoom(job)) {
        this.#queue.remove(job);
        this.#begin(job, now);
        job.start();
      } else {
        // A call that waits for another one is looked at again when that one ends, or at its own deadline.
        wake = Math.min(wake, earliest > now ? earliest : job.deadline);
        waiting.set(job.kind, earliest);
      }
    }
    if (wake < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#admit(), Math.min(Math.ceil(wake - now), minute));
  }

  #begin(job: Job, now: number): void {
    this.#queue.served(job.caller);
    this.#share?.use(this.#needOf(job));
    this.#use.begin(job, now);
  }

  /** When a call may go out at the earliest. */
  #earliest(job: Job, now: number): number {
    return Math.max(this.#platformFreeAt(job, now), this.#callerFreeAt(job, now));
  }

  /** When the share of its caller has room for a call. */
  #callerFreeAt(job: Job, now: number): number {
    const shared = this.#share?.freeAt(callerNeedOf(job, this.#rules), now) ?? now;
    return Math.max(shared, this.#use.shareFreeAt(job, now));
  }

  #needOf(job: Job): Amounts {
    return { ...needOf(job, this.#rules), ...callerNeedOf(job, this.#rules) };
  }

  /** When the platform's limits have room for a call. */
  #platformFreeAt(job: Job, now: number): number {
    const shared = this.#share?.freeAt(needOf(job, this.#rules), now) ?? now;
    return Math.max(this.#pausedUntil, shared, this.#use.freeAt(job, now));
  }

  #hasRoom(job: Job): boolean {
    const { bucket } = job;
    if (this.#held !== undefined ? this.#use.active > 0 : this.#refused.has(bucket) && this.#use.activeOf(bucket) > 0)
      return false;
    return this.#use.hasRoom(job) && this.#share?.has(this.#needOf(job), performance.now()) !== false;
  }

  #tooLate(job: Job, earliest: number, now: number): TenonError {
    const seconds = Math.max(1, Math.ceil((earliest - now) / 1000));
    if (this.#callerFreeAt(job, now) > this.#platformFreeAt(job, now))
      return new TenonError(
        "too_many_requests",
        `This caller has used its share of the platform's rate limit. There is room for this call in ${seconds} s.`,
        { retryAfter: seconds },
      );
    if (earliest <= now)
      return new TenonError(
        "rate_limited",
        "As many calls are under way as the platform takes at once, and none of them ended while this call could wait.",
        { retryAfter: seconds },
      );
    return new TenonError("rate_limited", `The platform's rate limit leaves no room for this call for ${seconds} s.`, {
      retryAfter: seconds,
    });
  }
}

function tooManyCalls(): TenonError {
  return new TenonError("overloaded", "Too many calls to the platform are waiting. Try again shortly.", { retryAfter: 5 });
}

function gone(): TenonError {
  return new TenonError("deadline_exceeded", "The caller went away before the call could be sent.");
}
