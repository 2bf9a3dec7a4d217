import { describe, expect, it } from "vitest";
import { type CallerLimits, fullGrant } from "../../../runtime/accounts/index.ts";
import { memoryLimits, type SharedLimits } from "../../../runtime/fleet/index.ts";
import { type Usage, Usages } from "../../../runtime/server/limits/usages.ts";

const caller = { id: "a", name: "a", grant: fullGrant };

/** The usage of one caller in several processes, and how often they asked for slices. */
function fleet(count: number, usual: CallerLimits, isAway: () => boolean = () => false) {
  const memory = memoryLimits();
  const asked = { times: 0 };
  const shared: SharedLimits = {
    renew: async (...args) => {
      asked.times++;
      if (isAway()) throw new Error("away");
      return memory.renew(...args);
    },
  };
  const usages = Array.from({ length: count }, () => new Usages(usual, {}, { shared }).of(caller));
  return { usages: usages as [Usage, Usage, ...Usage[]], asked };
}

/** How many of so many requests begin, one to each process in turn. */
async function begun(usages: readonly Usage[], count: number): Promise<number> {
  const all = await Promise.allSettled(Array.from({ length: count }, (_, index) => usages[index % usages.length]?.begin()));
  const refused = all.filter((one) => one.status === "rejected");
  for (const { reason } of refused) expect(reason).toMatchObject({ code: "too_many_requests" });
  return count - refused.length;
}

describe("the limits of a caller whom several processes serve", () => {
  it("count for all of them together", async () => {
    const { usages } = fleet(3, { requests: 20 });
    const began = performance.now();
    const admitted = await begun(usages, 60);
    expect(admitted).toBeGreaterThanOrEqual(20);
    expect(admitted).toBeLessThanOrEqual(20 + ((performance.now() - began) / 60_000) * 20);
    expect(usages[0].requests).toMatchObject({ limit: 20, reset: expect.any(Number) });
    expect(usages[0].requests?.left).toBeLessThanOrEqual(1);
  });

  it("let so many requests be under way at once, and the next one when one of them has ended", async () => {
    const { usages } = fleet(2, { concurrent: 3 });
    const [first, second] = usages;
    const ends = [await first.begin(), await second.begin(), await first.begin()];
    await expect(second.begin()).rejects.toMatchObject({ code: "too_many_requests", retryAfter: 1 });
    ends[0]?.();
    const later = () =>
      second.begin().then(
        () => true,
        () => false,
      );
    await expect.poll(later, { timeout: 10_000 }).toBe(true);
  });

  it("are requested in slices, not for each request, and not for what has no limit", async () => {
    const { usages, asked } = fleet(1, { requests: 100_000 });
    const [usage] = usages;
    await usage.check("points");
    await usage.take("writes", 1);
    expect(asked.times).toBe(0);
    for (let count = 0; count < 500; count++) (await usage.begin())();
    expect(asked.times).toBeLessThan(100);
  });

  it("count what was spent in any of them, when its cost is known", async () => {
    const { usages } = fleet(2, { points: 60 });
    const [first, second] = usages;
    await first.check("points");
    first.spend("points", 200);
    const refused = () =>
      second.check("points").then(
        () => undefined,
        ({ code }: { code: string }) => code,
      );
    await expect.poll(refused, { timeout: 10_000 }).toBe("too_many_requests");
  });

  it("are kept by each in part while they cannot be reached", async () => {
    let isAway = false;
    const { usages } = fleet(2, { requests: 40, concurrent: 100 }, () => isAway);
    expect(await begun(usages, 2)).toBe(2);
    isAway = true;
    const began = performance.now();
    const admitted = await begun(usages, 200);
    // What was given before may be used too.
    expect(admitted).toBeGreaterThanOrEqual(36);
    expect(admitted).toBeLessThanOrEqual(40 + ((performance.now() - began) / 60_000) * 40);
  });
});
