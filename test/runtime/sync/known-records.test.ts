import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import type { SyncPlan } from "../../../runtime/contract/index.ts";
import { isKnown, newestOf } from "../../../runtime/sync/known-records.ts";

const plan = github.entities["issues"]?.sync.find(({ cursor }) => cursor !== undefined) as SyncPlan;
const records = (...times: (string | null)[]) => times.map((updatedAt) => ({ updatedAt }));
const day = (number: number) => `2026-01-0${number}T00:00:00Z`;
const now = Date.parse(day(9));

describe("records that come newest first", () => {
  it("are known behind a page whose last record is older than the newest known one", () => {
    expect(isKnown(plan, records(day(5), day(3), day(3)), day(4))).toBe(true);
    expect(isKnown(plan, records(day(5), day(4)), day(4))).toBe(false);
    expect(isKnown(plan, records(day(5), day(3)), null)).toBe(false);
  });
});

describe("records that come in another order", () => {
  it.each([
    ["oldest first", records(day(1), day(2))],
    ["without any order", records(day(3), day(5), day(1))],
    ["without a time", records(day(3), null, day(1))],
  ])("(%s) do not say that those behind them are known", (_what, page) => {
    expect(isKnown(plan, page, day(8))).toBe(false);
  });
});

describe("the newest time that is known", () => {
  it("is the latest of all pages", () => {
    expect(newestOf(plan, records(day(2), day(3), "soon", null), day(1), now)).toBe(day(3));
    expect(newestOf(plan, records(day(2)), day(3), now)).toBe(day(3));
  });

  it("is none that lies ahead: whatever is changed until then would count as known", () => {
    expect(newestOf(plan, records("2999-01-01T00:00:00Z", day(2)), undefined, now)).toBe(day(2));
    expect(newestOf(plan, records("2999-01-01T00:00:00Z"), undefined, now)).toBeUndefined();
  });
});
