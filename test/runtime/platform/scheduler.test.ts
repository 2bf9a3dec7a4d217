import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RateLimitRules } from "../../../runtime/contract/index.ts";
import { Scheduler } from "../../../runtime/platform/scheduler.ts";
import { rules, start, withoutMinutes } from "./scheduled.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a call with a limit of its own", () => {
  const limited: RateLimitRules = { concurrent: 10, calls: { "POST /notes": 2 } };

  it("waits for a minute after so many, and no other call does", async () => {
    const scheduler = new Scheduler(limited);
    const notes = [1, 2, 3].map(() => start(scheduler, { bucket: "rest", limit: "POST /notes" }));
    const other = start(scheduler, { bucket: "rest" });
    await vi.advanceTimersByTimeAsync(1000);
    expect([...notes, other].map(({ began }) => began !== undefined)).toEqual([true, true, false, true]);
    await vi.advanceTimersByTimeAsync(62_000);
    expect(notes[2]?.began).toBeDefined();
  });

  it("is held back alone after a refusal", async () => {
    const scheduler = new Scheduler(limited);
    expect(scheduler.holdCall("GET /other", performance.now() + 5000)).toBeUndefined();
    scheduler.holdCall("POST /notes", performance.now() + 5000);
    const [note, other] = [start(scheduler, { bucket: "rest", limit: "POST /notes" }), start(scheduler, { bucket: "rest" })];
    await vi.advanceTimersByTimeAsync(4900);
    expect([note.began !== undefined, other.began !== undefined]).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(200);
    expect(note.began).toBeDefined();
  });
});

