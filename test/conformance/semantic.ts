import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { RecordObject } from "../../runtime/search/index.ts";
import type { EmbeddingProvider } from "../../runtime/semantic/provider.ts";
import type { EmbeddingQueue, SemanticAnswer, SemanticQuery, SemanticStore } from "../../runtime/store/semantic.ts";
import type { Store } from "../../runtime/store/store.ts";
import { Embedder } from "../../runtime/sync/index.ts";
import { embed, testProvider } from "../support/embeddings.ts";
import {
  alike,
  dims,
  expectBothPassages,
  expectPlaces,
  expectWithinBytes,
  queryOf,
  twofold,
  wanted,
} from "../support/semantic-records.ts";
import { expectLimits } from "./store/case.ts";

// What every store must do that searches by meaning. That it finds what the definition finds, each store tests on records of its own.

export type MeaningStore = Store & SemanticStore & EmbeddingQueue;

/** A new, empty store of the records of `semantic-records.ts`. */
export interface MeaningPlace {
  readonly store: MeaningStore;
  /**
   * Searches as another process does, which follows the changes.
   *
   * @param exactUpTo how many passages it keeps with their vectors; of more, it compares codes
   */
  searcher(exactUpTo: number): (query: SemanticQuery) => Promise<SemanticAnswer>;
  /** How many rows are kept of all models. */
  kept(): Promise<Readonly<Record<"passages" | "queue" | "indexes" | "models", number>>>;
}

export const collection = { connector: "test", instance: "one", entity: "things" };
export const scope = { ...collection, scope: "all" };
const crash = { prompt: "crash memory", dedup: "max", filter: undefined, minSimilarity: undefined } as const;
const memory = queryOf({ ...crash, prompt: "memory" });

let run = 0;
/** Stores these records as a full sync run, which removes all others. */
export async function syncAll(store: Store, records: readonly RecordObject[], on = scope): Promise<void> {
  const checkpoint = { run: ++run, full: true, step: 0 };
  await store.save(on, { records, checkpoint });
  await store.finish(on, checkpoint, { massDelete: true, parents: [] });
}

/** Embeds all texts that wait. */
export async function embedAll(store: EmbeddingQueue, provider: EmbeddingProvider = testProvider()): Promise<void> {
  const embedder = new Embedder(store, provider, pino({ level: "silent" }));
  embedder.start();
  await embedder.drained(AbortSignal.timeout(60_000), () => undefined);
  await embedder.stop();
}

const thing = (id: string, body: string): RecordObject => ({ id, number: 1, state: "open", body });
const found = ({ hits }: SemanticAnswer) => hits.map(({ key }) => key);
/** A passage of its own: no further one of this length fits. */
const long = (words: string) => `${`${words} `.repeat(Math.floor(100 / words.split(" ").length)).trim()}.`;

