import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { QueryParser } from "../../../../runtime/search/index.ts";
import type { Preference } from "../../../../runtime/store/sqlite/search/finder.ts";
import { Reader } from "../../../../runtime/store/sqlite/search/reader.ts";
import { Catalogue } from "../../../../runtime/store/sqlite/tables/catalogue.ts";
import { requests } from "../../../../runtime/store/sqlite/tables/requests.ts";
import { Writer } from "../../../../runtime/store/sqlite/write/writer.ts";
import type { StoreSearch } from "../../../../runtime/store/store.ts";

// Every statement that may run long looks at the clock, and at what it is asked, while it runs.

const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    number: { type: "integer", index: "exact" },
    same: { type: "integer", index: "exact" },
    title: { type: "string", index: "name" },
    body: { type: "string", index: "text" },
  },
};
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const size = 3_000;
const folder = mkdtempSync(join(tmpdir(), "tenon-watch-"));
const file = join(folder, "store.sqlite");
const catalogue = new Catalogue({ test: { things: plan } });

beforeAll(() => {
  const writer = new Writer(file, catalogue, () => undefined);
  const records = Array.from({ length: size }, (_, number) => ({
    id: `T_${String(number).padStart(5, "0")}`,
    number,
    same: 1,
    title: `Title ${number}`,
    body: `common words of number ${number}`,
  }));
  writer.save(collection, { records, checkpoint: { run: 1, full: true, step: 0 } });
  writer.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function query(filter: object | undefined, sort: object[]): StoreSearch {
  const parser = new QueryParser("things", plan.fields);
  const condition = filter === undefined ? undefined : parser.filter(filter, []);
  expect(parser.faults).toEqual([]);
  return {
    ...(condition === undefined ? {} : { filter: condition }),
    sort: parser.sort(sort, []),
    limit: 2,
    fields: null,
    explain: false,
  };
}

const byBody = [{ body: "asc" }];
const hundred = Array.from({ length: 100 }, (_, index) => index);
/**
 * Looks at the clock: fewer than a statement over all records takes, and more. The parts of a union have a hundred times as many records.
 */
const few = 6;
const looksOfAll = 30;
const searches: readonly (readonly [what: string, Preference | undefined, StoreSearch, looks: number])[] = [
  [
    "the parts of a union of ranges",
    "gather",
    query({ or: hundred.map((one) => ({ gt: { number: one } })) }, [{ title: "asc" }]),
    looksOfAll,
  ],
  [
    "the parts of a union of words",
    "gather",
    query({ or: hundred.map((one) => ({ keyword: { body: `common x${one}` } })) }, [{ number: "asc" }]),
    looksOfAll,
  ],
  [
    "words in memory, which it compares with those of many conditions",
    undefined,
    query({ eq: { number: 5 }, or: hundred.map(() => ({ fuzzy: { body: "1z9z ".repeat(16) } })) }, []),
    looksOfAll,
  ],
  ["records that an index gives and that need no test", "gather", query({ gt: { number: 1 } }, byBody), few],
  ["all records that are sorted", undefined, query(undefined, byBody), few],
  ["records that are tested", undefined, query({ not: { fuzzy: { body: "nowhere nothing" } } }, byBody), few],
  ["records that a list rules out", "probe", query({ keyword: { body: "2999" } }, [{ number: "asc" }]), few],
  ["records of one value that are sorted by another field", undefined, query(undefined, [{ same: "asc" }, { body: "asc" }]), few],
];

describe("a search", () => {
  it.each(searches)("checks the deadline while it reads %s", (_what, prefer, search, allowed) => {
    const reader = new Reader(file, catalogue, { prefer });
    const start = Date.now();
    let looks = 0;
    // Time stands still for a few looks, and then the deadline has passed.
    const clock = vi.spyOn(Date, "now").mockImplementation(() => (++looks <= allowed ? start : start + 60_000));
    try {
      expect(() => reader.search(collection, search, start + 30_000)).toThrow(/took too long/);
    } finally {
      clock.mockRestore();
      reader.close();
    }
  });

  it("that is expensive gives way when it is asked to, and a cheap one runs to its end", () => {
    const request = new Int32Array(new SharedArrayBuffer(4));
    const reader = new Reader(file, catalogue, { request });
    const expensive = query({ not: { fuzzy: { body: "nowhere nothing" } } }, byBody);
    expect(reader.search(collection, expensive, Date.now() + 60_000)).toBeDefined();
    Atomics.store(request, 0, requests.giveWay);
    expect(reader.search(collection, expensive, Date.now() + 60_000)).toBeUndefined();
    expect(reader.search(collection, query({ eq: { number: 5 } }, []), Date.now() + 60_000)).toBeDefined();
    Atomics.store(request, 0, requests.stop);
    expect(() => reader.search(collection, query(undefined, []), Date.now() + 60_000)).toThrow(/took too long/);
    reader.close();
  });

  it("that is sorted by a long text answers at most a thousand records, and its cursor leads to the rest", () => {
    const reader = new Reader(file, catalogue);
    const found: string[] = [];
    const search = { ...query(undefined, byBody), limit: 2_500 };
    const sizes: number[] = [];
    for (let page = reader.search(collection, search, Date.now() + 60_000); page !== undefined; ) {
      const ids = (JSON.parse(Buffer.from(page.json).toString()) as { id: string }[]).map(({ id }) => id);
      sizes.push(ids.length);
      found.push(...ids);
      page =
        page.more && page.last !== undefined
          ? reader.search(collection, { ...search, after: page.last }, Date.now() + 60_000)
          : undefined;
    }
    expect(sizes).toEqual([1_000, 1_000, 1_000]);
    expect(new Set(found).size).toBe(size);
    reader.close();
  });
});
