import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { SemanticQuery } from "../../../../runtime/store/semantic.ts";
import { SemanticReader } from "../../../../runtime/store/sqlite/meaning/semantic-reader.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import { Catalogue } from "../../../../runtime/store/sqlite/tables/catalogue.ts";
import { Embedder } from "../../../../runtime/sync/index.ts";
import { collection, embedAll, scope, semanticConformance, syncAll } from "../../../conformance/semantic.ts";
import { embed, testProvider } from "../../../support/embeddings.ts";
import { semanticContent, semanticRows } from "../../../support/semantic-content.ts";
import {
  bodies,
  dims,
  expectPlaces,
  expectSame,
  keysOf,
  others,
  plan,
  queryOf,
  searches,
  things,
  wanted,
} from "../../../support/semantic-records.ts";

// Search by meaning in the store, held to its definition: all passages, the arithmetic of their stored vectors.

const plans = { test: { things: plan, others } };
const log = pino({ level: "silent" });
const root = mkdtempSync(join(tmpdir(), "tenon-semantic-"));
const open: SqliteStore[] = [];
const readers: SemanticReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  for (const store of open.splice(0)) await store.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;

function openStore(dataDir = join(root, String(folders++)), given: typeof plans = plans) {
  const store = new SqliteStore({ dataDir, plans: given, readers: 1 });
  open.push(store);
  return { store, file: join(dataDir, "context-store.sqlite"), dataDir };
}

function readerOf(file: string, exactUpTo: number): SemanticReader {
  const reader = new SemanticReader(file, new Catalogue(plans), { exactUpTo });
  readers.push(reader);
  return reader;
}

describe("search by meaning in the store", () => {
  semanticConformance(() => {
    const { store, file } = openStore();
    return {
      store,
      searcher: (exactUpTo) => {
        let reader: SemanticReader | undefined;
        return async (query) => {
          await store.ready;
          reader ??= readerOf(file, exactUpTo);
          const answer = reader.search(collection, query, Date.now() + 60_000);
          if (answer === undefined) throw new Error("nothing asked the search to give way");
          return answer;
        };
      },
      kept: async () => semanticRows(file),
    };
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
      test: { things: { ...plan, fields: { ...plan.fields, title: { type: "string", index: "name" } } }, others },
    } as typeof plans;
    const { store: again } = openStore(dataDir, wider);
    await again.ready;
    await embedAll(again, provider);
    expect(asked).toEqual([]);
    expect(contentOf(file)).toEqual(before);
    await again.close();
    const { semantic: _none, ...without } = plan;
    const { store: bare } = openStore(dataDir, { test: { things: without, others } } as typeof plans);
    await bare.ready;
    await bare.close();
    expect(contentOf(file).counts).toMatchObject({ passages: 0, codes: 0, texts: 0, waiting: 0, counted: 0 });
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
