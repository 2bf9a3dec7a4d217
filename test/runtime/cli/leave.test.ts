import { afterEach, expect, it, vi } from "vitest";
import { leave, watchThreads } from "../../../runtime/cli/leave.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Ends a process with one thread. @returns what ended it, and what it said */
async function left(terminate: () => Promise<number>) {
  const ends: unknown[] = [];
  const said: string[] = [];
  vi.spyOn(process, "exit").mockImplementation((status): never => {
    ends.push(status);
    return undefined as never;
  });
  vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
    ends.push(pid === process.pid, signal);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  const before = process.listeners("worker");
  let ended = (): void => undefined;
  try {
    watchThreads();
    // The process reports each thread that it starts.
    const emitter: NodeJS.EventEmitter = process;
    emitter.emit("worker", { once: (_: "exit", call: () => void) => (ended = call), terminate });
    vi.useFakeTimers();
    const leaving = leave(3);
    await vi.advanceTimersByTimeAsync(1000);
    await leaving;
    return { ends, said };
  } finally {
    ended();
    for (const one of process.listeners("worker")) if (!before.includes(one)) process.off("worker", one);
  }
}

it("a process ends with its status as soon as its threads have ended", async () => {
  expect(await left(async () => 0)).toEqual({ ends: [3], said: [] });
});

it("a process whose thread hangs kills itself, and says so", async () => {
  const { ends, said } = await left(() => new Promise(() => undefined));
  expect([ends.slice(0, 2), said]).toEqual([[true, "SIGKILL"], ["tenon: a thread does not end, so the process kills itself\n"]]);
});
