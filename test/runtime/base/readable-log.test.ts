import { describe, expect, it } from "vitest";
import { createLog } from "../../../runtime/base/log.ts";
import { readableLines } from "../../../runtime/base/readable-log.ts";

/** What a terminal gets of one entry. */
function shown(fields: object, message: string, level: "info" | "warn" = "info"): string {
  let text = "";
  const sink = readableLines({ write: (line: string) => (text += line) });
  createLog("info", (line) => line, sink)[level](fields, message);
  return text.replace(/^\d\d:\d\d:\d\d/, "12:00:00");
}

describe("the log at a terminal", () => {
  it("has the time, the message and the members that say something", () => {
    const fields = {
      requestId: "5368",
      scope: "team=1",
      entity: "files",
      inserted: 3,
      changed: 0,
      full: true,
      removed: 0,
      problem: null,
    };
    expect(shown(fields, "synced")).toBe("12:00:00 synced scope=team=1 entity=files inserted=3 full=true\n");
  });

  it("has no member that is empty, whether it is a list or an object", () => {
    const fields = { faults: [], columns: {}, keys: ["a"], times: { read: 3 } };
    expect(shown(fields, "searched")).toBe('12:00:00 searched keys=["a"] times={"read":3}\n');
  });

  it("names the level of a warning, and the message of an error", () => {
    expect(shown({ err: new Error("no space") }, "a sync failed", "warn")).toBe(
      "12:00:00 WARNING a sync failed error=no space\n",
    );
  });

  it("has one line for each entry, of at most 160 characters", () => {
    const line = shown({ text: "a\nb".repeat(200) }, "long");
    expect(line.match(/\n/g)).toHaveLength(1);
    expect(line.length).toBe(161);
    expect(line.endsWith("…\n")).toBe(true);
  });

  it("passes no control character on that was escaped in the JSON", () => {
    expect(shown({ title: "\u001b]0;owned\u0007\u001b[2J" }, "request")).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});
