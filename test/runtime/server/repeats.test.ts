import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Repeats } from "../../../runtime/server/monitoring/repeats.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function noted(most = 1) {
  const lines: unknown[] = [];
  const note = (event: number) => void lines.push(event);
  const repeats = new Repeats<number>({ most, window: 1_000, note, more: (last, count) => void lines.push([last, count]) });
  return { lines, repeats };
}

it("the first event of a kind in a window is noted, and at its end how many more there were", () => {
  const { lines, repeats } = noted();
  for (let event = 0; event < 5; event++) repeats.add("a", event);
  repeats.add("b", 7);
  expect(lines).toEqual([0, 7]);
  vi.advanceTimersByTime(1_000);
  expect(lines).toEqual([0, 7, [4, 4]]);
  vi.advanceTimersByTime(10_000);
  repeats.add("a", 8);
  repeats.add("a", 9);
  expect(lines.slice(3)).toEqual([8]);
  repeats.flush();
  expect(lines.slice(4)).toEqual([[9, 1]]);
  vi.advanceTimersByTime(10_000);
  expect(lines.length).toBe(5);
});

it("the kinds of one window are bounded: further ones are counted together", () => {
  const { lines, repeats } = noted();
  for (let kind = 0; kind < 10_005; kind++) repeats.add(`kind ${kind}`, kind);
  expect(lines.length).toBe(10_001);
  repeats.flush();
  expect(lines.slice(10_001)).toEqual([[10_004, 4]]);
});
