import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../../../runtime/postgres/index.ts";
import type { RecordObject } from "../../../../runtime/search/index.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { Embedder } from "../../../../runtime/sync/index.ts";
import { expectLimits } from "../../../conformance/store/case.ts";
import { testProvider } from "../../../support/embeddings.ts";
import { engines } from "../../../support/postgres/engines.ts";
import type { TestDatabase } from "../../../support/postgres/test-database.ts";
import {
  alike,
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

const collection = { connector: "test", instance: "one", entity: "things" };
const scope = { ...collection, scope: "all" };
const log = pino({ level: "silent" });
const patiently = () => performance.now() + 100_000;
const crash = { prompt: "crash memory", dedup: "max", filter: undefined, minSimilarity: undefined } as const;

describe.each(engines)("search by meaning on $name", ({ start }) => {
  let place: TestDatabase;
  let database: Database;
  const stores: PostgresStore[] = [];
  beforeAll(async () => {
    place = await start();
    database = place.open();
  });
  beforeEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await place.empty();
  });
  afterAll(async () => {
    await database.close();
    await place.close();
  });

  function open(more: { readonly exactUpTo?: number } = {}): PostgresStore {
    const store = new PostgresStore({ database, plans: { test: { things: plan } }, searchTime: 100_000, ...more });
    stores.push(store);
    return store;
  }

  let run = 0;
  /** Stores these records as a full sync run, which removes all others. */
  async function syncAll(store: PostgresStore, records: readonly RecordObject[], on = scope): Promise<void> {
    const checkpoint = { run: ++run, full: true, step: 0 };
    await store.save(on, { records, checkpoint });
    await store.finish(on, checkpoint, { massDelete: true, parents: [] });
  }

  async function embedAll(store: PostgresStore): Promise<void> {
    const embedder = new Embedder(store, testProvider(), log);
    embedder.start();
    await embedder.drained(AbortSignal.timeout(60_000), () => undefined);
    await embedder.stop();
  }

  it("ends its hits at the bytes that a caller takes", async () => {
    const store = open();
    await syncAll(store, alike);
    await embedAll(store);
    await expectWithinBytes(store, collection);
  });

  it("ends at its deadline, and when its caller has gone, who learns how long it worked", async () => {
    const store = open();
    await syncAll(store, alike);
    await embedAll(store);
    const query = queryOf(crash);
    await expectLimits((...limits) => store.searchByMeaning(collection, query, ...limits));
  });

  it("gives passages of a record that are equally near one after the other", async () => {
    const store = open();
    await syncAll(store, twofold);
    await embedAll(store);
    await expectBothPassages(store, collection);
  });

  it("finds what the definition finds, exactly and by codes, in processes that have followed all changes and in new ones", async () => {
    const [records = []] = fc.sample(things(50), { seed: 1, numRuns: 1 });
    const writer = open();
    const followers = [open(), open({ exactUpTo: 1 })];
    const follow = async () => {
      for (const one of followers) await one.searchByMeaning(collection, queryOf(crash), patiently());
    };
    await syncAll(writer, [...records, { id: "gone", number: 1, state: "open", body: "crash memory leak" }]);
    await embedAll(writer);
    await follow();
    await syncAll(
      writer,
      records.map((record, index) => (index % 3 === 0 ? { ...record, body: `${String(record.body)} memory.` } : record)),
    );
    await embedAll(writer);
    await follow();
    await syncAll(writer, records);
    await syncAll(writer, [{ id: "foreign", number: 1, state: "open", body: "crash memory leak" }], {
      ...scope,
      instance: "two",
    });
    await embedAll(writer);
    for (const given of fc.sample(searches, { seed: 1, numRuns: 8 }))
      for (const store of [...followers, open(), open({ exactUpTo: 1 })]) {
        const contextSize = followers.includes(store) ? 2_000 : 200;
        const answer = await store.searchByMeaning(collection, queryOf(given, { contextSize }), patiently());
        const want = wanted(records, given, contextSize);
        expectPlaces(answer, records, contextSize);
        expect(answer.more).toBe(want.length > 100);
        expectSame(keysOf(answer), want.slice(0, 100), given.minSimilarity ?? -1);
      }
  });

  it("says that it is not ready until all texts were embedded, and how many wait", async () => {
    const store = open();
    const search = () => store.searchByMeaning(collection, queryOf(crash), patiently());
    const notReady = { code: "semantic_index_not_ready" };
    await expect(search()).rejects.toMatchObject(notReady);
    await syncAll(store, [{ id: "a", number: 1, state: "open", body: "crash" }]);
    await expect(search()).rejects.toMatchObject(notReady);
    await embedAll(store);
    expect(keysOf(await search()).map(({ key }) => key)).toEqual(["a"]);
    await syncAll(store, [{ id: "b", number: 1, state: "open", body: "leak" }]);
    expect((await search()).waiting).toBe(1);
    expect(await store.semanticStates(collection)).toMatchObject([{ entity: "things", field: "body", waiting: 1, ready: true }]);
  });

  it.each([200, 600, 2_000])(
    "walks by cursor through all hits, each once, with a context of %i characters",
    async (contextSize) => {
      const [records = []] = fc.sample(things(60), { seed: 5, numRuns: 1 });
      const store = open();
      await syncAll(store, records);
      await embedAll(store);
      const given = { ...crash, dedup: "none" } as const;
      const all = keysOf(await store.searchByMeaning(collection, queryOf(given, { limit: 100, contextSize }), patiently()));
      const walked: unknown[] = [];
      for (let after: ReturnType<typeof queryOf>["after"]; walked.length < all.length; ) {
        const page = await store.searchByMeaning(
          collection,
          queryOf(given, { limit: 7, contextSize, ...(after === undefined ? {} : { after }) }),
          patiently(),
        );
        expect(keysOf(page).length).toBeLessThanOrEqual(7);
        expect(Object.keys(page.report?.times ?? {})).toEqual(["refresh", "filter", "candidates", "order", "hits"]);
        walked.push(...keysOf(page));
        after = page.last;
        if (!page.more) break;
      }
      expect(walked.slice(0, all.length)).toEqual(all);
    },
  );

  it("hands texts to one owner at a time", async () => {
    const store = open();
    await syncAll(store, [{ id: "a", number: 1, state: "open", body: "crash" }]);
    await store.openModel({ name: "test-model", dims: 48 });
    const asked = (owner: string) => store.waitingTexts("test-model", owner, 0, 1_000);
    expect(await asked("elsewhere:1:a")).toMatchObject([{ text: "crash", known: [] }]);
    expect(await asked("elsewhere:1:b")).toEqual([]);
    await store.endEmbedding("test-model", "elsewhere:1:a");
    expect(await asked("elsewhere:1:b")).toMatchObject([{ text: "crash" }]);
  });
});
