import { describe, expect, it } from "vitest";
import { type Ask, type LimitRules, memoryLimits, processLimits, type Slice } from "../../../runtime/fleet/index.ts";

const rules: LimitRules = { rates: {}, slots: {}, budgets: [] };
const ask: Ask = {
  ...{
    owner: "a",
    slice: 0,
    spent: {},
    extra: {},
    running: {},
    reports: {},
    lost: {},
    wait: 0,
    waits: {},
    accepted: false,
    wanted: [],
    likely: [],
  },
};
const slice: Slice = { number: 1, given: {}, left: {}, resetIn: {}, freeIn: {}, passOn: [], wait: 0, trial: false, owners: 1 };

/** Limits whose renewals end as the test says. */
function held() {
  const renewals: PromiseWithResolvers<Slice>[] = [];
  const told: boolean[] = [];
  const limits = processLimits({
    renew: () => {
      const one = Promise.withResolvers<Slice>();
      renewals.push(one);
      return one.promise;
    },
  });
  limits.watch((isAway, ms) => {
    expect(ms).toBeGreaterThanOrEqual(0);
    told.push(isAway);
  });
  const begin = () => {
    const ended = limits.renew("key", rules, ask).then(
      () => "given",
      () => "failed",
    );
    const { resolve, reject } = renewals.at(-1) ?? Promise.withResolvers<Slice>();
    const good = () => {
      resolve(slice);
      return ended;
    };
    const bad = () => {
      reject(new Error("away"));
      return ended;
    };
    return { good, bad };
  };
  return { begin, told };
}

describe("limits of a process", () => {
  it("tell once that they cannot be reached, and once that they can be again", async () => {
    const { begin, told } = held();
    expect([await begin().good(), told]).toEqual(["given", []]);
    expect([await begin().bad(), await begin().bad(), told]).toEqual(["failed", "failed", [true]]);
    expect([await begin().good(), await begin().good(), told]).toEqual(["given", "given", [true, false]]);
    await begin().bad();
    expect(told).toEqual([true, false, true]);
  });

  it("do not take the end of a renewal that began before the outage for the end of it", async () => {
    const { begin, told } = held();
    const [early, late] = [begin(), begin()];
    await late.bad();
    await early.good();
    expect(told).toEqual([true]);
  });

  it("are given back when the process ends, so that the next one need not wait", async () => {
    let now = 1_000;
    const shared = memoryLimits(() => now);
    const own: LimitRules = {
      rates: { points: { limit: 10, span: 60_000, refill: "sliding" } },
      slots: { call: { limit: 1 } },
      budgets: [],
    };
    const wish = (owner: string) => ({ ...ask, owner, wanted: [{ need: { points: 1, call: 1 }, times: 1 }] });
    const first = processLimits(shared);
    expect((await first.renew("key", own, wish("first"))).given).toEqual({ points: 1, call: 1 });
    expect((await shared.renew("key", own, wish("second"))).given).toEqual({});
    await first.close();
    now++;
    const { given, left } = await shared.renew("key", own, wish("second"));
    // What the first one may have used of a rate counts as used.
    expect([given, left]).toEqual([{ points: 1, call: 1 }, { points: 9 }]);
    await expect(first.renew("key", own, wish("first"))).rejects.toThrow();
  });
});
