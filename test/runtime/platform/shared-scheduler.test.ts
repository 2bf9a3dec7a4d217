import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RateLimitRules } from "../../../runtime/contract/index.ts";
import { memoryLimits, type SharedLimits, sliceTime } from "../../../runtime/fleet/index.ts";
import type { Job } from "../../../runtime/platform/job.ts";
import { Scheduler } from "../../../runtime/platform/scheduler.ts";

const minute = 60_000;
const rules: RateLimitRules = {
  headers: { remaining: "r", reset: "s" },
  concurrent: 4,
  writes: { spacing: 1_000, perMinute: 5, perHour: 100 },
  points: { rest: { perMinute: 40, read: 1, write: 5 } },
};
const { points: _points, writes: _writes, ...budgetOnly } = rules;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const job = (more: Partial<Job> = {}): Job => ({
  bucket: "rest",
  write: false,
  points: 1,
  background: false,
  deadline: performance.now() + 3 * 60 * minute,
  signal: new AbortController().signal,
  caller: "a",
  share: 1,
  ...more,
});

/** A platform with a budget for each window of some minutes. It notes every call, with how many were under way. */
function platform(limit: number, window: number) {
  const calls: { readonly at: number; readonly write: boolean; readonly ended: number; readonly active: number }[] = [];
  let active = 0;
  let used = 0;
  let reset = performance.now() + window;
  const refused: number[] = [];
  const call = async (scheduler: Scheduler, write = false, ms = 20) => {
    active++;
    const at = performance.now();
    if (at >= reset) {
      reset += window * Math.ceil((at - reset + 1) / window);
      used = 0;
    }
    if (used >= limit) refused.push(at);
    else used++;
    const left = limit - used;
    const known = reset;
    const under = active;
    await new Promise((resume) => setTimeout(resume, ms));
    active--;
    calls.push({ at, write, ended: performance.now(), active: under });
    scheduler.observe("rest", left, known);
  };
  return { calls, refused, call };
}

function fleet(count: number, given: RateLimitRules, limits: SharedLimits = memoryLimits()) {
  return Array.from({ length: count }, () => new Scheduler(given, { limits, key: "credential a" }));
}

/** The most calls that began within one span. */
function mostWithin(span: number, times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + span).length));
}

