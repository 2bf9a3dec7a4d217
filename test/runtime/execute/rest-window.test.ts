import { expect, it } from "vitest";
import { halved, nextWindow, windowAt, windowSent } from "../../../runtime/execute/rest-window.ts";

const day = 86_400_000;
const by = { kind: "window", param: "from", until: "to", since: "since", before: "before", length: 2 * day } as const;
const params = { since: "2026-01-01T06:00:00.000Z", before: "2026-01-04T18:00:00.000Z" };

it.each([
  ["milliseconds", Date.parse("2026-01-01T06:00:00Z"), Date.parse("2026-01-03T06:00:00Z")],
  ["seconds", Date.parse("2026-01-01T06:00:00Z") / 1000, Date.parse("2026-01-03T06:00:00Z") / 1000],
  ["timestamp", "2026-01-01T06:00:00Z", "2026-01-03T06:00:00Z"],
  // A date has no time of day.
  ["date", "2026-01-01", "2026-01-03"],
] as const)("the first span of a list is sent as %s", (as, from, to) => {
  expect(windowSent({ ...by, as }, windowAt({ ...by, as }, params, undefined))).toEqual([
    { name: "from", value: from, body: false },
    { name: "to", value: to, body: false },
  ]);
});

it("the spans of a list end with it, and a shorter one is followed by a longer one", () => {
  const dates = { ...by, as: "date" } as const;
  const first = windowAt(dates, params, undefined);
  const second = windowAt(dates, params, nextWindow(dates, first));
  const end = Date.parse("2026-01-05");
  expect(second).toEqual({ start: Date.parse("2026-01-03"), length: 2 * day, end });
  expect(nextWindow(dates, second)).toBeUndefined();
  const half = windowAt(dates, params, halved(dates, second, "The platform"));
  expect(half).toEqual({ start: Date.parse("2026-01-03"), length: day, end });
  expect(windowAt(dates, params, nextWindow(dates, half))).toEqual({ start: Date.parse("2026-01-04"), length: day, end });
  expect(() => halved(dates, half, "The platform")).toThrow("The platform has more records at 2026-01-03 than one page may have");
});

it("a span whose end counts ends one unit earlier, and is sent in the body where the spec says so", () => {
  const inclusive = { ...by, as: "date", inclusive: true, body: true } as const;
  expect(windowSent(inclusive, windowAt(inclusive, params, undefined))).toEqual([
    { name: "from", value: "2026-01-01", body: true },
    { name: "to", value: "2026-01-02", body: true },
  ]);
});
