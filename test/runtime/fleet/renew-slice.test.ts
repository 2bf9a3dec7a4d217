import { describe, expect, it } from "vitest";
import { type Amounts, type Ask, type LimitRules, type Slice, sliceTime } from "../../../runtime/fleet/index.ts";
import { noState, renewSlice } from "../../../runtime/fleet/renew-slice.ts";

const minute = 60_000;
const rules: LimitRules = {
  rates: {
    points: { limit: 100, span: minute, refill: "sliding" },
    requests: { limit: 60, span: minute, refill: "even" },
  },
  slots: { calls: { limit: 6 }, writing: { limit: 1, pause: 1_000 }, syncing: { limit: 1, turn: 5_000 } },
  budgets: ["hour"],
};
const asks = (owner: string, more: Partial<Ask> = {}): Ask => ({
  owner,
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
  ...more,
});
const wish = (need: Amounts, times = 1) => [{ need, times }];

/** The limits of one key, with a clock. */
function limits() {
  let state = noState;
  const clock = { now: 1_000_000 };
  const ask = (owner: string, more: Partial<Ask> = {}): Slice => {
    const next = renewSlice(state, rules, asks(owner, more), clock.now);
    state = JSON.parse(JSON.stringify(next.state)) as typeof state;
    return next.slice;
  };
  return { clock, ask };
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("a renewal of slices", () => {
  it("gives what is wanted at once, and a quarter of the rest for what is likely", () => {
    const { ask } = limits();
    const slice = ask("a", { wanted: wish({ points: 10 }), likely: wish({ points: 1 }, 1_000) });
    expect(slice.given).toEqual({ points: 10 + 22 });
    expect(slice.left["points"]).toBe(100);
    expect(ask("b", { wanted: wish({ points: 69 }) }).given).toEqual({});
    expect(ask("b", { wanted: wish({ points: 68 }) }).given).toEqual({ points: 68 });
  });

  it("takes back what was not used, and never what was given and lost on the way", () => {
    const { ask } = limits();
    const first = ask("a", { wanted: wish({ points: 60 }) });
    // The answer with this slice does not reach its owner.
    ask("a", { slice: first.number, spent: { points: 20 }, wanted: wish({ points: 80 }) });
    const slice = ask("a", { slice: first.number, spent: { points: 20 }, wanted: wish({ points: 80 }) });
    expect(slice.given).toEqual({ points: 80 });
    expect(ask("b", { wanted: wish({ points: 1 }) }).given).toEqual({});
  });

  it("gives nothing of one thing to whoever lacks another", () => {
    const { ask } = limits();
    ask("a", { wanted: wish({ points: 100 }) });
    const slice = ask("b", { wanted: wish({ points: 1, calls: 1 }) });
    expect(slice.given).toEqual({});
    expect(slice.freeIn).toEqual({ points: minute + 2 * sliceTime });
    expect(ask("c", { wanted: wish({ calls: 6 }) }).given).toEqual({ calls: 6 });
  });

  it("finds out an unknown budget with one call, and then gives no more than is left", () => {
    const { ask, clock } = limits();
    const first = ask("a", { wanted: wish({ hour: 1 }, 5) });
    expect(first.given).toEqual({ hour: 1 });
    expect(ask("b", { wanted: wish({ hour: 1 }) }).given).toEqual({});
    const known = ask("a", { slice: first.number, spent: { hour: 1 }, reports: { hour: { left: 7, resetIn: minute } } });
    expect(known.left["hour"]).toBe(7);
    expect(ask("b", { wanted: wish({ hour: 1 }, 20) }).given).toEqual({ hour: 7 });
    expect(ask("c", { wanted: wish({ hour: 1 }) }).given).toEqual({});
    // An answer that was on its way longer than others is older.
    ask("b", { running: { hour: 2 }, reports: { hour: { left: 2, resetIn: minute } } });
    ask("a", { reports: { hour: { left: 6, resetIn: minute } } });
    expect(ask("c", { wanted: wish({ hour: 1 }) }).given).toEqual({});
    clock.now += minute + 1;
    expect(ask("c", { wanted: wish({ hour: 1 }, 4) }).given).toEqual({ hour: 1 });
  });

  it("counts a call without an answer", () => {
    const { ask } = limits();
    ask("a", { reports: { hour: { left: 3, resetIn: minute } } });
    ask("a", { lost: { hour: 2 } });
    expect(ask("b", { wanted: wish({ hour: 1 }, 9) }).given).toEqual({ hour: 1 });
  });

  it("tells every owner to wait, and gives nothing meanwhile", () => {
    const { ask, clock } = limits();
    ask("a", { wait: 30_000 });
    clock.now += 10_000;
    const slice = ask("b", { wanted: wish({ points: 1 }) });
    expect(slice).toMatchObject({ given: {}, wait: 20_000, owners: 2 });
    clock.now += 20_000;
    expect(ask("b", { wanted: wish({ points: 1 }) })).toMatchObject({ given: { points: 1 }, wait: 0 });
  });

  it("gives one owner a single call after a wait, until the platform has accepted one", () => {
    const { ask, clock } = limits();
    const calls = { wanted: wish({ calls: 1 }, 3), likely: wish({ calls: 1 }, 9) };
    ask("a", { wait: 30_000 });
    clock.now += 30_000;
    const first = ask("a", calls);
    expect(first).toMatchObject({ given: { calls: 1 }, wait: 0, trial: true });
    expect(ask("b", calls)).toMatchObject({ given: {}, freeIn: { calls: 50 }, trial: true });
    // The call is lost, so another one has to find it out.
    ask("a", { slice: first.number, spent: { calls: 1 } });
    const second = ask("b", calls);
    expect(second.given).toEqual({ calls: 1 });
    expect(ask("a", calls).given).toEqual({});
    const accepted = ask("b", { ...calls, slice: second.number, spent: { calls: 1 }, accepted: true });
    expect(accepted).toMatchObject({ given: { calls: 3 }, trial: false });
    expect(ask("a", calls).given).toEqual({ calls: 3 });
  });

  it("lets a pause follow each use of a slot that wants one", () => {
    const { ask, clock } = limits();
    const first = ask("a", { wanted: wish({ writing: 1 }, 3) });
    expect(first.given).toEqual({ writing: 1 });
    const second = ask("a", { slice: first.number, spent: { writing: 1 }, running: { writing: 1 } });
    expect(ask("b", { wanted: wish({ writing: 1 }) }).given).toEqual({});
    ask("a", { slice: second.number, running: {} });
    clock.now += 600;
    expect(ask("b", { wanted: wish({ writing: 1 }) })).toMatchObject({ given: {}, freeIn: { writing: 400 } });
    clock.now += 400;
    expect(ask("b", { wanted: wish({ writing: 1 }) }).given).toEqual({ writing: 1 });
    // One that was given and not used needs no pause.
    ask("b");
    expect(ask("a", { wanted: wish({ writing: 1 }) }).given).toEqual({ writing: 1 });
  });

  it("lets owners take turns, in the order in which they began to wait", () => {
    const { ask, clock } = limits();
    const want = (owner: string, more: Partial<Ask> = {}) => ask(owner, { wanted: wish({ syncing: 1 }), ...more });
    expect(want("a").given).toEqual({ syncing: 1 });
    expect(want("b")).toMatchObject({ given: {}, freeIn: { syncing: 100 } });
    clock.now += 100;
    want("c");
    clock.now += 4_800;
    want("b");
    want("c");
    // Its turn is not over yet.
    expect(want("a")).toMatchObject({ given: { syncing: 1 }, passOn: [] });
    clock.now += 100;
    expect(want("a", { running: { syncing: 1 } })).toMatchObject({ given: {}, passOn: ["syncing"] });
    expect(want("b").given).toEqual({});
    expect(want("a").given).toEqual({});
    expect(want("c").given).toEqual({});
    expect(want("b").given).toEqual({ syncing: 1 });
    // Whoever does not ask any longer does not wait.
    clock.now += 5_000;
    want("a");
    clock.now += 500;
    expect(want("b").given).toEqual({});
    clock.now += 999;
    expect(want("b").given).toEqual({ syncing: 1 });
  });

  it("does not count an owner as waiting that lacks something else too", () => {
    const { ask, clock } = limits();
    ask("a", { wanted: wish({ points: 100 }) });
    const want = (owner: string, need: Amounts) => ask(owner, { wanted: wish(need) });
    expect(want("b", { syncing: 1 }).given).toEqual({ syncing: 1 });
    expect(want("c", { syncing: 1, points: 1 }).given).toEqual({});
    clock.now += 5_000;
    want("c", { syncing: 1, points: 1 });
    expect(want("b", { syncing: 1 }).given).toEqual({ syncing: 1 });
  });

  it("forgets an owner that has ended, and what it held", () => {
    const { ask, clock } = limits();
    ask("a", { wanted: wish({ calls: 6 }) });
    clock.now += 14_999;
    expect(ask("b", { wanted: wish({ calls: 1 }) }).given).toEqual({});
    clock.now += 1;
    expect(ask("b", { wanted: wish({ calls: 1 }) })).toMatchObject({ given: { calls: 1 }, owners: 1 });
  });

  it("is not confused by a clock that is set back", () => {
    const { ask, clock } = limits();
    ask("a", { wanted: wish({ points: 100 }), wait: 0 });
    clock.now -= 10 * minute;
    expect(ask("b", { wanted: wish({ points: 1 }) }).given).toEqual({});
  });

  it.each(Array.from({ length: Number(process.env["TENON_TEST_SEEDS"] ?? 20) }, (_, seed) => seed))(
    "keeps every limit, whatever owners ask, use, lose and forget (seed %i)",
    (seed) => {
      const { ask, clock } = limits();
      const chance = random(seed);
      const upTo = (most: number) => Math.floor(chance() * (most + 1));
      const owners = ["a", "b", "c", "d"].map((name) => ({
        name,
        slice: undefined as Slice | undefined,
        until: 0,
        spent: { points: 0, requests: 0 },
        running: { calls: 0, before: 0 },
      }));
      const used: { readonly at: number; readonly points: number; readonly requests: number }[] = [];
      for (let step = 0; step < 1_500; step++) {
        clock.now += upTo(200);
        const owner = owners[upTo(3)] as (typeof owners)[number];
        const { slice, spent, running } = owner;
        if (slice === undefined || clock.now >= owner.until || chance() < 0.2) {
          running.before = running.calls;
          const next = ask(owner.name, {
            slice: slice?.number ?? 0,
            spent,
            running: { calls: running.calls },
            wanted: [{ need: { points: 1 + upTo(3), calls: 1 }, times: upTo(5) }, ...wish({ requests: 1 }, upTo(5))],
            likely: wish({ points: 1, calls: 1 }, upTo(50)),
          });
          // Sometimes the answer is lost, and the owner goes on with nothing until it asks again.
          if (chance() < 0.1) {
            owner.until = 0;
            continue;
          }
          Object.assign(owner, { slice: next, until: clock.now + sliceTime, spent: { points: 0, requests: 0 } });
          continue;
        }
        const free = (name: "points" | "requests") => (slice.given[name] ?? 0) - spent[name];
        const calls = (slice.given["calls"] ?? 0) - (running.calls - running.before);
        const points = calls > 0 ? Math.min(free("points"), upTo(4)) : 0;
        const requests = Math.min(free("requests"), upTo(2));
        if (points > 0) running.calls++;
        spent.points += points;
        spent.requests += requests;
        used.push({ at: clock.now, points, requests });
        if (running.calls > 0 && chance() < 0.6) running.calls--;
        expect(owners.reduce((sum, one) => sum + one.running.calls, 0)).toBeLessThanOrEqual(6);
      }
      const sumFrom = (from: number, name: "points" | "requests") =>
        used.filter(({ at }) => at >= from && at < from + minute).reduce((sum, one) => sum + one[name], 0);
      for (const { at } of used) {
        expect(sumFrom(at, "points")).toBeLessThanOrEqual(100);
        // What fills again evenly gives its limit at once, and as much again within a minute; it can be used as long as its slice.
        expect(sumFrom(at, "requests")).toBeLessThanOrEqual(60 + (60 * (minute + sliceTime)) / minute + 1e-6);
      }
      expect(used.reduce((sum, { points }) => sum + points, 0)).toBeGreaterThan(100);
    },
  );
});
