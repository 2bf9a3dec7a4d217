import { expect, it } from "vitest";
import { createLog } from "../../../runtime/base/log.ts";
import { LogTail } from "../../../runtime/base/log-tail.ts";

const redact = (text: string) => text.replaceAll("hush", "[redacted]");

it("the latest warnings and errors of the log are remembered, without secrets, and every line is passed on", () => {
  const lines: string[] = [];
  const tail = new LogTail({ write: (line) => void lines.push(line) });
  const log = createLog("trace", redact, tail.sink);
  log.info("nothing");
  log.warn({ connector: "github", err: new Error("no hush\nhere") }, "a sync failed");
  log.error({ store: "The disk is full." }, "context store");
  expect(lines).toHaveLength(3);
  expect(tail.problems.map(({ time: _time, ...rest }) => rest)).toEqual([
    { level: "error", connector: "", text: "context store: The disk is full." },
    { level: "warning", connector: "github", text: "a sync failed: no [redacted] here" },
  ]);
  expect(Date.parse(tail.problems[0]?.time ?? "")).toBeGreaterThan(0);
});

it("they are bounded in number and length", () => {
  const tail = new LogTail({ write: () => undefined });
  const log = createLog("trace", redact, tail.sink);
  for (let nth = 0; nth < 200; nth++) log.warn(`${nth} ${"x".repeat(100_000)}`);
  expect([tail.problems.length, tail.problems[0]?.text.slice(0, 4), tail.problems[0]?.text.length]).toEqual([50, "199 ", 4_096]);
});
