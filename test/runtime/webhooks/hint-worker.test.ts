import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HintStore, StoredHint } from "../../../runtime/accounts/index.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import type { SyncState } from "../../../runtime/store/store.ts";
import { HintWorker } from "../../../runtime/webhooks/hint-worker.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { standIn } from "../../support/shaped.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Options = ConstructorParameters<typeof HintWorker>[0];

const hint = (key: string, tries = 0): StoredHint => {
  return { instance: "github", scope: "account", entity: "viewer", kind: "list", key, params: "{}", version: 1, at: 0, tries };
};

/** What a store does in which nothing is, and that cannot be used. */
const away: SyncStates = () => Promise.reject(new Error("the store is away"));
type SyncStates = Options["store"]["states"];

/** A worker on a list of hints. @returns what became of them, each with the milliseconds since the start, and what was logged */
function started(find: Options["find"], states: SyncStates = away) {
  const began = Date.now();
  const waiting: StoredHint[] = [];
  const log: unknown[] = [];
  const warnings: Record<string, unknown>[] = [];
  const note = (what: string, hints: readonly StoredHint[], ...more: readonly unknown[]) =>
    void (hints.length > 0 && log.push([Date.now() - began, what, hints.map(({ key }) => key), ...more]));
  const worker = new HintWorker({
    hints: standIn<HintStore>({
      dueHints: async (_now, most) => waiting.splice(0, most),
      endHints: async (ended) => note("ended", ended),
      postponeHints: async (hints, until, failed) => note(failed ? "failed" : "postponed", hints, until - Date.now()),
    }),
    store: standIn<Options["store"]>({ states, lease: async () => 1 }),
    find,
    log: pino({ level: "warn" }, { write: (line) => void warnings.push(JSON.parse(line)) }),
  });
  worker.start();
  return { worker, waiting, log, warnings };
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

  it("is found within a second where another process has stored it, and at once where more is due", async () => {
    const { worker, waiting, log } = started(async () => undefined);
    await vi.advanceTimersByTimeAsync(100);
    waiting.push(hint("a"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(log).toEqual([[1_000, "ended", ["a"]]]);
    waiting.push(...Array.from({ length: 5_001 }, (_, nth) => hint(`${nth}`)));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(log.slice(1)).toMatchObject([
      [2_000, "ended", expect.objectContaining({ length: 5_000 })],
      [2_001, "ended", ["5000"]],
    ]);
    await worker.stop();
  });

  it("while other hints are followed is read 300 ms after these", async () => {
    const slow = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 500));
    const { worker, waiting, log } = started(slow);
    waiting.push(hint("a"));
    await vi.advanceTimersByTimeAsync(100);
    waiting.push(hint("b"));
    worker.wake();
    await vi.advanceTimersByTimeAsync(1_400);
    expect(log).toEqual([
      [500, "ended", ["a"]],
      [500 + 300 + 500, "ended", ["b"]],
    ]);
    await worker.stop();
  });

  it("and cannot be read is tried again, each time later, and is left to the next sync after ten times", async () => {
    const cached = standIn<SyncState>({ scope: "account", entity: "viewer", completedAt: "2026-01-01T00:00:00Z", records: 1 });
    let asked = 0;
    // The store knows the scope, and fails when its hints are followed.
    const states: SyncStates = async () => {
      if (asked++ > 0) throw new TenonError("internal", "The store is broken.");
      return [cached];
    };
    const { worker, waiting, log, warnings } = started(async () => fakeInstance(() => ({})).instance, states);
    waiting.push(
      hint("first", 0),
      hint("also first", 0),
      hint("third", 2),
      hint("eighth", 7),
      hint("ninth", 8),
      hint("tenth", 9),
    );
    await vi.advanceTimersByTimeAsync(1);
    expect(log).toEqual([
      [0, "failed", ["first", "also first"], 5_000],
      [0, "failed", ["third"], 20_000],
      [0, "failed", ["eighth"], 640_000],
      [0, "failed", ["ninth"], 900_000],
      [0, "ended", ["tenth"]],
    ]);
    expect(warnings).toMatchObject([
      {
        err: { message: "The store is broken." },
        hint: { key: "tenth" },
        msg: "what a webhook named could not be read; the next sync of its scope reads it",
      },
    ]);
    await worker.stop();
  });
});
