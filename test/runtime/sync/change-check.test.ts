import { expect, it } from "vitest";
import { changeCheckToKeep } from "../../../runtime/sync/change-check.ts";

it("a change check is kept unless it has a time of the last minute, and a time that is none is of no minute", () => {
  const at = Date.parse("2026-01-01T00:02:00Z");
  const kept = (check: string, now = at) => changeCheckToKeep(check, now) === check;
  expect([kept("2026-01-01T00:01:00Z 7"), kept("2026-01-01T00:01:00.001Z 7"), kept("7")]).toEqual([true, false, true]);
  expect(kept("2026-13-32T25:00:00Z", 60_000)).toBe(true);
});
