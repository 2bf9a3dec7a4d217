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

const emptySlice: Slice = {
  ...{ number: 1, given: {}, passOn: [], left: {}, resetIn: {}, freeIn: {}, wait: 0, trial: false, owners: 1 },
};

/** A share whose renewals end when the test says so. */
function heldShare() {
  const asks: Ask[] = [];
  const renewals: PromiseWithResolvers<Slice>[] = [];
  const limits = {
    renew: (_key: string, _rules: object, ask: Ask) => {
      asks.push(ask);
      const renewal = Promise.withResolvers<Slice>();
      renewals.push(renewal);
      return renewal.promise;
    },
  };
  const share = new Share({ limits, key: "k", rules, wanted: () => [], onSlice: () => undefined });
  return { share, asks, renewals, begun: () => vi.advanceTimersByTimeAsync(0) };
}

it("tells at once of a pause that the platform wants while a renewal is under way", async () => {
  const { share, asks, renewals, begun } = heldShare();
  share.has({ calls: 1 }, performance.now());
  await begun();
  share.pause(performance.now() + 5_000);
  await begun();
  expect(asks.map(({ wait }) => wait)).toEqual([0]);
  renewals[0]?.resolve(emptySlice);
  await begun();
  expect(asks.map(({ wait }) => wait)).toEqual([0, 5_000]);
  share.hold("calls", performance.now() + 3_000);
  renewals[1]?.resolve(emptySlice);
  await begun();
  expect(asks.map(({ wait, waits }) => [wait, waits])).toEqual([
    [0, {}],
    [5_000, {}],
    [0, { calls: 3_000 }],
  ]);
  renewals[2]?.resolve(emptySlice);
  await begun();
  expect(asks).toHaveLength(3);
});

it("reports what was lost before and during a renewal that failed with the next one, together", async () => {
  const { share, asks, renewals, begun } = heldShare();
  share.lose("points", 2);
  share.accept();
  await begun();
  share.lose("points", 3);
  share.lose("others", 1);
  renewals[0]?.reject(new Error("away"));
  await begun();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asks.map(({ lost }) => lost)).toEqual([{ points: 2 }, { points: 5, others: 1 }]);
});

it("gives nothing that it has to leave to others", async () => {
  const { share, renewals, begun } = heldShare();
  const has = (name: string) => share.has({ [name]: 1 }, performance.now());
  expect([has("calls"), has("other")]).toEqual([false, false]);
  await begun();
  renewals[0]?.resolve({ ...emptySlice, given: { calls: 5, other: 5 }, passOn: ["calls"], freeIn: { calls: 60_000 } });
  await begun();
  expect([has("calls"), has("other")]).toEqual([false, true]);
});
