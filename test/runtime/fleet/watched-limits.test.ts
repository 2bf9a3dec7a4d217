import { describe, expect, it } from "vitest";
import { type Ask, type LimitRules, type Slice, watchedLimits } from "../../../runtime/fleet/index.ts";

const rules: LimitRules = { rates: {}, slots: {}, budgets: [] };
const ask: Ask = {
  ...{ owner: "a", slice: 0, spent: {}, extra: {}, running: {}, reports: {}, lost: {}, wait: 0, wanted: [], likely: [] },
};
const slice: Slice = { number: 1, given: {}, left: {}, resetIn: {}, freeIn: {}, wait: 0, owners: 1 };

/** Limits whose exchanges end as the test says. */
function held() {
  const exchanges: PromiseWithResolvers<Slice>[] = [];
  const told: boolean[] = [];
  const limits = watchedLimits({
    exchange: () => {
      const one = Promise.withResolvers<Slice>();
      exchanges.push(one);
      return one.promise;
    },
  });
  limits.watch((isAway, ms) => {
    expect(ms).toBeGreaterThanOrEqual(0);
    told.push(isAway);
  });
  const begin = () => {
    const ended = limits.exchange("key", rules, ask).then(
      () => "given",
      () => "failed",
    );
    const { resolve, reject } = exchanges.at(-1) ?? Promise.withResolvers<Slice>();
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

describe("limits that are watched", () => {
  it("tell once that they cannot be reached, and once that they can be again", async () => {
    const { begin, told } = held();
    expect([await begin().good(), told]).toEqual(["given", []]);
    expect([await begin().bad(), await begin().bad(), told]).toEqual(["failed", "failed", [true]]);
    expect([await begin().good(), await begin().good(), told]).toEqual(["given", "given", [true, false]]);
    await begin().bad();
    expect(told).toEqual([true, false, true]);
  });

  it("do not take the end of an exchange that began before the outage for the end of it", async () => {
    const { begin, told } = held();
    const [early, late] = [begin(), begin()];
    await late.bad();
    await early.good();
    expect(told).toEqual([true]);
  });
});
