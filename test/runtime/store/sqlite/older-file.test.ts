import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import type { StoreSearch, SyncPosition } from "../../../../runtime/store/store.ts";
import { newFolder } from "../../../e2e/support/cache.ts";
import { faultsOf } from "../../../e2e/support/dump.ts";

// A file that the version before memberships has written: `things` a and b in the scope `red`, c and d in `blue`, of which `red` had c too
// and lost it, because that version knew one scope of each record; `parts` x and y below the thing a; `people` told apart by team and id.

const id = { type: "string", index: "exact" } as const;
const things: StorePlan = {
  key: ["id"],
  fields: {
    id,
    title: { type: "string", index: "name" },
    colour: { type: "string", index: "exact", values: ["red", "green"] },
  },
};
const people: StorePlan = {
  key: ["id"],
  fields: { id, team: { type: "string", index: "exact", list: { relation: true } } },
};
const plans = { trial: { things, parts: things, people } };
const place = { connector: "trial", instance: "one" };
const on = (entity: string, scope = "red") => ({ ...place, entity, scope });
const kept = { massDelete: false, parents: [] };

let dataDir: string;
let store: SqliteStore;
let told: string[];

beforeEach(async () => {
  dataDir = newFolder();
  const old = readFileSync(new URL("before-memberships.sqlite.gz", import.meta.url));
  writeFileSync(join(dataDir, "context-store.sqlite"), gunzipSync(old));
  told = [];
  store = new SqliteStore({ dataDir, plans, tell: (text) => told.push(text) });
  await store.ready;
});
afterEach(async () => {
  await store.close();
  expect(faultsOf(join(dataDir, "context-store.sqlite"))).toEqual([]);
  rmSync(dataDir, { recursive: true, force: true });
});

async function found(entity: string, query: Partial<StoreSearch> = {}): Promise<unknown[]> {
  const whole: StoreSearch = { sort: [], limit: 100, fields: null, explain: false, ...query };
  const { json } = await store.search({ ...place, entity }, whole, performance.now() + 9000);
  return (JSON.parse(Buffer.from(json).toString()) as { id: string }[]).map((one) => one.id);
}

describe("a file of the version before memberships", () => {
  it("keeps its records, each as found in the scope that the file knows, and says what it did", async () => {
    expect(told).toEqual(["rebuilt the tables of things", "rebuilt the tables of parts", "emptied the tables of people"]);
    expect([await found("things"), await found("parts"), await found("people")]).toEqual([["a", "b", "c", "d"], ["x", "y"], []]);
    const title = { kind: "test", operator: "keyword", field: "title", operand: "c" } as const;
    expect(await found("things", { filter: title })).toEqual(["c"]);
    const states = await store.states(place);
    expect(states.map(({ scope, entity, records }) => [scope, entity, records])).toEqual([
      ["blue", "people", 0],
      ["blue", "things", 2],
      ["red", "parts", 2],
      ["red", "people", 0],
      ["red", "things", 2],
    ]);
    // Everything is read again by the next sync.
    expect(states.map(({ fullAt }) => fullAt)).toEqual([null, null, null, null, null]);
    expect(await store.schedule(place)).toEqual({ scopes: ["red"], minutes: 60, startedAt: null });
  });

  it("is complete after a full pass of each scope: what two scopes share stays until both have lost it", async () => {
    const position = (pass: number): SyncPosition => ({ pass, full: true, step: 1 });
    const thing = (one: string) => ({ id: one, title: `Title of ${one}`, colour: "red", size: 1 });
    const pass = async (scope: string, pass: number, ids: string) => {
      await store.save(on("things", scope), { records: [...ids].map(thing), position: position(pass) });
      return store.finish(on("things", scope), position(pass), kept);
    };
    expect(await pass("red", 2, "abc")).toMatchObject({ removed: 0, of: 3 });
    expect(await pass("blue", 2, "d")).toMatchObject({ removed: 1, of: 2 });
    expect(await found("things")).toEqual(["a", "b", "c", "d"]);
    expect(await pass("red", 3, "ab")).toMatchObject({ removed: 1 });
    expect(await found("things")).toEqual(["a", "b", "d"]);
    expect((await store.finish(on("parts"), { ...position(1), full: false }, { ...kept, parents: ["things"] })).removed).toBe(0);
    await store.save(on("people"), { records: [{ id: "a", team: ["red"] }], position: position(2) });
    expect(await found("people")).toEqual(["a"]);
  });

  it("forgets a scope, and with it what belongs to nothing else", async () => {
    expect(await store.forget(place, "red")).toBe(4);
    expect([await found("things"), await found("parts")]).toEqual([["c", "d"], []]);
  });
});
