import { expect, it, vi } from "vitest";
import type { Condition } from "../../../../runtime/search/index.ts";
import type { ReaderApi } from "../../../../runtime/store/sqlite/search/search-api.ts";
import { type LaneKind, ReaderPool } from "../../../../runtime/store/sqlite/threads/reader-pool.ts";
import type { Thread } from "../../../../runtime/store/sqlite/threads/thread.ts";
import type { Collection, StoreAnswer, StoreSearch } from "../../../../runtime/store/store.ts";

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
  const kinds: LaneKind[] = [];
  const pool = new ReaderPool<StoreSearch, StoreAnswer>(2, (kind) => {
    kinds.push(kind);
    return thread as Thread<ReaderApi>;
  });
  pool.open();
  const search = (
    entity: string,
    signal?: AbortSignal,
    { limit = 1, caller = "", values = 0, worked = (_: number) => undefined } = {},
  ) => {
    const operand = Array.from({ length: values }, (_, index) => `value ${index}`);
    const filter: Condition = { kind: "not", condition: { kind: "test", operator: "in", field: "title", operand } };
    const asked = { ...query, limit, ...(values > 0 ? { filter } : {}) };
    return pool.search({ connector: "c", instance: "i", entity }, asked, performance.now() + 600_000, signal, {
      id: caller,
      worked,
    });
  };
  return { search, given, kinds, close: () => pool.close(0) };
}

it("the first thread starts a second after the pool was opened, unless a search comes or the pool is closed before", async () => {
  vi.useFakeTimers();
  try {
    const { kinds } = fakePool();
    const closed = fakePool();
    await closed.close();
    vi.advanceTimersByTime(999);
    expect(kinds).toEqual([]);
    vi.advanceTimersByTime(1);
    expect([kinds, closed.kinds]).toEqual([["quick"], []]);
  } finally {
    vi.useRealTimers();
  }
});

it("a search that gave way is begun anew where searches run to their end", async () => {
  const { search, given } = fakePool();
  const searches = [search("quick"), search("thorough")];
  given[0]?.end(undefined);
  given[1]?.end(answer);
  await searches[1];
  await expect.poll(() => given.map(({ entity }) => entity), { timeout: 60_000 }).toEqual(["quick", "thorough", "quick"]);
  given[2]?.end(answer);
  expect(await searches[0]).toBe(answer);
});

it("a search that gave way just when its caller left is not begun anew", async () => {
  const { search, given } = fakePool();
  const caller = new AbortController();
  const left = search("quick", caller.signal);
  const other = search("thorough");
  caller.abort();
  given[0]?.end(undefined);
  await expect(left).rejects.toMatchObject({ code: "search_timeout" });
  given[1]?.end(answer);
  await other;
  const next = search("next");
  expect(given.map(({ entity }) => entity)).toEqual(["quick", "thorough", "next"]);
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

it("a caller pays for the work that was done for it, not for the time that its search waited", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { search, given } = fakePool();
    const paid: number[] = [];
    const others = [search("other"), search("other")];
    const waiting = search("waiting", undefined, { worked: (ms) => void paid.push(ms) });
    vi.advanceTimersByTime(5_000);
    given[0]?.end(answer);
    await others[0];
    vi.advanceTimersByTime(30);
    given[2]?.end(undefined);
    given[1]?.end(answer);
    await others[1];
    vi.advanceTimersByTime(70);
    given[3]?.end(answer);
    await waiting;
    expect(paid).toEqual([30, 70]);
  } finally {
    vi.useRealTimers();
  }
});

it("searches with long filters leave the quick thread to the others", async () => {
  const { search, given, kinds } = fakePool();
  const long = Array.from({ length: 3 }, () => search("long", undefined, { values: 201 }));
  expect(given.map(({ entity }) => entity)).toEqual(["long"]);
  expect(kinds).toEqual(["thorough"]);
  const short = search("short", undefined, { values: 200 });
  expect(given.map(({ entity }) => entity)).toEqual(["long", "short"]);
  given[1]?.end(answer);
  expect(await short).toBe(answer);
  for (const next of [0, 2, 3]) {
    await expect.poll(() => given.length).toBeGreaterThan(next);
    given[next]?.end(answer);
  }
  expect(await Promise.all(long)).toEqual([answer, answer, answer]);
});
