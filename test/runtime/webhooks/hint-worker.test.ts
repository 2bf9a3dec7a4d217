import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HintStore, StoredHint } from "../../../runtime/accounts/index.ts";
import { HintWorker } from "../../../runtime/webhooks/hint-worker.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { standIn } from "../../support/shaped.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const hint = (key: string): StoredHint => {
  return { instance: "github", scope: "account", entity: "issues", kind: "key", key, params: "{}", version: 1, at: 0, tries: 0 };
};

/** A worker on a list of hints. @returns what became of them, each with the milliseconds since the start */
function started(find: ConstructorParameters<typeof HintWorker>[0]["find"]) {
  const began = Date.now();
  const waiting: StoredHint[] = [];
  const log: unknown[] = [];
  const note = (what: string, hints: readonly StoredHint[], ...more: readonly number[]) =>
    void (hints.length > 0 && log.push([Date.now() - began, what, hints.map(({ key }) => key), ...more]));
  const worker = new HintWorker({
    hints: standIn<HintStore>({
      dueHints: async () => waiting.splice(0),
      endHints: async (ended) => note("ended", ended),
      postponeHints: async (hints, until) => note("postponed", hints, until - Date.now()),
    }),
    store: standIn<ConstructorParameters<typeof HintWorker>[0]["store"]>({
      states: () => Promise.reject(new Error("the store is away")),
    }),
    find,
    log: pino({ level: "silent" }),
  });
  worker.start();
  return { worker, waiting, log };
}

describe("what webhooks name", () => {
  it("is read together where it comes within 300 ms", async () => {
    const { worker, waiting, log } = started(async () => undefined);
    await vi.advanceTimersByTimeAsync(100);
    for (const key of ["a", "b", "c"]) {
      waiting.push(hint(key));
      worker.wake();
      await vi.advanceTimersByTimeAsync(140);
    }
    await vi.advanceTimersByTimeAsync(160);
    waiting.push(hint("d"));
    worker.wake();
    await vi.advanceTimersByTimeAsync(300);
    expect(log).toEqual([
      [400, "ended", ["a", "b", "c"]],
      [980, "ended", ["d"]],
    ]);
    await worker.stop();
  });

  it("waits while the store cannot be used", async () => {
    const { worker, waiting, log } = started(async () => fakeInstance(() => ({})).instance);
    waiting.push(hint("a"));
    await vi.advanceTimersByTimeAsync(1);
    expect(log).toEqual([[0, "postponed", ["a"], 2_000]]);
    await worker.stop();
  });
});
