import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RateLimitRules } from "../../../runtime/contract/index.ts";
import type { Job } from "../../../runtime/platform/job.ts";
import { Scheduler } from "../../../runtime/platform/scheduler.ts";
import { rules, start, withoutMinutes } from "./scheduled.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("callers", () => {
  const wide: RateLimitRules = { ...withoutMinutes, concurrent: 100, writes: { spacing: 1000, perMinute: 80, perHour: 500 } };
  const many = (scheduler: Scheduler, count: number, more: Partial<Job>, ms = 0) =>
    Array.from({ length: count }, () => start(scheduler, more, ms));
  const begun = (calls: readonly { readonly began: number | undefined }[]) =>
    calls.filter(({ began }) => began !== undefined).length;
  const codes = (calls: readonly { readonly error: unknown }[]) =>
    new Set(calls.map(({ error }) => error && (error as { code: string }).code));

  it("take turns where calls have to wait", async () => {
    const scheduler = new Scheduler({ ...wide, concurrent: 1 });
    const greedy = many(scheduler, 10, { caller: "greedy" }, 100);
    const other = many(scheduler, 2, { caller: "other" }, 100);
    await vi.advanceTimersByTimeAsync(350);
    expect([begun(greedy), begun(other)]).toEqual([2, 2]);
  });

  it("take turns in writing, and one does not wait for all writes of another", async () => {
    const scheduler = new Scheduler(wide);
    const write = { bucket: "rest", write: true } as const;
    many(scheduler, 20, { ...write, caller: "greedy" }, 10);
    await vi.advanceTimersByTimeAsync(3_000);
    const asked = performance.now();
    const other = start(scheduler, { ...write, caller: "other", deadline: asked + 2_500 }, 10);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(other.error).toBeUndefined();
    expect((other.began ?? Number.POSITIVE_INFINITY) - asked).toBeLessThanOrEqual(1_050);
    const greedy = start(scheduler, { ...write, caller: "greedy", deadline: performance.now() + 2_500 }, 10);
    await vi.advanceTimersByTimeAsync(0);
    expect(greedy.error).toMatchObject({ code: "rate_limited" });
  });

  it("leave calls at once to those who have fewer, each in its share", async () => {
    const scheduler = new Scheduler(wide);
    const first = many(scheduler, 100, { caller: "first", share: 0.5 }, 1_000);
    await vi.advanceTimersByTimeAsync(0);
    const second = many(scheduler, 100, { caller: "second", share: 0.5 }, 1_000);
    await vi.advanceTimersByTimeAsync(0);
    const newcomer = start(scheduler, { caller: "newcomer", share: 0.5 });
    const operator = many(scheduler, 100, { caller: "operator" }, 1_000);
    await vi.advanceTimersByTimeAsync(0);
    expect([begun(first), begun(second), newcomer.began !== undefined, begun(operator)]).toEqual([50, 25, true, 25]);
  });

  it("leave points of the hour to those who have used fewer, and get an error that says so", async () => {
    const scheduler = new Scheduler(wide);
    scheduler.observe("graphql", 100, performance.now() + 3_600_000);
    const deadline = performance.now() + 30_000;
    const spend = (caller: string, share = 0.5) => many(scheduler, 120, { caller, share, deadline });
    const greedy = spend("greedy");
    await vi.advanceTimersByTimeAsync(100);
    expect(begun(greedy)).toBe(50);
    expect(codes(greedy)).toEqual(new Set([undefined, "too_many_requests"]));
    expect(greedy.at(-1)?.error).toMatchObject({ retryAfter: 3_600 });
    const other = spend("other");
    await vi.advanceTimersByTimeAsync(100);
    expect(begun(other)).toBe(25);
    const operator = spend("operator", 1);
    await vi.advanceTimersByTimeAsync(100);
    expect(begun(operator)).toBe(25);
    expect(codes(operator)).toEqual(new Set([undefined, "rate_limited"]));
    // The next hour begins anew.
    await vi.advanceTimersByTimeAsync(3_600_000);
    scheduler.observe("graphql", 100, performance.now() + 3_600_000);
    const again = many(scheduler, 120, { caller: "greedy", share: 0.5 });
    await vi.advanceTimersByTimeAsync(100);
    expect(begun(again)).toBe(50);
  });

  it("leave points of the hour to others, also where they began before it was known how many there are", async () => {
    const scheduler = new Scheduler(wide);
    const early = many(scheduler, 30, { caller: "greedy", share: 0.5 });
    await vi.advanceTimersByTimeAsync(100);
    scheduler.observe("graphql", 70, performance.now() + 3_600_000, 30);
    const late = many(scheduler, 60, { caller: "greedy", share: 0.5, deadline: performance.now() + 30_000 });
    await vi.advanceTimersByTimeAsync(100);
    expect([begun(early), begun(late)]).toEqual([30, 20]);
  });

  it("leave points of the minute and writes to those who have used fewer", async () => {
    const scheduler = new Scheduler({ ...rules, concurrent: 100 });
    const reads = many(scheduler, 20, { caller: "greedy", share: 0.5 });
    await vi.advanceTimersByTimeAsync(100);
    expect(begun(reads)).toBe(5);
    const other = many(scheduler, 20, { caller: "other", share: 0.5 });
    await vi.advanceTimersByTimeAsync(100);
    expect(begun(other)).toBe(2);
    const write = { bucket: "rest", write: true, share: 0.5 } as const;
    const writes = many(scheduler, 5, { ...write, caller: "greedy" });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(begun(writes)).toBe(2);
    const late = start(scheduler, { ...write, caller: "other", deadline: performance.now() + 10 });
    await vi.advanceTimersByTimeAsync(10);
    expect(late.began).toBeDefined();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(begun(reads)).toBeGreaterThan(5);
  });

  it("who wait in great number lose the newest calls to those of others", async () => {
    const scheduler = new Scheduler(wide);
    scheduler.pause(performance.now() + 5_000);
    const greedy = many(scheduler, 1_000, { caller: "greedy" });
    const other = start(scheduler, { caller: "other" });
    await vi.advanceTimersByTimeAsync(10);
    expect(other.error).toBeUndefined();
    expect(greedy.at(-1)?.error).toMatchObject({ code: "overloaded" });
  });
});
