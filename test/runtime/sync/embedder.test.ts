import { pino } from "pino";
import { expect, it } from "vitest";
import { TenonError } from "../../../runtime/base/errors.ts";
import type { EmbeddingProvider } from "../../../runtime/semantic/provider.ts";
import type { EmbeddedText, EmbeddingQueue, WaitingText } from "../../../runtime/store/semantic.ts";
import { Embedder } from "../../../runtime/sync/index.ts";

it("a model that fails midway gets only the rest again", async () => {
  const texts: WaitingText[] = [1, 2, 3].map((id) => ({ id, field: 1, version: 1, text: `Passage number ${id}.`, known: [] }));
  const kept: EmbeddedText[] = [];
  const queue: EmbeddingQueue = {
    openModel: async () => undefined,
    waitingTexts: async (_model, _owner, after) => (kept.length > 0 ? [] : texts.filter(({ id }) => id > after)),
    endEmbedding: async () => undefined,
    waitingCount: async () => texts.length - kept.length,
    keepPassages: async (_model, embedded) => void kept.push(...embedded),
    noteProblem: async () => undefined,
    dropOtherModels: async () => false,
  };
  const asked: string[] = [];
  const provider: EmbeddingProvider = {
    model: "m",
    dims: 4,
    longestPrompt: 100,
    batch: 1,
    embedPrompt: async () => ({ vector: new Float32Array(4), cut: false }),
    embedPassages: async (passages) => {
      asked.push(...passages);
      if (asked.length === 2) throw new TenonError("embedding_failed", "The budget is used.");
      return passages.map(() => Float32Array.of(1, 0, 0, 0));
    },
    close: async () => undefined,
  };
  const embedder = new Embedder(queue, provider, pino({ level: "silent" }));
  embedder.start();
  await expect.poll(() => kept.length, { timeout: 60_000, interval: 50 }).toBe(3);
  await embedder.stop();
  expect(kept.flatMap(({ passages }) => passages).every(({ made }) => made !== undefined)).toBe(true);
  expect(asked.map((text) => text.match(/\d/)?.[0])).toEqual(["1", "2", "2", "3"]);
});

it("a database that goes away while texts are embedded does not end the process", async () => {
  const text: WaitingText = { id: 1, field: 1, version: 1, text: "One passage.", known: [] };
  const kept: EmbeddedText[] = [];
  const lost = Promise.withResolvers<void>();
  let looks = 0;
  const queue: EmbeddingQueue = {
    openModel: async () => undefined,
    waitingTexts: async () => {
      if (++looks !== 2) return kept.length > 0 ? [] : [text];
      lost.resolve();
      throw new TenonError("database_unavailable", "The database cannot be reached.");
    },
    endEmbedding: async () => undefined,
    waitingCount: async () => 1 - kept.length,
    keepPassages: async (_model, embedded) => void kept.push(...embedded),
    noteProblem: async () => undefined,
    dropOtherModels: async () => false,
  };
  const unhandled: unknown[] = [];
  const note = (thrown: unknown) => void unhandled.push(thrown);
  process.on("unhandledRejection", note);
  const provider: EmbeddingProvider = {
    model: "m",
    dims: 4,
    longestPrompt: 100,
    batch: 1,
    embedPrompt: async () => ({ vector: new Float32Array(4), cut: false }),
    embedPassages: async (passages) => {
      // The look for the next texts fails now.
      await lost.promise;
      for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
      return passages.map(() => Float32Array.of(1, 0, 0, 0));
    },
    close: async () => undefined,
  };
  const embedder = new Embedder(queue, provider, pino({ level: "silent" }));
  embedder.start();
  await expect.poll(() => kept.length, { timeout: 60_000, interval: 50 }).toBeGreaterThan(0);
  await embedder.stop();
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

/** A queue in which nothing happens. */
const idle: EmbeddingQueue = {
  openModel: async () => undefined,
  waitingTexts: async () => [],
  endEmbedding: async () => undefined,
  waitingCount: async () => 0,
  keepPassages: async () => undefined,
  noteProblem: async () => undefined,
  dropOtherModels: async () => false,
};
const unused: EmbeddingProvider = {
  model: "m",
  dims: 4,
  longestPrompt: 100,
  batch: 1,
  embedPrompt: async () => ({ vector: new Float32Array(4), cut: false }),
  embedPassages: async () => [],
  close: async () => undefined,
};

it("a wait for texts reports progress when something waits, and its end; nothing when nothing has waited", async () => {
  const counts = [2, 1, 0];
  const queue: EmbeddingQueue = { ...idle, waitingCount: async () => counts.shift() ?? 0 };
  const embedder = new Embedder(queue, unused, pino({ level: "silent" }));
  const reported: number[] = [];
  await embedder.drained(new AbortController().signal, ({ waiting }) => reported.push(waiting));
  expect(reported).toEqual([2, 1, 0]);
  await embedder.drained(new AbortController().signal, ({ waiting }) => reported.push(waiting));
  expect(reported).toEqual([2, 1, 0]);
  await embedder.stop();
});

it("a wait for texts ends when the model fails, and says why", async () => {
  const noted = Promise.withResolvers<void>();
  const counts = [1];
  const queue: EmbeddingQueue = {
    ...idle,
    openModel: async () => {
      throw new TenonError("embedding_failed", "The budget is used.");
    },
    waitingCount: async () => counts.shift() ?? 0,
    noteProblem: async () => noted.resolve(),
  };
  const embedder = new Embedder(queue, unused, pino({ level: "silent" }));
  embedder.start();
  await noted.promise;
  const reported: unknown[] = [];
  await embedder.drained(new AbortController().signal, (progress) => reported.push(progress));
  expect(reported).toEqual([{ waiting: 1, problem: "The budget is used." }]);
  await embedder.stop();
});
