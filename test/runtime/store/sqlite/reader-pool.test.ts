import { expect, it } from "vitest";
import type { ReaderApi } from "../../../../runtime/store/sqlite/search/search-api.ts";
import { ReaderPool } from "../../../../runtime/store/sqlite/threads/reader-pool.ts";
import type { Thread } from "../../../../runtime/store/sqlite/threads/thread.ts";
import type { Collection, StoreAnswer } from "../../../../runtime/store/store.ts";

// The order in which searches get threads, with threads that answer when the test says so.

const answer: StoreAnswer = {
  json: new Uint8Array(),
  more: false,
  last: undefined,
  syncedAt: null,
  sync: { scopes: 0, reported: [], schedule: null, misfits: {} },
  unlisted: [],
};
const query = { sort: [], limit: 1, fields: null, explain: false };

/** A pool of two threads, and the searches that were given to them: each ends with an answer, or with undefined when it gave way. */
function fakePool() {
  const given: { entity: string; end: (answer: StoreAnswer | undefined) => void }[] = [];
  const thread: Pick<Thread<ReaderApi>, "call" | "ended" | "gone" | "stop" | "giveWay" | "resume"> = {
    ended: false,
    gone: new Promise(() => undefined),
    call: ((_method: "search", { entity }: Collection) =>
      new Promise<StoreAnswer | undefined>((end) => given.push({ entity, end }))) as Thread<ReaderApi>["call"],
    stop: () => undefined,
    giveWay: () => undefined,
    resume: () => undefined,
  };
  const pool = new ReaderPool(2, () => thread as Thread<ReaderApi>);
  pool.open();
  const search = (entity: string, signal?: AbortSignal, { limit = 1, caller = "" } = {}) =>
    pool.search({ connector: "c", instance: "i", entity }, { ...query, limit }, performance.now() + 600_000, signal, caller);
  return { search, given };
}

it("a search that gave way is begun anew where searches run to their end", async () => {
  const { search, given } = fakePool();
  const searches = [search("thorough"), search("quick")];
  given[1]?.end(undefined);
  given[0]?.end(answer);
  await searches[0];
  await expect.poll(() => given.map(({ entity }) => entity), { timeout: 60_000 }).toEqual(["thorough", "quick", "quick"]);
  given[2]?.end(answer);
  expect(await searches[1]).toBe(answer);
});

it("a search that gave way just when its caller left is not begun anew", async () => {
  const { search, given } = fakePool();
  const caller = new AbortController();
  const first = search("thorough");
  const left = search("quick", caller.signal);
  caller.abort();
  given[1]?.end(undefined);
  await expect(left).rejects.toMatchObject({ code: "search_timeout" });
  given[0]?.end(answer);
  await first;
  const next = search("next");
  expect(given.map(({ entity }) => entity)).toEqual(["thorough", "quick", "next"]);
  given[2]?.end(answer);
  expect(await next).toBe(answer);
});

it("searches for many records neither hold up nor drive out searches for a few", async () => {
  const { search, given } = fakePool();
  const large = Array.from({ length: 150 }, () =>
    search("large", undefined, { limit: 1000 }).catch(({ code }) => code as string),
  );
  const small = search("small");
  expect(given.map(({ entity }) => entity)).toEqual(["large", "large"]);
  // The second thread is the quick one.
  given[1]?.end(answer);
  await large[1];
  await expect.poll(() => given.map(({ entity }) => entity)).toEqual(["large", "large", "small"]);
  given[2]?.end(answer);
  expect(await small).toBe(answer);
  for (let one = 0; one < given.length; one++) {
    given[one]?.end(answer);
    await new Promise(setImmediate);
  }
  const outcomes = await Promise.all(large);
  expect([outcomes.filter((one) => one === "overloaded").length, given.length]).toEqual([48, 103]);
});

it("callers take turns, and one with many searches cannot have those of others refused", async () => {
  const { search, given } = fakePool();
  const many = Array.from({ length: 102 }, () =>
    search("of many", undefined, { caller: "many" }).catch(({ code }) => code as string),
  );
  const other = search("of another", undefined, { caller: "another" });
  // The queue was full, so that the newest search of the other caller had to go.
  expect(await many.at(-1)).toBe("overloaded");
  given[0]?.end(answer);
  given[1]?.end(answer);
  await expect.poll(() => given.map(({ entity }) => entity)).toEqual(["of many", "of many", "of another", "of many"]);
  given[2]?.end(answer);
  expect(await other).toBe(answer);
});