/** Registers the cases for one kind of store. */
export function semanticConformance(make: () => MeaningPlace): void {
  const search = (store: SemanticStore, query = memory) => store.searchByMeaning(collection, query, performance.now() + 100_000);

  describe("a search", () => {
    it("ends its hits at the bytes that a caller takes", async () => {
      const { store } = make();
      await syncAll(store, alike);
      await embedAll(store);
      await expectWithinBytes(store, collection);
    });

    it("ends at its deadline, and when its caller has gone, who learns how long it worked", async () => {
      const { store } = make();
      await syncAll(store, alike);
      await embedAll(store);
      await expectLimits((...limits) => store.searchByMeaning(collection, queryOf(crash), ...limits));
    });

    it("gives passages of a record that are equally near one after the other", async () => {
      const { store } = make();
      await syncAll(store, twofold);
      await embedAll(store);
      await expectBothPassages(store, collection);
    });

    it("gives passages of records that have several beside those of records that have one", async () => {
      const { store } = make();
      const records = [...twofold, thing("a", "A crash."), thing("z", "memory leak")];
      await syncAll(store, records);
      await embedAll(store);
      const given = { ...crash, dedup: "none" } as const;
      const answer = await search(store, queryOf(given));
      expectPlaces(answer, records, 200);
      expect(found(answer)).toEqual(wanted(records, given).map(({ key }) => key));
      expect(found(answer).toSorted()).toEqual(["a", "k", "k", "z"]);
    });

    it("finds nothing where the sync has found no records", async () => {
      const { store } = make();
      const checkpoint = { run: ++run, full: true, step: 0 };
      const nothing = { code: "semantic_index_not_ready", message: expect.stringContaining("Nothing of things was synced yet") };
      await expect(search(store)).rejects.toMatchObject(nothing);
      await store.save({ ...scope, instance: "two" }, { records: [thing("a", "memory leak")], checkpoint });
      await expect(search(store)).rejects.toMatchObject(nothing);
      await store.save({ ...scope, entity: "others" }, { records: [{ id: "a" }], checkpoint });
      await expect(search(store)).rejects.toMatchObject(nothing);
      await store.openModel({ name: "test-model", dims });
      await store.save(scope, { records: [], checkpoint });
      await expect(search(store)).rejects.toMatchObject({ code: "semantic_index_not_ready" });
      await store.finish(scope, checkpoint, { massDelete: false, parents: [] });
      expect(await search(store, { ...memory, explain: false })).toStrictEqual({
        hits: [],
        more: false,
        last: undefined,
        syncedAt: expect.any(String),
        sync: expect.objectContaining({ scopes: 1 }),
        waiting: 0,
      });
    });

    it("gives a record the same score whatever else is stored, of any number of passages", async () => {
      const parts = ["memory leak", "memory login parser button", "token worker colour export"].map(long);
      const [near = "", middle = "", far = ""] = parts;
      // In the first record, the best passage is the last one; in the second record, the second best one.
      const records = [
        thing("one", [middle, far, near].join("\n\n")),
        thing("three", [near, far, middle].join("\n\n")),
        thing("x", "memory leak"),
      ];
      const given = { ...crash, prompt: "memory leak" };
      const expected = new Map(wanted(records, given).map(({ key, score }) => [key, expect.closeTo(score, 4)]));
      expect(expected.size).toBe(3);
      // They are nearer than the further passages of the three records, and more than those that are scored.
      for (const others of [0, 1_300]) {
        const { store, searcher } = make();
        const more = Array.from({ length: others }, (_, index) => thing(`o${index}`, `memory leak page ${index}`));
        await syncAll(store, [...records, ...more]);
        await embedAll(store);
        for (const exactUpTo of [2_000, 1]) {
          const { hits } = await searcher(exactUpTo)(queryOf(given, { limit: 20 }));
          const scores = hits.filter(({ key }) => expected.has(key)).map(({ key, metadata }) => [key, metadata.score] as const);
          expect(new Map(scores)).toEqual(expected);
        }
      }
    });

    it("finds what has come where a record has gone, also when no more passages are kept with their vectors", async () => {
      const { store, searcher } = make();
      const find = searcher(10);
      const records = Array.from({ length: 10 }, (_, index) => thing(`r${index}`, `memory ${index}`));
      const [first, ...others] = records;
      await syncAll(store, records);
      await embedAll(store);
      expect(found(await find(memory)).toSorted()).toEqual(records.map(({ id }) => id));
      const come = thing("new", "memory leak");
      await syncAll(store, [...others, come]);
      await embedAll(store);
      expect(found(await find(memory)).toSorted()).toEqual(["new", ...others.map(({ id }) => id)]);
      await syncAll(store, [...records, come]);
      await embedAll(store);
      expect(found(await find(memory)).toSorted()).toEqual(["new", first?.["id"], ...others.map(({ id }) => id)]);
    });
  });

  describe("the index", () => {
    it("is not searched before it is complete, and says how far it is", async () => {
      const { store } = make();
      const checkpoint = { run: ++run, full: true, step: 0 };
      await store.save(scope, { records: [thing("a", "memory leak")], checkpoint });
      await expect(search(store)).rejects.toMatchObject({ message: expect.stringContaining("0 of 1 texts") });
      await embedAll(store);
      // The sync has not ended, so there may be more.
      await expect(search(store)).rejects.toMatchObject({ code: "semantic_index_not_ready" });
      await store.finish(scope, checkpoint, { massDelete: false, parents: [] });
      expect(found(await search(store))).toEqual(["a"]);
      await embedAll(store);
      await store.save(scope, { records: [thing("b", "memory leak")], checkpoint: { ...checkpoint, run: ++run } });
      expect(await search(store)).toMatchObject({ waiting: 1, hits: [{ entity: { key: "a" } }] });
      expect(await store.semanticStates(collection)).toMatchObject([
        { entity: "things", field: "body", waiting: 1, ready: true },
      ]);
      await embedAll(store);
      expect(await search(store)).toMatchObject({ waiting: 0 });
      expect(found(await search(store))).toEqual(["a", "b"]);
    });

    it("hands texts to one owner at a time", async () => {
      const { store } = make();
      await syncAll(store, [thing("a", "crash")]);
      await store.openModel({ name: "test-model", dims });
      const asked = (owner: string) => store.waitingTexts("test-model", owner, 0, 1_000);
      expect(await asked("elsewhere:1:a")).toMatchObject([{ text: "crash", known: [] }]);
      expect(await asked("elsewhere:1:b")).toEqual([]);
      await store.endEmbedding("test-model", "elsewhere:1:a");
      expect(await asked("elsewhere:1:b")).toMatchObject([{ text: "crash" }]);
    });

    it("embeds only what has changed, and knows where the rest is now", async () => {
      const { store } = make();
      const asked: string[] = [];
      const provider = testProvider({
        embedPassages: async (passages) => {
          asked.push(...passages);
          return passages.map((passage) => embed(passage, dims));
        },
      });
      const embedded = async (body: string) => {
        asked.length = 0;
        const records = [thing("a", body)];
        await syncAll(store, records);
        await embedAll(store, provider);
        const answer = await search(store, queryOf({ ...crash, dedup: "none" }));
        expectPlaces(answer, records, 200);
        expect(answer.hits).toHaveLength(2);
        return asked;
      };
      const [first, second] = ["crash", "login"].map((word) => `${word} `.repeat(110).trim());
      expect(await embedded(`${first}.\n\n${second}.`)).toEqual([`${first}.`, `${second}.`]);
      expect(await embedded(`Now. ${first}.\n\n${second}.`)).toEqual([`Now. ${first}.`]);
      expect(await embedded(`Now. ${first}.\n\n\n${second}.`)).toEqual([]);
      expect(await embedded(`Now. ${first}.\n\n\n${second}.`)).toEqual([]);
      // Blanks within a passage move only its end.
      expect(await embedded(`Now. ${first}.\n\n\n${second?.replace(" ", "   ")}.`)).toEqual([]);
    });

    it("of another model is built beside the old ones, which answer until then and go afterwards", async () => {
      const { store, kept } = make();
      await syncAll(store, [thing("a", "memory leak")]);
      await embedAll(store);
      await store.openModel({ name: "forgotten", dims });
      const by = (model: string) => search(store, { ...memory, model });
      const notReady = { code: "semantic_index_not_ready" };
      await expect(by("other-model")).rejects.toMatchObject(notReady);
      expect(await store.dropOtherModels("other-model")).toBe(false);
      await store.openModel({ name: "other-model", dims });
      expect(await store.dropOtherModels("other-model")).toBe(false);
      expect(found(await by("test-model"))).toEqual(["a"]);
      const embedPassages = async (texts: readonly string[]) => texts.map((text) => embed(`${text} other`, dims));
      await embedAll(store, testProvider({ model: "other-model", embedPassages }));
      expect(found(await by("other-model"))).toEqual(["a"]);
      // The embedder has dropped what it could meanwhile.
      let parts = 0;
      while (await store.dropOtherModels("other-model")) expect(++parts).toBeLessThan(10);
      expect(await kept()).toEqual({ passages: 1, queue: 0, indexes: 1, models: 1 });
      expect((await store.semanticStates(collection)).map(({ model }) => model)).toEqual(["other-model"]);
      await expect(by("test-model")).rejects.toMatchObject(notReady);
      expect(found(await by("other-model"))).toEqual(["a"]);
    });
  });
}
