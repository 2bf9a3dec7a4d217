import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StorePlan, tableOf } from "../../../../runtime/contract/index.ts";
import { QueryParser } from "../../../../runtime/search/index.ts";
import { parseStatement } from "../../../../runtime/statement/index.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";

const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    repository: { type: "string", index: "name", scope: true },
    state: { type: "string", index: "exact", values: ["open", "closed", "locked"] },
    updatedAt: { type: "timestamp", index: "exact" },
  },
};
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const folder = mkdtempSync(join(tmpdir(), "tenon-pairs-"));
/** One repository with half of the records, and five with three hundred. One record of ten is locked. */
const records = Array.from({ length: 3_000 }, (_, number) => ({
  id: `T_${number}`,
  repository: number < 1_500 ? "acme/large" : `acme/small-${number % 5}`,
  state: number % 10 === 0 ? "locked" : number % 4 === 1 ? "open" : "closed",
  updatedAt: new Date(1_700_000_000_000 + ((number * 7_919) % 3_000) * 60_000).toISOString(),
}));

let store: SqliteStore;
beforeAll(async () => {
  store = new SqliteStore({ dataDir: folder, plans: { test: { things: plan } }, readers: 1 });
  await store.save(collection, { records, checkpoint: { run: 1, full: true, step: 0 } });
  await store.finish(collection, { run: 1, full: true, step: 0 }, { massDelete: false, parents: [] });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function latest(filter: { readonly repository?: string; readonly state?: string }) {
  const parser = new QueryParser("things", plan.fields);
  const condition = parser.filter({ eq: filter }, []);
  const sort = parser.sort([{ updatedAt: "desc" }], []);
  if (condition === undefined) throw new Error("the filter is wrong");
  const search = { filter: condition, sort, limit: 3, fields: null, explain: true };
  const { json, plan: report } = await store.search(collection, search, Date.now() + 20_000);
  const found = (JSON.parse(Buffer.from(json).toString()) as { id: string }[]).map(({ id }) => id);
  const expected = records
    .filter((one) => Object.entries(filter).every(([field, value]) => one[field as keyof typeof one] === value))
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    .slice(0, 3)
    .map(({ id }) => id);
  expect(found).toEqual(expected);
  return report?.indexes;
}

describe("a search for one value, sorted by a timestamp", () => {
  it("reads the index of a scope and the timestamp", async () => {
    expect(await latest({ repository: "acme/large" })).toEqual(["test_things.repository+updatedAt"]);
  });

  it("reads the index of an enumeration and the timestamp", async () => {
    expect(await latest({ state: "open" })).toEqual(["test_things.state+updatedAt"]);
  });

  it("begins with the value that fewer records have, where two values have such an index", async () => {
    expect(await latest({ repository: "acme/large", state: "locked" })).toEqual(["test_things.state+updatedAt"]);
    expect(await latest({ repository: "acme/small-3", state: "open" })).toEqual(["test_things.repository+updatedAt"]);
  });

  it("begins with the scope where both values have many records", async () => {
    expect(await latest({ repository: "acme/large", state: "closed" })).toEqual(["test_things.repository+updatedAt"]);
  });
});

it.each([
  ['state, max("updatedAt") AS last', [false]],
  ['state, repository, max("updatedAt") AS last', [true]],
  ["repository, count(state) AS n", [true]],
])("SQL that needs %s of all records reads an index only where it has all of them", async (columns, scanned) => {
  const group = columns.replace(/, \w+\(.*/, "");
  const statement = await parseStatement(`SELECT ${columns} FROM things GROUP BY ${group}`, [tableOf("things", plan)]);
  const { sql } = await store.runStatement(collection, { statement, limit: 9 }, performance.now() + 100_000);
  expect([...sql.matchAll(/(\+?)n\.inst = /g)].map(([, plus]) => plus === "+")).toEqual(scanned);
});
