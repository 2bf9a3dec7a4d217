import { describe, expect, it } from "vitest";
import { SlidingWindow } from "../../../runtime/platform/window.ts";

describe("a sliding window", () => {
  it("never lets more than its limit through in any span", () => {
    const window = new SlidingWindow(10, 60_000);
    const sent: number[] = [];
    for (let now = 0; now < 600_000; now += 137)
      if (window.freeAt(1, now) <= now) {
        window.add(1, now);
        sent.push(now);
      }
    for (const at of sent) expect(sent.filter((other) => other > at - 60_000 && other <= at).length).toBeLessThanOrEqual(10);
    expect(sent.length).toBeGreaterThan(80);
  });

  it("has room for more than its limit a span later, so that nothing waits for ever", () => {
    expect(new SlidingWindow(10, 60_000).freeAt(11, 5)).toBe(60_005);
  });
});
