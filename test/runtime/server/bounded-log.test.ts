import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BoundedLog } from "../../../runtime/server/connections/bounded-log.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("lines about connections are bounded in each window, and the next window says how many were left out", () => {
  const lines: Record<string, unknown>[] = [];
  const log = new BoundedLog(pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) }));
  const burst = () => {
    for (let one = 0; one < 30; one++) log.warn({ one }, "trouble");
  };
  burst();
  expect(lines.map(({ one }) => one)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  vi.advanceTimersByTime(9000);
  burst();
  expect(lines.length).toBe(10);
  vi.advanceTimersByTime(1000);
  burst();
  expect(lines.length).toBe(21);
  expect(lines[10]).toMatchObject({ lines: 50, msg: "more lines about connections were left out" });
  vi.advanceTimersByTime(60_000);
  log.warn({}, "trouble");
  expect(lines.slice(21)).toMatchObject([{ lines: 20 }, { msg: "trouble" }]);
});
