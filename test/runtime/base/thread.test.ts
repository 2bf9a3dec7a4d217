import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { describe, expect, it } from "vitest";
import { LargeJson } from "../../../runtime/base/large-json.ts";
import { startThread } from "../../../runtime/base/thread.ts";

/** By how much the priority of each thread of this process is lower than usual: the 17th member behind the name (man 5 proc). */
const niceness = () =>
  readdirSync("/proc/self/task").map((task) => {
    const [, members = ""] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/self/task/${task}/stat`, "utf8")) ?? [];
    return Number(members.split(" ")[16]);
  });

// Other systems have no priority for each thread.
describe.skipIf(process.platform !== "linux")("a thread", () => {
  it("with a lower priority leaves that of the others as it is", async () => {
    const own = getPriority();
    const code =
      'import { parentPort } from "node:worker_threads"; import { getPriority } from "node:os"; parentPort.postMessage(getPriority());';
    const thread = startThread(new URL(`data:text/javascript,${encodeURIComponent(code)}`), undefined, { nice: 3 });
    expect(await once(thread, "message")).toEqual([own + 3]);
    expect(getPriority()).toBe(own);
    await thread.terminate();
  });

  it("that parses large texts has a lower priority", async () => {
    const before = niceness();
    const json = new LargeJson();
    await json.parse(Buffer.from("[1]"), new AbortController().signal);
    const count = (all: readonly number[]) => all.filter((nice) => nice === getPriority() + 5).length;
    expect(count(niceness())).toBe(count(before) + 1);
  });
});
