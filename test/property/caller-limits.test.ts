import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TenonError } from "../../runtime/base/errors.ts";
import { memoryLimits } from "../../runtime/fleet/memory-limits.ts";
import { Usage } from "../../runtime/server/limits/usages.ts";

// The limits of a caller have two implementations: a process alone counts by itself, several take slices of what they share. A fleet of one
// process has to admit what the process alone admits.

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

const step = fc.oneof(
  fc.record({ kind: fc.constant("begin" as const) }),
  fc.record({ kind: fc.constant("end" as const) }),
  fc.record({ kind: fc.constant("write" as const) }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
);

it("a fleet of one process admits the same requests as a process alone, whatever comes when", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const allowance = {
        requests: 6,
        concurrent: 3,
        writes: 2,
        points: undefined,
        searchSeconds: undefined,
        bodyMib: undefined,
        cpuSeconds: undefined,
      };
      const now = () => performance.now();
      const alone = new Usage(allowance, now);
      const fleet = new Usage(allowance, now, { limits: memoryLimits(), key: "caller one" });
      const ends: (readonly [() => void, () => void])[] = [];
      for (const one of steps) {
        if (one.kind === "wait") await vi.advanceTimersByTimeAsync(one.ms);
        else if (one.kind === "end") for (const end of ends.shift() ?? []) end();
        else if (one.kind === "write")
          expect(await outcome(fleet.take("writes", 1))).toEqual(await outcome(alone.take("writes", 1)));
        else {
          const [a, b] = [await outcome(alone.begin()), await outcome(fleet.begin())];
          expect(b.code).toBe(a.code);
          if (typeof a.value === "function" && typeof b.value === "function") ends.push([a.value, b.value]);
        }
      }
    }),
    { numRuns: 50 },
  );
});

async function outcome<Value>(work: Promise<Value>): Promise<{ code: string; value?: Value }> {
  try {
    return { code: "admitted", value: await work };
  } catch (thrown) {
    if (thrown instanceof TenonError) return { code: thrown.code };
    throw thrown;
  }
}
