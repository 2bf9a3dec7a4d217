import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RateLimitRules } from "../../../runtime/contract/index.ts";
import { memoryLimits, type SharedLimits } from "../../../runtime/fleet/index.ts";
import type { Job } from "../../../runtime/platform/job.ts";
import { Scheduler } from "../../../runtime/platform/scheduler.ts";

// The share of a caller of a credential's limits, where several processes serve the caller.

const minute = 60_000;
const hour = 60 * minute;
const rules: RateLimitRules = { headers: { remaining: "r", reset: "s" }, concurrent: 40 };
const writes: RateLimitRules = { concurrent: 40, writes: { spacing: 10, perMinute: 1_000, perHour: 40 } };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Some processes, how often they asked for slices, and how a caller's calls end on them. */
function fleet(given: RateLimitRules, { count = 2, budget = Number.POSITIVE_INFINITY } = {}) {
  const memory = memoryLimits();
  const asked = { times: 0 };
  const limits: SharedLimits = {
    renew: (...args) => {
      asked.times++;
      return memory.renew(...args);
    },
  };
  const schedulers = Array.from({ length: count }, () => new Scheduler(given, { limits, key: "credential a" }));
  let left = budget;
  let full = performance.now() + hour;
  let turn = 0;
  /** Begins calls, each on the next process. */
  const begin = (times: number, caller: string, more: Partial<Job> & { readonly ms?: number } = {}) => {
    const told = { sent: 0, codes: new Set<unknown>(), waits: [] as unknown[] };
    const { ms = 20, ...other } = more;
    for (let serial = 0; serial < times; serial++) {
      const scheduler = schedulers[turn++ % count] as Scheduler;
      const job: Job = {
        ...{ bucket: "rest", write: false, points: 1, background: false, caller, share: 0.5 },
        ...{ deadline: performance.now() + 30_000, signal: new AbortController().signal, ...other },
      };
      const call = async () => {
        told.sent++;
        if (performance.now() >= full) [left, full] = [budget, full + hour];
        left -= job.points;
        const known = left;
        await new Promise((resume) => setTimeout(resume, ms));
        if (Number.isFinite(budget)) scheduler.observe("rest", known, full, job.points);
        else scheduler.unobserved("rest");
      };
      scheduler.run(job, call).catch(({ code, retryAfter }: { code: unknown; retryAfter: unknown }) => {
        told.codes.add(code);
        told.waits.push(retryAfter);
      });
    }
    return told;
  };
  return { begin, asked };
}

describe("the share of a caller whom several processes serve", () => {
  it("is one of the hour's points for all of them together, and begins anew with the hour", async () => {
    const { begin } = fleet(rules, { count: 3, budget: 100 });
    const greedy = begin(120, "greedy");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(greedy.sent).toBe(50);
    expect([...greedy.codes]).toEqual(["too_many_requests"]);
    expect(Number(greedy.waits.at(-1))).toBeGreaterThan(3_500);
    const other = begin(120, "other");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(other.sent).toBe(25);
    await vi.advanceTimersByTimeAsync(hour);
    const again = begin(120, "greedy");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(again.sent).toBe(50);
  });

  it("is one of the writes of an hour for all of them together", async () => {
    const { begin } = fleet(writes);
    const greedy = begin(60, "greedy", { write: true });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(greedy.sent).toBe(20);
    expect([...greedy.codes]).toEqual(["too_many_requests"]);
    const other = begin(1, "other", { write: true });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(other.sent).toBe(1);
  });

  it("is one of the calls at once for all of them together", async () => {
    const { begin } = fleet({ concurrent: 40 });
    const greedy = begin(30, "greedy", { ms: 20_000 });
    await vi.advanceTimersByTimeAsync(3_000);
    const more = begin(30, "greedy", { ms: 20_000 });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(greedy.sent + more.sent).toBe(20);
    const other = begin(1, "other");
    await vi.advanceTimersByTimeAsync(500);
    expect(other.sent).toBe(1);
  });

  it("counts calls by the points that they take", async () => {
    const { begin } = fleet(rules, { budget: 100 });
    const first = begin(2, "big", { points: 20 });
    await vi.advanceTimersByTimeAsync(5_000);
    const second = begin(2, "big", { points: 20 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect([first.sent, second.sent]).toEqual([2, 0]);
  });

  it("is requested in slices, not for each call", async () => {
    const { begin, asked } = fleet({ concurrent: 1_000 }, { count: 1 });
    for (let tick = 0; tick < 100; tick++) {
      begin(5, "steady");
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(asked.times).toBeLessThanOrEqual(50);
  });
});
