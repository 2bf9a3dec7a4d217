import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RateLimitRules } from "../../runtime/contract/index.ts";
import { memoryLimits } from "../../runtime/fleet/index.ts";
import { Scheduler } from "../../runtime/platform/scheduler.ts";

// Calls of several callers with one credential.

const concurrent = 4;
const rules: RateLimitRules = { concurrent, writes: { spacing: 100, perMinute: 1_000, perHour: 10_000 } };
const callers = ["a", "b", "c", "d"];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Call {
  readonly caller: string;
  readonly write: boolean;
  /** Milliseconds after which it is asked for, and that it takes. */
  readonly at: number;
  readonly ms: number;
}

const calls: fc.Arbitrary<Call[]> = fc.array(
  fc.record({
    // Most of them are of one caller.
    caller: fc.oneof({ weight: 3, arbitrary: fc.constant("a") }, fc.constantFrom(...callers)),
    write: fc.boolean(),
    at: fc.integer({ min: 0, max: 500 }),
    ms: fc.integer({ min: 1, max: 300 }),
  }),
  { minLength: 1, maxLength: 80 },
);

interface Done extends Call {
  readonly asked: number;
  readonly began: number;
  readonly ended: number;
}

/** A process alone counts by itself; several take slices of what they share. */
const kinds = ["alone", "fleet of one"] as const;

/** Runs all calls. @returns them in the order in which they began */
async function played(given: readonly Call[], share: number, kind: (typeof kinds)[number] = "alone"): Promise<Done[]> {
  const scheduler = new Scheduler(rules, kind === "alone" ? undefined : { limits: memoryLimits(), key: "account" });
  const done: Done[] = [];
  const order: number[] = [];
  for (const [index, call] of given.entries())
    setTimeout(() => {
      const asked = performance.now();
      const job = { bucket: "rest", points: 1, background: false, signal: new AbortController().signal } as const;
      void scheduler.run({ ...job, ...call, share, deadline: asked + 3_600_000 }, async () => {
        const began = performance.now();
        order.push(index);
        await new Promise((resume) => setTimeout(resume, call.ms));
        done[index] = { ...call, asked, began, ended: performance.now() };
      });
    }, call.at);
  await vi.advanceTimersByTimeAsync(120_000);
  return order.flatMap((index) => done[index] ?? []);
}

/** Calls of another caller that began while a call waited. */
function passedBy(waiting: Done, others: readonly Done[]): Map<string, number> {
  const passed = new Map<string, number>();
  for (const { caller, asked, began } of others)
    if (caller !== waiting.caller && asked < waiting.asked && began > waiting.asked && began < waiting.began)
      passed.set(caller, (passed.get(caller) ?? 0) + 1);
  return passed;
}

describe("calls of several callers", () => {
  it.each(kinds)("all go out, within the limits of the platform: %s", (kind) =>
    fc.assert(
      fc.asyncProperty(calls, fc.constantFrom(0.5, 1), async (given, share) => {
        const done = await played(given, share, kind);
        expect(done).toHaveLength(given.length);
        for (const { began } of done)
          expect(done.filter((one) => one.began <= began && one.ended > began).length).toBeLessThanOrEqual(concurrent);
        const writes = done.filter(({ write }) => write);
        for (const [index, { began }] of writes.entries())
          expect(began - (writes[index - 1]?.ended ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(100);
      }),
      { numRuns: 60 },
    ),
  );

  it("wait for one turn of each other caller", () =>
    fc.assert(
      fc.asyncProperty(calls, async (given) => {
        const writes = (
          await played(
            given.map((call) => ({ ...call, write: true })),
            1,
          )
        ).sort((a, b) => a.began - b.began);
        // Where a caller has only one call waiting, no other caller has two turns before it.
        const alone = writes.filter(
          (one) =>
            !writes.some(
              (other) => other !== one && other.caller === one.caller && other.began > one.asked && other.asked < one.began,
            ),
        );
        for (const one of alone) for (const count of passedBy(one, writes).values()) expect(count).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    ));

  it("leave room for a call of a caller who has none under way", () =>
    fc.assert(
      fc.asyncProperty(calls, async (given) => {
        const reads = await played(
          given.map((call) => ({ ...call, caller: "a", write: false })),
          0.5,
        );
        for (const { began } of reads)
          expect(reads.filter((one) => one.began <= began && one.ended > began).length).toBeLessThanOrEqual(concurrent / 2);
      }),
      { numRuns: 60 },
    ));
});