describe("schedulers of several processes with one credential", () => {
  it("together never take more than the platform's budget, and all of it", async () => {
    const schedulers = fleet(4, budgetOnly);
    const { calls, refused, call } = platform(50, 10 * minute);
    const ended = vi.fn();
    for (let count = 0; count < 120; count++) {
      const scheduler = schedulers[count % 4] as Scheduler;
      void scheduler.run(job(), () => call(scheduler)).then(ended);
    }
    await vi.advanceTimersByTimeAsync(minute);
    expect(ended).toHaveBeenCalledTimes(50);
    await vi.advanceTimersByTimeAsync(10 * minute);
    expect(ended).toHaveBeenCalledTimes(100);
    await vi.advanceTimersByTimeAsync(10 * minute);
    expect(ended).toHaveBeenCalledTimes(120);
    expect(refused).toEqual([]);
    expect(calls.length).toBe(120);
  });

  it("together wait until the budget is full again that the platform told one of them is used up", async () => {
    const [first, second] = fleet(2, budgetOnly);
    for (const scheduler of [first, second]) void scheduler?.run(job(), () => Promise.resolve());
    await vi.advanceTimersByTimeAsync(sliceTime);
    first?.exhausted("rest", performance.now() + 10 * minute);
    await vi.advanceTimersByTimeAsync(sliceTime);
    const went = vi.fn();
    for (const scheduler of [first, second]) void scheduler?.run(job(), () => Promise.resolve(went()));
    await vi.advanceTimersByTimeAsync(9 * minute);
    expect(went).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(3 * minute);
    expect(went).toHaveBeenCalledTimes(2);
  });

  it("together keep the points of a minute, and the calls at once", async () => {
    const schedulers = fleet(3, rules);
    const { calls, call } = platform(100_000, 60 * minute);
    for (let count = 0; count < 120; count++) {
      const scheduler = schedulers[count % 3] as Scheduler;
      void scheduler.run(job(), () => call(scheduler, false, 300));
    }
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect(calls.length).toBe(120);
    expect(
      mostWithin(
        minute,
        calls.map(({ at }) => at),
      ),
    ).toBeLessThanOrEqual(40);
    expect(Math.max(...calls.map(({ active }) => active))).toBe(4);
  });

  it("together keep the limit of a single call, and let others pass", async () => {
    const schedulers = fleet(3, { concurrent: 4, calls: { "POST /notes": 6 } });
    const limited: number[] = [];
    const free = vi.fn();
    for (let count = 0; count < 18; count++) {
      const scheduler = schedulers[count % 3] as Scheduler;
      void scheduler.run(job({ limit: "POST /notes" }), () => Promise.resolve(limited.push(performance.now())));
      void scheduler.run(job({ limit: "GET /notes" }), () => Promise.resolve(free()));
    }
    await vi.advanceTimersByTimeAsync(minute / 2);
    expect(limited).toHaveLength(6);
    expect(free).toHaveBeenCalledTimes(18);
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect(limited).toHaveLength(18);
    expect(mostWithin(minute, limited)).toBeLessThanOrEqual(6);
  });

  it("together hold a call that the platform refused one of them, and let others pass", async () => {
    const [first, second] = fleet(2, { concurrent: 4, calls: { "POST /notes": 60 } });
    const went = vi.fn();
    await first?.run(job({ limit: "POST /notes" }), () => Promise.resolve());
    expect(first?.holdCall("POST /notes", performance.now() + 30_000)).toBe(performance.now() + 30_000);
    await vi.advanceTimersByTimeAsync(sliceTime);
    for (const scheduler of [first, second]) void scheduler?.run(job({ limit: "POST /notes" }), () => Promise.resolve(went()));
    const others = vi.fn();
    for (const scheduler of [first, second]) void scheduler?.run(job(), () => Promise.resolve(others()));
    await vi.advanceTimersByTimeAsync(28_000);
    expect([went.mock.calls.length, others.mock.calls.length]).toEqual([0, 2]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(went).toHaveBeenCalledTimes(2);
  });

  it("tell of a refused call when the limits can be reached again", async () => {
    const memory = memoryLimits();
    let away = false;
    const limits: SharedLimits = {
      renew: (key, given, ask) => (away ? Promise.reject(new Error("away")) : memory.renew(key, given, ask)),
    };
    const [first, second] = fleet(2, { concurrent: 4, calls: { "POST /notes": 60 } }, limits);
    away = true;
    await first?.run(job(), () => Promise.resolve());
    first?.holdCall("POST /notes", performance.now() + 30_000);
    await vi.advanceTimersByTimeAsync(5_000);
    away = false;
    await vi.advanceTimersByTimeAsync(2_000);
    const went = vi.fn();
    void second?.run(job({ limit: "POST /notes" }), () => Promise.resolve(went()));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(went).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(went).toHaveBeenCalledTimes(1);
  });

  it("together send one write at a time, with the pause after it", async () => {
    const schedulers = fleet(3, { ...rules, points: { rest: { perMinute: 10_000, read: 1, write: 5 } } });
    const { calls, call } = platform(100_000, 60 * minute);
    for (let count = 0; count < 9; count++) {
      const scheduler = schedulers[count % 3] as Scheduler;
      void scheduler.run(job({ write: true }), () => call(scheduler, true, 400));
    }
    await vi.advanceTimersByTimeAsync(4 * minute);
    expect(calls.length).toBe(9);
    const pauses = calls.slice(1).map(({ at }, index) => at - (calls[index]?.ended ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1_000);
    expect(
      mostWithin(
        minute,
        calls.map(({ at }) => at),
      ),
    ).toBeLessThanOrEqual(5);
  });

  it("keep the pause that the platform required of one of them, at the latest when their slice has ended", async () => {
    const [first, second] = fleet(2, rules) as [Scheduler, Scheduler];
    const { calls, call } = platform(100_000, 60 * minute);
    await Promise.all([second.run(job(), () => call(second)), vi.advanceTimersByTimeAsync(200)]);
    const told = performance.now();
    first.pause(told + 30_000);
    await vi.advanceTimersByTimeAsync(sliceTime);
    const late = performance.now();
    for (let count = 0; count < 10; count++) void second.run(job(), () => call(second));
    await vi.advanceTimersByTimeAsync(28_000);
    expect(calls.filter(({ at }) => at > late)).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls.length).toBe(11);
  });

  it("together send single calls after the pause, until the platform has accepted one", async () => {
    const schedulers = fleet(3, rules);
    const { calls, call } = platform(100_000, 60 * minute);
    schedulers[0]?.pause(performance.now() + 30_000);
    await vi.advanceTimersByTimeAsync(sliceTime);
    let accepts = false;
    for (const scheduler of schedulers)
      for (let count = 0; count < 4; count++)
        void scheduler.run(job(), async () => {
          const began = performance.now();
          await call(scheduler, false, 200);
          if (accepts) scheduler.taken("rest", began);
        });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(calls.length).toBeGreaterThan(0);
    expect(Math.max(...calls.map(({ active }) => active))).toBe(1);
    accepts = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls.length).toBe(12);
    expect(Math.max(...calls.map(({ active }) => active))).toBeGreaterThan(1);
  });

  it("refuse at once what could only begin after its deadline, with when it could", async () => {
    const [first, second] = fleet(2, rules) as [Scheduler, Scheduler];
    first.pause(performance.now() + 30_000);
    await vi.advanceTimersByTimeAsync(10);
    const waits = second.run(job({ deadline: performance.now() + 5_000 }), async () => undefined);
    const refusal = expect(waits).rejects.toMatchObject({ code: "rate_limited", retryAfter: 30 });
    await vi.advanceTimersByTimeAsync(10);
    await refusal;
  });

  it("give what they do not use to the others", async () => {
    const [first, second] = fleet(2, { ...budgetOnly, concurrent: 1_000 }) as [Scheduler, Scheduler];
    const { calls, call } = platform(60, 10 * minute);
    // The first one is busy for a while, and then has nothing to do.
    for (let count = 0; count < 20; count++) void first.run(job(), () => call(first));
    await vi.advanceTimersByTimeAsync(5_000);
    for (let count = 0; count < 60; count++) void second.run(job(), () => call(second));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls.length).toBe(60);
  });

  it("tell what a long call took when it has ended, although its process does nothing else", async () => {
    const [first, second] = fleet(2, budgetOnly) as [Scheduler, Scheduler];
    const { calls, refused, call } = platform(3, 10 * minute);
    void first.run(job(), () => call(first));
    await vi.advanceTimersByTimeAsync(100);
    void first.run(job(), () => call(first, false, 5_500));
    await vi.advanceTimersByTimeAsync(10_000);
    // One is left, and the second process gets it at once.
    for (let count = 0; count < 2; count++) void second.run(job(), () => call(second));
    await vi.advanceTimersByTimeAsync(50);
    expect(calls.length).toBe(3);
    await vi.advanceTimersByTimeAsync(minute);
    expect([calls.length, refused.length]).toEqual([3, 0]);
  });

  it("let the slots of a process that ended to the others", async () => {
    const [first, second] = fleet(2, rules) as [Scheduler, Scheduler];
    const { calls, call } = platform(100_000, 60 * minute);
    // Its calls never end, and its process tells nothing any longer.
    for (let count = 0; count < 4; count++) void first.run(job(), () => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(0);
    vi.clearAllTimers();
    void second.run(job(), () => call(second));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls.length).toBe(1);
  });

  it("send calls although no answer says what is left", async () => {
    const [first] = fleet(1, rules) as [Scheduler];
    const began: number[] = [];
    const silent = async () => {
      began.push(performance.now());
      first.unobserved("rest");
    };
    for (let count = 0; count < 30; count++) void first.run(job(), silent);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(began.length).toBe(30);
  });

  it("send one call of syncs at a time, and take turns with it", async () => {
    const [first, second] = fleet(2, { concurrent: 100, background: { concurrent: 1, reserve: 0 } }) as [Scheduler, Scheduler];
    const { calls, call } = platform(100_000, 60 * minute);
    const ends: { readonly of: string; readonly at: number }[] = [];
    const began = performance.now();
    /** Two scopes, each read with one call after the other. */
    const sync = (of: string, scheduler: Scheduler, count: number) =>
      Promise.all(
        [0, 1].map(async () => {
          for (let serial = 0; serial < count; serial++)
            await scheduler.run(job({ background: true }), () => call(scheduler, false, 300));
          ends.push({ of, at: performance.now() - began });
        }),
      );
    void sync("long", first, 100);
    await vi.advanceTimersByTimeAsync(1_000);
    void sync("short", second, 5);
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(ends.map(({ of }) => of)).toEqual(["short", "short", "long", "long"]);
    expect(ends[1]?.at).toBeLessThan(10_000);
    expect(Math.max(...calls.map(({ active }) => active))).toBe(1);
    // 210 calls of 300 ms take 63 seconds; the rest is lost where one passes the turn on.
    expect(ends[3]?.at).toBeLessThanOrEqual(65_000);
  });

  it("keep each to an equal part while the shared limits cannot be reached, and all of it again afterwards", async () => {
    const memory = memoryLimits();
    let isAway = false;
    const limits: SharedLimits = {
      renew: async (...asked) => {
        if (isAway) throw new Error("away");
        return memory.renew(...asked);
      },
    };
    const [first, second] = fleet(2, { ...rules, concurrent: 10 }, limits) as [Scheduler, Scheduler];
    const { calls, call } = platform(100_000, 60 * minute);
    for (const one of [first, second]) void one.run(job(), () => call(one));
    await vi.advanceTimersByTimeAsync(2 * minute);
    isAway = true;
    for (let count = 0; count < 60; count++) for (const one of [first, second]) void one.run(job(), () => call(one));
    const away = performance.now();
    await vi.advanceTimersByTimeAsync(minute);
    const times = calls.map(({ at }) => at).filter((at) => at >= away);
    // Each one counts its call for two: half of forty points, and half of ten calls at once.
    expect(times.length).toBeGreaterThan(30);
    expect(times.length).toBeLessThanOrEqual(40);
    expect(Math.max(...calls.map(({ active }) => active))).toBeLessThanOrEqual(10);
    isAway = false;
    await vi.advanceTimersByTimeAsync(5 * minute);
    expect(calls.length).toBe(122);
    const later = calls.map(({ at }) => at).filter((at) => at >= away + minute);
    expect(mostWithin(minute, later)).toBeLessThanOrEqual(40);
  });
});
