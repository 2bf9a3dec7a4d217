import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { interpretQuery, QueryParser, type RecordObject, type SearchQuery } from "../../../../runtime/search/index.ts";
import { Planner } from "../../../../runtime/store/sqlite/search/planner.ts";
import { Reader } from "../../../../runtime/store/sqlite/search/reader.ts";
import { Catalogue } from "../../../../runtime/store/sqlite/tables/catalogue.ts";
import { Writer } from "../../../../runtime/store/sqlite/write/writer.ts";

// A walk that looks at more records than its plan allowed is stopped. The search goes on behind the last record that it found.

const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    team: { type: "integer", index: "exact", nullable: true },
    open: { type: "boolean", index: "exact", nullable: true },
    title: { type: "string", index: "name" },
    body: { type: "string", index: "text" },
  },
};
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const folder = mkdtempSync(join(tmpdir(), "tenon-stopped-walk-"));
const file = join(folder, "store.sqlite");
const catalogue = new Catalogue({ test: { things: plan } });

/** Every fourth record has the wanted words, in an order that has nothing to do with the keys. */
const records: readonly RecordObject[] = Array.from({ length: 2_500 }, (_, index) => {
  const mixed = (index * 1_103) % 2_500;
  const wanted = mixed % 4 === 0;
  return {
    id: `T_${String(index).padStart(5, "0")}`,
    team: mixed % 31 === 0 ? null : mixed % 31,
    open: mixed % 7 === 0 ? null : mixed % 2 === 0,
    title: wanted ? `Wanted thing of ${mixed}` : `Other matter of ${mixed}`,
    body: wanted ? "A body with somewhere a wanted word" : `A body without it, number ${mixed}`,
  };
});

beforeAll(() => {
  const writer = new Writer(file, catalogue, () => undefined);
  writer.save(collection, { records, checkpoint: { run: 1, full: true, step: 0 } });
  writer.close();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filters: readonly object[] = [
  { fuzzy: { body: "wantde" } },
  { fuzzy: { title: "wantde thnig" } },
  { like: { title: "%anted%" } },
  { not: { like: { body: "%without%" } } },
  { and: [{ fuzzy: { title: "wanted" } }, { neq: { open: true } }] },
];
const sorts: readonly object[][] = [
  [],
  [{ team: "desc" }],
  [{ team: "asc" }, { open: "desc" }, { title: "desc" }],
  [{ open: "desc" }, { team: "asc" }],
];

const limits = [3, 40, 400];

function queryOf(filter: object, sort: object[], limit: number): SearchQuery {
  const parser = new QueryParser("things", plan.fields);
  const query = { filter: parser.filter(filter, []), sort: parser.sort(sort, []), limit };
  expect(parser.faults).toEqual([]);
  return query as SearchQuery;
}

/**
 * Lets the planner begin with two short walks. What it plans then is its own choice: a walk without an end, or the gathering of the rest.
 */
function beginWithWalks(): void {
  const { plan: own } = Planner.prototype;
  let walks = 0;
  vi.spyOn(Planner.prototype, "plan").mockImplementation(function (this: Planner, ...given) {
    walks++;
    if (walks % 3 !== 0) return { lists: [], looks: walks % 3 === 1 ? 50 : 200 };
    return own.apply(this, given);
  });
}

describe("a walk that was stopped", () => {
  it("goes on behind the last record that it found, in every order", () => {
    beginWithWalks();
    const learn = vi.spyOn(Planner.prototype, "learn");
    const reader = new Reader(file, catalogue);
    for (const filter of filters)
      for (const sort of sorts)
        for (const limit of limits) {
          const query = queryOf(filter, sort, limit);
          const answer = reader.search(collection, { ...query, fields: null, explain: false }, Date.now() + 60_000);
          const found = JSON.parse(Buffer.from(answer?.json ?? []).toString()) as RecordObject[];
          const wanted = interpretQuery(records, query, plan).records;
          expect(
            found.map(({ id }) => id),
            JSON.stringify([filter, sort, limit]),
          ).toEqual(wanted.map(({ id }) => id));
        }
    reader.close();
    const whole = limits.map((limit) => limit + 1);
    expect(learn.mock.calls.filter(([{ need }]) => !whole.includes(need)).length).toBeGreaterThan(20);
  });
});