describe("the scheduler", () => {
  it("sends a single call after a refusal, and the others when the platform has accepted it", async () => {
    const scheduler = new Scheduler(rules);
    scheduler.pause(performance.now() + 1000);
    const calls = [start(scheduler, {}, 500), start(scheduler, {}, 500), start(scheduler, {}, 500)];
    await vi.advanceTimersByTimeAsync(1100);
    expect(calls.map((call) => call.began !== undefined)).toEqual([true, false, false]);
    // The first one is still under way when the platform is known to have taken it.
    scheduler.taken("graphql", performance.now());
    await vi.advanceTimersByTimeAsync(500);
    expect(calls.every((call) => call.began !== undefined)).toBe(true);
    expect(calls[1]?.began).toBe(calls[2]?.began);
  });

  it("sends a single call of both buckets after a refusal of all calls", async () => {
    const scheduler = new Scheduler(rules);
    scheduler.pause(performance.now() + 1000);
    const calls = [start(scheduler, {}, 500), start(scheduler, { bucket: "rest" }, 500)];
    await vi.advanceTimersByTimeAsync(1100);
    expect(calls.map((call) => call.began !== undefined)).toEqual([true, false]);
    scheduler.taken("graphql", performance.now());
    await vi.advanceTimersByTimeAsync(500);
    expect(calls[1]?.began).toBeDefined();
  });

  it("sends single calls until it is known that the platform accepts them", async () => {
    const scheduler = new Scheduler(rules);
    scheduler.exhausted("graphql", performance.now() + 1000);
    const [first, second, third] = [start(scheduler, {}, 500), start(scheduler, {}, 500), start(scheduler, {}, 500)];
    const rest = start(scheduler, { bucket: "rest" });
    await vi.advanceTimersByTimeAsync(100);
    expect(rest.began).toBeDefined();
    await vi.advanceTimersByTimeAsync(1600);
    expect([first, second, third].map((call) => call?.began !== undefined)).toEqual([true, true, false]);
  });

  it("waits at most 65 minutes, whatever the platform asks for", async () => {
    const scheduler = new Scheduler(rules);
    scheduler.pause(performance.now() + 1_000_000_000);
    const call = start(scheduler, { deadline: performance.now() + 2_000_000_000 });
    await vi.advanceTimersByTimeAsync(65 * 60_000 - 1000);
    expect(call.began).toBeUndefined();
    await vi.advanceTimersByTimeAsync(2000);
    expect(call.began).toBeDefined();
  });

  it.each([
    ["a refusal", (scheduler: Scheduler, reset: number) => void scheduler.exhausted("graphql", reset)],
    ["an answer", (scheduler: Scheduler, reset: number) => scheduler.observe("graphql", 0, reset)],
  ])("sends a single call five minutes after %s that names a reset beyond an hour", async (_from, told) => {
    const scheduler = new Scheduler(rules);
    told(scheduler, performance.now() + 1_000_000_000);
    const deadline = performance.now() + 2_000_000_000;
    const calls = [start(scheduler, { deadline }, 500), start(scheduler, { deadline }, 500)];
    await vi.advanceTimersByTimeAsync(5 * 60_000 - 1000);
    expect(calls.map((call) => call.began !== undefined)).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1200);
    expect(calls.map((call) => call.began !== undefined)).toEqual([true, false]);
    scheduler.observe("graphql", 4999, performance.now() + 1_000_000_000);
    scheduler.taken("graphql", performance.now());
    await vi.advanceTimersByTimeAsync(500);
    expect(calls[1]?.began).toBeDefined();
  });

  it("has no more calls under way at once than the platform allows", async () => {
    const scheduler = new Scheduler(rules);
    const calls = Array.from({ length: 5 }, () => start(scheduler, {}, 100));
    await vi.advanceTimersByTimeAsync(50);
    expect(calls.filter((call) => call.began !== undefined).length).toBe(3);
    await vi.advanceTimersByTimeAsync(100);
    expect(calls.every((call) => call.began !== undefined)).toBe(true);
  });

  it("keeps the points of each bucket within the limit of a minute", async () => {
    const scheduler = new Scheduler(rules);
    const begun = performance.now();
    const reads = Array.from({ length: 12 }, () => start(scheduler));
    const rest = start(scheduler, { bucket: "rest" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(reads.filter((call) => call.began !== undefined).length).toBe(10);
    expect(rest.began).toBeDefined();
    await vi.advanceTimersByTimeAsync(62_000);
    expect(reads.every((call) => call.began !== undefined)).toBe(true);
    expect((reads[11]?.began ?? 0) - begun).toBeGreaterThanOrEqual(60_000);
  });

  it("counts a call that takes several points of the hour with as many within a minute, and lets any call pass in a minute", async () => {
    const scheduler = new Scheduler(rules);
    const calls = [4, 4, 4, 50].map((points) => start(scheduler, { points }));
    const begun = () => calls.map(({ began }) => began !== undefined);
    await vi.advanceTimersByTimeAsync(1000);
    expect(begun()).toEqual([true, true, false, false]);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(begun()).toEqual([true, true, true, false]);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(begun()).toEqual([true, true, true, true]);
  });

  it("holds a call back that would take more points than are left of the hour, and lets a cheaper one pass", async () => {
    const scheduler = new Scheduler(withoutMinutes);
    scheduler.observe("graphql", 30, performance.now() + 60_000);
    const first = start(scheduler, { points: 20 }, 100);
    const dear = start(scheduler, { points: 11 });
    const cheap = start(scheduler, { points: 10 });
    await vi.advanceTimersByTimeAsync(1000);
    expect([first, dear, cheap].map(({ began }) => began !== undefined)).toEqual([true, false, true]);
    expect(scheduler.quotaLeft("graphql")).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(dear.began).toBeDefined();
  });

  it("subtracts the points of the other calls under way from what an answer says", async () => {
    const scheduler = new Scheduler(withoutMinutes);
    start(scheduler, { points: 20 }, 100);
    start(scheduler, { points: 7 }, 100);
    await vi.advanceTimersByTimeAsync(0);
    scheduler.observe("graphql", 1000, performance.now() + 60_000, 20);
    expect(scheduler.quotaLeft("graphql")).toBe(993);
  });

  it("sends one write at a time with a pause after it, and lets reads pass", async () => {
    const scheduler = new Scheduler(rules);
    const first = start(scheduler, { bucket: "rest", write: true }, 300);
    const second = start(scheduler, { bucket: "rest", write: true });
    const read = start(scheduler, { bucket: "rest" });
    await vi.advanceTimersByTimeAsync(200);
    expect([first.began, second.began, read.began].map((at) => at !== undefined)).toEqual([true, false, true]);
    await vi.advanceTimersByTimeAsync(5000);
    expect((second.began ?? 0) - (first.began ?? 0)).toBeGreaterThanOrEqual(1300);
  });

  it("keeps writes within the limit of an hour", async () => {
    const scheduler = new Scheduler(rules);
    const writes = Array.from({ length: 8 }, () =>
      start(scheduler, { bucket: "rest", write: true, deadline: performance.now() + 2 * 3_600_000 }),
    );
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect(writes.filter((call) => call.began !== undefined).length).toBe(7);
    await vi.advanceTimersByTimeAsync(33 * 60_000);
    expect(writes.every((call) => call.began !== undefined)).toBe(true);
  });

  it("refuses a call at once that would start after its deadline, and says when it could start", async () => {
    const scheduler = new Scheduler(rules);
    scheduler.pause(performance.now() + 30_000);
    const call = start(scheduler, { deadline: performance.now() + 10_000 });
    await vi.advanceTimersByTimeAsync(0);
    expect(call.error).toMatchObject({ code: "rate_limited", retryAfter: 30 });
  });

  it("waits as long as the platform says, but at most 65 minutes", async () => {
    const hours = 3_600_000;
    for (const [told, kept] of [
      [hours, 3600],
      [1000 * hours, 65 * 60],
    ] as const) {
      const scheduler = new Scheduler(rules);
      scheduler.pause(performance.now() + told);
      const call = start(scheduler, { deadline: performance.now() + 10_000 });
      await vi.advanceTimersByTimeAsync(0);
      expect(call.error).toMatchObject({ code: "rate_limited", retryAfter: kept });
    }
  });

  it("waits for the reset of its own bucket only", async () => {
    const scheduler = new Scheduler(rules);
    scheduler.observe("graphql", 0, performance.now() + 20_000);
    const [read, rest] = [start(scheduler), start(scheduler, { bucket: "rest" })];
    await vi.advanceTimersByTimeAsync(19_000);
    expect([read.began, rest.began].map((at) => at !== undefined)).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(read.began).toBeDefined();
  });

  it("does not send more calls than the budget has left, even before the first answer", async () => {
    const scheduler = new Scheduler({ ...rules, concurrent: 100 });
    scheduler.observe("graphql", 2, performance.now() + 20_000);
    const calls = Array.from({ length: 4 }, () => start(scheduler, {}, 500));
    await vi.advanceTimersByTimeAsync(100);
    expect(calls.filter((call) => call.began !== undefined).length).toBe(2);
  });

  it("forgets a call whose caller has gone", async () => {
    const scheduler = new Scheduler(rules);
    scheduler.pause(performance.now() + 5000);
    const gone = new AbortController();
    const call = start(scheduler, { signal: gone.signal });
    gone.abort();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(call.began).toBeUndefined();
    expect(call.error).toBeDefined();
  });

  it("refuses a call when too many wait", async () => {
    const scheduler = new Scheduler(rules);
    scheduler.pause(performance.now() + 5000);
    const calls = Array.from({ length: 1001 }, () => start(scheduler));
    await vi.advanceTimersByTimeAsync(0);
    expect(calls.filter((call) => call.error !== undefined).length).toBe(1);
    expect(calls[1000]?.error).toMatchObject({ code: "overloaded" });
  });

  it("counts calls that were under way together as one, however they end", async () => {
    const scheduler = new Scheduler(rules);
    const started = performance.now();
    await vi.advanceTimersByTimeAsync(10);
    expect(scheduler.nextPause(started)).toBe(60_000);
    scheduler.taken("graphql", started);
    expect(scheduler.nextPause(started)).toBe(60_000);
    await vi.advanceTimersByTimeAsync(10);
    expect(scheduler.nextPause(performance.now())).toBe(120_000);
  });

  it("doubles the pause each time that the platform refuses without saying for how long", () => {
    const scheduler = new Scheduler(rules);
    const next = () => scheduler.nextPause(performance.now());
    expect([next(), next(), next()]).toEqual([60_000, 120_000, 240_000]);
    scheduler.taken("graphql", performance.now());
    expect(next()).toBe(60_000);
  });
});

describe("background calls", () => {
  const background = { background: true, deadline: performance.now() + 10 * 3_600_000 };
  const reserved: RateLimitRules = { ...rules, concurrent: 100, background: { concurrent: 1, reserve: 5 } };
  const begun = (calls: readonly { readonly began: number | undefined }[]) =>
    calls.filter(({ began }) => began !== undefined).length;

  it("go out one at a time, and let other calls pass", async () => {
    const scheduler = new Scheduler(reserved);
    const calls = Array.from({ length: 3 }, () => start(scheduler, background, 100));
    const others = Array.from({ length: 4 }, () => start(scheduler, {}, 100));
    await vi.advanceTimersByTimeAsync(50);
    expect([begun(calls), begun(others)]).toEqual([1, 4]);
    await vi.advanceTimersByTimeAsync(100);
    expect(begun(calls)).toBe(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(begun(calls)).toBe(3);
  });

  it("go out one at a time when the spec does not say how many", async () => {
    const scheduler = new Scheduler(rules);
    const calls = Array.from({ length: 3 }, () => start(scheduler, background, 100));
    await vi.advanceTimersByTimeAsync(50);
    expect(begun(calls)).toBe(1);
  });

  it("leave the reserve of the budget to other calls, and continue when the budget is full again", async () => {
    const scheduler = new Scheduler(reserved);
    scheduler.observe("graphql", 7, performance.now() + 20_000);
    const calls = Array.from({ length: 4 }, () => start(scheduler, background));
    await vi.advanceTimersByTimeAsync(1000);
    expect([begun(calls), scheduler.quotaLeft("graphql")]).toEqual([2, 5]);
    const others = Array.from({ length: 5 }, () => start(scheduler));
    await vi.advanceTimersByTimeAsync(1000);
    expect([begun(calls), begun(others)]).toEqual([2, 5]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(begun(calls)).toBe(4);
  });

  it("may be aborted while they wait", async () => {
    const scheduler = new Scheduler(reserved);
    scheduler.observe("graphql", 0, performance.now() + 20_000);
    const gone = new AbortController();
    const call = start(scheduler, { ...background, signal: gone.signal });
    gone.abort();
    await vi.advanceTimersByTimeAsync(30_000);
    expect([call.began, call.error !== undefined]).toEqual([undefined, true]);
  });
});
