import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Ask, Share, type Slice } from "../../../runtime/fleet/index.ts";

const rules = { rates: { calls: { limit: 100, span: 60_000, refill: "sliding" } }, slots: {}, budgets: [] } as const;

beforeEach(() => vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

it("a share whose limits cannot be reached asks again after a pause, however much is used meanwhile", async () => {
  let renewals = 0;
  const limits = {
    renew: () => {
      renewals++;
      return Promise.reject(new Error("away"));
    },
  };
  const share = new Share({ limits, key: "k", rules, wanted: () => [], onSlice: () => undefined });
  const use = async (milliseconds: number) => {
    for (let at = 0; at < milliseconds; at += 10) {
      if (share.has({ calls: 1 }, performance.now())) share.use({ calls: 1 });
      await vi.advanceTimersByTimeAsync(10);
    }
  };
  await use(50);
  expect([share.isAway, renewals]).toEqual([true, 1]);
  await use(400);
  const first = renewals;
  await use(60_000);
  // Once in the time of a pause, and not with each of the six thousand uses.
  expect(first).toBeLessThanOrEqual(2);
  expect(renewals).toBeGreaterThan(2);
  expect(renewals).toBeLessThan(200);
});

it("reports once that the platform accepts calls again, and again where the report failed", async () => {
  const asks: Ask[] = [];
  const slice: Slice = { number: 1, given: {}, passOn: [], left: {}, resetIn: {}, freeIn: {}, wait: 0, trial: true, owners: 1 };
  const limits = {
    renew: async (_key: string, _rules: object, ask: Ask) => {
      asks.push(ask);
      if (asks.length === 1) throw new Error("away");
      return slice;
    },
  };
  const share = new Share({ limits, key: "k", rules, wanted: () => [], onSlice: () => undefined });
  share.accept();
  await share.renewed();
  // The time of the pause, after which the next use asks again.
  await vi.advanceTimersByTimeAsync(60_000);
  share.has({ calls: 1 }, performance.now());
  await share.renewed();
  share.pause(performance.now() + 1_000);
  await share.renewed();
  expect(asks.map(({ accepted }) => accepted)).toEqual([true, true, false]);
});
