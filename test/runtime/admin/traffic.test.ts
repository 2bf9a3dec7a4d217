import { describe, expect, it } from "vitest";
import { Traffic } from "../../../runtime/admin/traffic.ts";

// What the operator's page counts of requests: rate, errors and times, in bounds.

const minute = 60_000;
const request = { caller: "a", outcome: "done", ms: 10, route: "/api" };

/** A traffic whose time a test sets. */
function traffic() {
  const clock = { now: 1_000 * minute };
  return { clock, counted: new Traffic(() => clock.now) };
}

describe("the traffic of a process", () => {
  it("has the rate, the errors by code, and the times of the last minutes", () => {
    const { clock, counted } = traffic();
    for (let nth = 0; nth < 100; nth++)
      counted.ended({ ...request, ms: nth < 90 ? 8 : 800, outcome: nth < 97 ? "done" : "internal" });
    clock.now += 10 * minute;
    for (let nth = 0; nth < 10; nth++) counted.ended({ ...request, ms: 2 });
    const last = counted.over(5);
    expect([last.requests, last.perMinute, last.codes.size]).toEqual([10, 2.5, 0]);
    expect([last.p50, last.p95].map((ms) => Math.round(ms ?? 0))).toEqual([2, 2]);
    const hour = counted.over(60);
    expect([hour.requests, hour.perMinute, hour.codes.get("internal")]).toEqual([110, 11, 3]);
    // A place is a quarter of a doubling, so that a time is known to about nine percent.
    expect(hour.p50).toBeCloseTo(8, 0);
    expect(Math.abs((hour.p95 ?? 0) - 800)).toBeLessThan(72);
    expect(counted.series().slice(-11)).toEqual([100, ...Array(9).fill(0), 10]);
  });

  it("says nothing about times without requests", () => {
    const { counted } = traffic();
    expect(counted.over(60)).toEqual({ requests: 0, perMinute: 0, codes: new Map(), p50: undefined, p95: undefined });
    expect(counted.series()).toEqual(Array(60).fill(0));
  });

  it("counts known callers and refused tokens, but neither the page itself nor probes", () => {
    const { counted } = traffic();
    counted.ended({ ...request, caller: undefined, route: "/healthz" });
    counted.ended({ ...request, route: "/admin" });
    counted.ended({ ...request, caller: undefined, outcome: "unknown_route", route: undefined });
    counted.ended({ ...request, caller: undefined, outcome: "unauthorized" });
    counted.ended(request);
    expect([counted.over(5).requests, counted.over(5).codes]).toEqual([2, new Map([["unauthorized", 1]])]);
  });

  it("remembers an hour, however long it counts and however slow a request is", () => {
    const { clock, counted } = traffic();
    for (let nth = 0; nth < 500; nth++, clock.now += minute) counted.ended({ ...request, ms: 1e9 });
    expect([counted.over(60).requests, counted.over(1_000).requests]).toEqual([59, 60]);
    expect(counted.over(60).p95).toBeGreaterThan(100_000);
  });
});
