import { describe, expect, it } from "vitest";
import { invalidRequest, TenonError } from "../../../runtime/base/errors.ts";
import { errorOf, sentError } from "../../../runtime/base/sent-error.ts";
import { RestartedWorker, WorkerCalls } from "../../../runtime/base/worker-calls.ts";
import type { NumbersApi } from "./numbers-thread.ts";

const module = new URL("./numbers-thread.ts", import.meta.url);
const start = (data = 1) => new WorkerCalls<NumbersApi>(module, { name: "the thread of this test", data });

describe("calls of another thread", () => {
  it("are done in the order in which they are made, and give what the method returns or throws", async () => {
    const calls = start(10);
    const results = await Promise.allSettled([
      calls.call("add", 1),
      calls.call("add", 2),
      calls.call("refuse"),
      calls.call("add", 3),
    ]);
    const reason = expect.objectContaining({ code: "overloaded", message: "Later.", retryAfter: 7 });
    expect(results).toEqual([
      { status: "fulfilled", value: 11 },
      { status: "fulfilled", value: 13 },
      { status: "rejected", reason },
      { status: "fulfilled", value: 16 },
    ]);
    await calls.end();
    expect(calls.ended).toBe(true);
    await expect(calls.call("add", 1)).rejects.toThrow("the thread of this test has ended");
  });

  it("fail with the reason when the thread cannot make its object, also those that were made before", async () => {
    const calls = start(-1);
    const early = calls.call("add", 1);
    await expect(early).rejects.toThrow("below zero");
    await expect(calls.ready).rejects.toThrow("below zero");
    await calls.gone;
  });

  it("hand memory over where that is asked for", async () => {
    const calls = start();
    const bytes = new Uint8Array([1, 2, 3]);
    expect(await calls.hand([bytes.buffer], "sum", bytes)).toBe(6);
    expect(bytes.length).toBe(0);
    await calls.end();
  });

  it("fail when the thread crashes; the next call starts another one", async () => {
    const worker = new RestartedWorker<NumbersApi>(() => start());
    expect(worker.running).toBeUndefined();
    await expect(worker.calls.call("crash")).rejects.toThrow("has ended");
    expect(await worker.calls.call("add", 1)).toBe(2);
    await worker.running?.terminate();
    expect(worker.running).toBeUndefined();
  });
});

describe("an error that is sent to another thread", () => {
  it.each<[string, TenonError]>([
    ["with the time of a retry", new TenonError("overloaded", "Later.", { retryAfter: 12 })],
    ["with faults", invalidRequest([{ pointer: "/a", code: "type", message: "is no number", allowed: [1], suggestion: "b" }])],
  ])("is the same there %s", (_what, error) => {
    const arrived = errorOf(structuredClone(sentError(error)));
    expect(arrived).toBeInstanceOf(TenonError);
    expect(arrived).toMatchObject({
      code: error.code,
      message: error.message,
      faults: error.faults,
      retryAfter: error.retryAfter,
    });
  });

  it("says what was thrown when it is not an Error", () => {
    const arrived = errorOf(structuredClone(sentError("no space")));
    expect(arrived).toBeInstanceOf(Error);
    expect(arrived.message).toBe("no space");
  });

  it("keeps the stack when it is none that callers see", () => {
    const error = new Error("broken");
    const arrived = errorOf(structuredClone(sentError(error)));
    expect([arrived.message, arrived.stack]).toEqual(["broken", error.stack]);
  });
});
