import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { RecordObject } from "../../../../runtime/search/index.ts";
import type { EmbeddingProvider } from "../../../../runtime/semantic/provider.ts";
import type { SemanticQuery } from "../../../../runtime/store/semantic.ts";
import { SemanticReader } from "../../../../runtime/store/sqlite/meaning/semantic-reader.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import { Catalogue } from "../../../../runtime/store/sqlite/tables/catalogue.ts";
import { Embedder } from "../../../../runtime/sync/index.ts";
import { expectLimits } from "../../../conformance/store/case.ts";
import { embed, testProvider } from "../../../support/embeddings.ts";
import { semanticContent } from "../../../support/semantic-content.ts";
import {
  alike,
  bodies,
  dims,
  expectBothPassages,
  expectPlaces,
  expectSame,
  expectWithinBytes,
  keysOf,
  plan,
  queryOf,
  searches,
  things,
  twofold,
  wanted,
} from "../../../support/semantic-records.ts";

// Search by meaning in the store, held to its definition: all passages, the arithmetic of their stored vectors.

const plans = { test: { things: plan } };
const collection = { connector: "test", instance: "one", entity: "things" };
const scope = { ...collection, scope: "all" };
const log = pino({ level: "silent" });
const root = mkdtempSync(join(tmpdir(), "tenon-semantic-"));
const open: SqliteStore[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;

function openStore(dataDir = join(root, String(folders++)), given: typeof plans = plans) {
  const store = new SqliteStore({ dataDir, plans: given, readers: 1 });
  open.push(store);
  return { store, file: join(dataDir, "context-store.sqlite"), dataDir };
}

let run = 0;
/** Stores these records as a full sync run, which removes all others. */
async function syncAll(store: SqliteStore, records: readonly RecordObject[], on = scope): Promise<void> {
  const checkpoint = { run: ++run, full: true, step: 0 };
  await store.save(on, { records, checkpoint });
  await store.finish(on, checkpoint, { massDelete: true, parents: [] });
}

async function embedAll(store: SqliteStore, provider: EmbeddingProvider = testProvider()): Promise<void> {
  const embedder = new Embedder(store, provider, log);
  embedder.start();
  await embedder.drained(AbortSignal.timeout(60_000), () => undefined);
  await embedder.stop();
}

describe("search by meaning in the store", () => {
  it("ends its hits at the bytes that a caller takes", async () => {
    const { store } = openStore();
    await syncAll(store, alike);
    await embedAll(store);
    await expectWithinBytes(store, collection);
  });

  it("ends at its deadline, and when its caller has gone, who learns how long it worked", async () => {
    const { store } = openStore();
    await syncAll(store, alike);
    await embedAll(store);
    const query = queryOf({ prompt: "crash memory", dedup: "max", filter: undefined, minSimilarity: undefined });
    await expectLimits((...limits) => store.searchByMeaning(collection, query, ...limits));
  });

  it("gives passages of a record that are equally near one after the other", async () => {
    const { store } = openStore();
    await syncAll(store, twofold);
    await embedAll(store);
    await expectBothPassages(store, collection);
  });

  it.each([1, 2, 3, 4])("finds what the definition finds, exactly and by codes (set %i)", async (seed) => {
    const [records = []] = fc.sample(things(120), { seed, numRuns: 1 });
    const { store, file } = openStore();
    await syncAll(store, [...records, { id: "gone", number: 1, state: "open", body: "crash memory leak" }]);
    await embedAll(store);
    await syncAll(
      store,
      records.map((record, index) => (index % 3 === 0 ? { ...record, body: `${String(record.body)} memory.` } : record)),
    );
    await embedAll(store);
    await syncAll(store, records);
    await syncAll(store, [{ id: "foreign", number: 1, state: "open", body: "crash memory leak" }], { ...scope, instance: "two" });
    await embedAll(store);
    const readers = [undefined, 1].map(
      (exactUpTo) => new SemanticReader(file, new Catalogue(plans), exactUpTo === undefined ? {} : { exactUpTo }),
    );
    try {
      for (const given of fc.sample(searches, { seed, numRuns: 60 }))
        for (const [index, reader] of readers.entries()) {
          // Nearly all passages of a text have the same context, or none has.
          const contextSize = index === 0 ? 2_000 : 200;
          const answer = reader.search(collection, queryOf(given, { contextSize }), Date.now() + 60_000);
          if (answer === undefined) throw new Error("nothing asked the search to give way");
          const want = wanted(records, given, contextSize);
          expectPlaces(answer, records, contextSize);
          expect(answer.more).toBe(want.length > 100);
          expectSame(keysOf(answer), want.slice(0, 100), given.minSimilarity ?? -1);
        }
    } finally {
      for (const reader of readers) reader.close();
    }
  });

  it("joins pages of any size to the same walk, also among equal scores", async () => {
    const records = fc
      .sample(bodies, { seed: 7, numRuns: 80 })
      .map((body, number) => ({ id: `r${number}`, number, state: "open", body }));
    const same = Array.from({ length: 25 }, (_, index) => ({
      id: `same${index}`,
      number: index,
      state: "open",
      body: "slow login page.",
    }));
    const { store, file } = openStore();
    await syncAll(store, [...records, ...same]);
    await embedAll(store);
    for (const exactUpTo of [1_000, 1]) {
      const reader = new SemanticReader(file, new Catalogue(plans), { exactUpTo });
      for (const [dedup, contextSize] of [
        ["max", 200],
        ["none", 200],
        ["none", 600],
        ["none", 2_000],
      ] as const) {
        const walk = (limit: number) => {
          const hits: string[] = [];
          for (let after: SemanticQuery["after"]; ; ) {
            const query = queryOf(
              { prompt: "login is slow", dedup, filter: undefined, minSimilarity: undefined },
              { limit, contextSize },
            );
            const answer = reader.search(collection, after === undefined ? query : { ...query, after }, Date.now() + 60_000);
            for (const { entity, metadata } of answer?.hits ?? [])
              hits.push(`${String(entity["key"])} ${metadata.score} ${metadata.context.slice(0, 40)}`);
            if (answer?.more !== true || answer.last === undefined) return hits;
            after = answer.last;
          }
        };
        const whole = walk(100);
        expect(whole.length).toBeGreaterThan(90);
        expect(walk(1)).toEqual(whole);
        expect(walk(7)).toEqual(whole);
        if (dedup === "max" || contextSize === 2_000) expect(new Set(whole).size).toBe(whole.length);
      }
      reader.close();
    }
  });

  it("gives a record the same score whatever else is stored", async () => {
    const thing = { id: "x", number: 1, state: "open", body: "The parser leaks memory. It gets slow." };
    const scores = [];
    for (const others of [0, 300]) {
      const { store, file } = openStore();
      const more = Array.from({ length: others }, (_, index) => ({
        id: `o${index}`,
        number: 2,
        state: "open",
        body: `button ${index} colour`,
      }));
      await syncAll(store, [thing, ...more]);
      await embedAll(store);
      for (const exactUpTo of [1_000, 1]) {
        const reader = new SemanticReader(file, new Catalogue(plans), { exactUpTo });
        const answer = reader.search(
          collection,
          queryOf({ prompt: "memory leak", dedup: "max", filter: undefined, minSimilarity: undefined }),
          Date.now() + 60_000,
        );
        scores.push(answer?.hits.find(({ entity }) => entity["key"] === "x")?.metadata.score);
        reader.close();
      }
    }
    expect(new Set(scores).size).toBe(1);
    expect(scores[0]).toBeGreaterThan(0.3);
  });
});

const contentOf = (file: string) => semanticContent(file, "test_things");

describe("the index", () => {
  it("is the same however its records came, changed and went", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(things(25), { minLength: 1, maxLength: 4 }), async (steps) => {
        const { store, file } = openStore();
        for (const [index, records] of steps.entries()) {
          await syncAll(store, records);
          if (index % 2 === 0) await embedAll(store);
        }
        await embedAll(store);
        const { store: fresh, file: once } = openStore();
        await syncAll(fresh, steps.at(-1) ?? []);
        await embedAll(fresh);
        expect(contentOf(file)).toEqual(contentOf(once));
      }),
      { numRuns: 3, endOnFailure: true },
    );
  }, 120_000);

  it("embeds only what has changed", async () => {
    const { store } = openStore();
    const asked: string[] = [];
    const provider = testProvider({
      embedPassages: async (passages) => {
        asked.push(...passages);
        return passages.map((passage) => embed(passage, dims));
      },
    });
    const [first, second] = ["crash ".repeat(110).trim(), "login ".repeat(110).trim()];
    await syncAll(store, [{ id: "a", number: 1, state: "open", body: `${first}.\n\n${second}.` }]);
    await embedAll(store, provider);
    expect(asked).toEqual([`${first}.`, `${second}.`]);
    asked.length = 0;
    await syncAll(store, [{ id: "a", number: 2, state: "closed", body: `Now. ${first}.\n\n${second}.` }]);
    await embedAll(store, provider);
    expect(asked).toEqual([`Now. ${first}.`]);
    asked.length = 0;
    await syncAll(store, [{ id: "a", number: 3, state: "open", body: `Now. ${first}.\n\n${second}.` }]);
    await embedAll(store, provider);
    expect(asked).toEqual([]);
  });

  it("stays when the tables of its entity are made anew, and goes with its field", async () => {
    const { store, file, dataDir } = openStore();
    const asked: string[] = [];
    const provider = testProvider({
      embedPassages: async (passages) => {
        asked.push(...passages);
        return passages.map((passage) => embed(passage, dims));
      },
    });
    const records = Array.from({ length: 30 }, (_, index) => ({
      id: `r${99 - index}`,
      number: index,
      state: "open",
      body: `memory ${index}`,
    }));
    await syncAll(store, records.slice(5));
    await syncAll(store, records);
    await embedAll(store, provider);
    const before = contentOf(file);
    await store.close();
    asked.length = 0;
    const wider = {
      test: { things: { ...plan, fields: { ...plan.fields, title: { type: "string", index: "name" } } } },
    } as typeof plans;
    const { store: again } = openStore(dataDir, wider);
    await again.ready;
    await embedAll(again, provider);
    expect(asked).toEqual([]);
    expect(contentOf(file)).toEqual(before);
    await again.close();
    const { semantic: _none, ...without } = plan;
    const { store: bare } = openStore(dataDir, { test: { things: without } } as typeof plans);
    await bare.ready;
    await bare.close();
    expect(contentOf(file).counts).toMatchObject({ passages: 0, codes: 0, texts: 0, waiting: 0, counted: 0 });
  });

  it("is not searched before it is complete, and says how far it is", async () => {
    const { store } = openStore();
    const query = queryOf({ prompt: "memory", dedup: "max", filter: undefined, minSimilarity: undefined });
    const search = () => store.searchByMeaning(collection, query, performance.now() + 5_000);
    await expect(search()).rejects.toMatchObject({
      code: "semantic_index_not_ready",
      message: expect.stringContaining("Nothing of things was synced yet"),
    });
    const checkpoint = { run: ++run, full: true, step: 0 };
    await store.save(scope, { records: [{ id: "a", number: 1, state: "open", body: "memory leak" }], checkpoint });
    await expect(search()).rejects.toMatchObject({ message: expect.stringContaining("0 of 1 texts") });
    await embedAll(store);
    // The sync has not ended, so there may be more.
    await expect(search()).rejects.toMatchObject({ code: "semantic_index_not_ready" });
    await store.finish(scope, checkpoint, { massDelete: false, parents: [] });
    expect((await search()).hits).toHaveLength(1);
    await embedAll(store);
    await store.save(scope, {
      records: [{ id: "b", number: 1, state: "open", body: "memory leak" }],
      checkpoint: { ...checkpoint, run: ++run },
    });
    expect(await search()).toMatchObject({ waiting: 1, hits: [{ entity: { key: "a" } }] });
    await embedAll(store);
    expect(await search()).toMatchObject({ waiting: 0 });
    expect((await search()).hits).toHaveLength(2);
  });

  it("of another model is built beside the old one, which answers until then and goes afterwards", async () => {
    const { store } = openStore();
    await syncAll(store, [{ id: "a", number: 1, state: "open", body: "memory leak" }]);
    await embedAll(store);
    const query = queryOf({ prompt: "memory", dedup: "max", filter: undefined, minSimilarity: undefined });
    const search = (model: string) => store.searchByMeaning(collection, { ...query, model }, performance.now() + 5_000);
    await expect(search("other-model")).rejects.toMatchObject({ code: "semantic_index_not_ready" });
    expect((await search("test-model")).hits).toHaveLength(1);
    const other = testProvider({
      model: "other-model",
      embedPassages: async (texts) => texts.map((text) => embed(`${text} other`, dims)),
    });
    await embedAll(store, other);
    expect((await search("other-model")).hits).toHaveLength(1);
    while (await store.dropOtherModels("other-model"));
    expect((await store.semanticStates({ connector: "test", instance: "one" })).map(({ model }) => model)).toEqual([
      "other-model",
    ]);
  });

  it("never gets a vector that the model gave wrongly", async () => {
    const { store } = openStore();
    await syncAll(store, [{ id: "a", number: 1, state: "open", body: "memory leak" }]);
    const wrong: (() => Promise<Float32Array[]>)[] = [
      async () => [new Float32Array(dims - 1)],
      async () => [],
      async () => [new Float32Array(dims).fill(Number.NaN)],
      async () => {
        throw new Error("no answer");
      },
    ];
    for (const embedPassages of wrong) {
      const embedder = new Embedder(store, testProvider({ embedPassages }), log);
      embedder.start();
      const problems: string[] = [];
      await embedder.drained(AbortSignal.timeout(20_000), ({ problem }) => problem !== undefined && problems.push(problem));
      await embedder.stop();
      expect(problems).toHaveLength(1);
      const [state] = await store.semanticStates({ connector: "test", instance: "one" });
      expect(state).toMatchObject({ passages: 0, waiting: 1, ready: false, problem: problems[0] });
    }
    await embedAll(store);
    expect(await store.semanticStates({ connector: "test", instance: "one" })).toMatchObject([
      { passages: 1, waiting: 0, problem: null },
    ]);
  });
});
