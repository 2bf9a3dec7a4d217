import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../runtime/contract/index.ts";
import type { RecordObject } from "../../../runtime/search/index.ts";
import { raw, sql } from "../../../runtime/sql/index.ts";
import { copyRecords, type RecordAccess } from "../../../runtime/store/copied-records.ts";
import { newLeaseOwner } from "../../../runtime/store/lease.ts";
import { PostgresStore } from "../../../runtime/store/postgres/postgres-store.ts";
import { layoutOf } from "../../../runtime/store/postgres/tables/layout.ts";
import { openPostgresRecords } from "../../../runtime/store/postgres/write/copied-tables.ts";
import { SqliteStore } from "../../../runtime/store/sqlite/sqlite-store.ts";
import { storeFile } from "../../../runtime/store/sqlite/tables/store-file.ts";
import { openSqliteRecords } from "../../../runtime/store/sqlite/write/copied-file.ts";
import type { Store } from "../../../runtime/store/store.ts";
import { engines } from "../../support/postgres/engines.ts";
import type { TestDatabase } from "../../support/postgres/test-database.ts";

const issues: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    title: { type: "string", index: "name", nullable: true },
    body: { type: "string", index: "text", nullable: true },
    teams: { type: "string", index: "name", list: { relation: true } },
  },
  semantic: { fields: { body: { window: 100 } }, hit: {} },
};
const comments: StorePlan = {
  key: ["id"],
  fields: { id: { type: "string", index: "exact" }, body: { type: "string", index: "text", nullable: true } },
};
/** Has tables, and no records in the first instance. */
const labels = comments;
/** Has tables, and no records anywhere: an empty list that was read to its end. */
const releases = comments;
const plans = { test: { issues, comments, labels, releases } };
const instance = { connector: "test", instance: "one" };
const other = { connector: "test", instance: "two" };
const whole = { sort: [], limit: 5_000, fields: null, explain: false };
const kept = { massDelete: false, parents: [] };
/** Its key is longer than an entry of an index in PostgreSQL may be. */
const longKey = `long ${"\u00e4".repeat(1_000)}`;

function checkpoint(run: number, full = true) {
  return { run, full, step: 0 };
}

function issue(at: number): RecordObject {
  return {
    id: `i${String(at).padStart(5, "0")}`,
    title: at % 7 === 0 ? null : `Title \0 ${at} \u{1f600} \u0001\u0003`,
    body: `Text number ${at} with "quotes", \\ and \ud800 alone.`,
    size: 1e21 + at,
    nested: { b: [1, { c: -0.5 }], a: null },
    teams: [at % 2 === 0 ? "even" : "odd"],
  };
}

/** Fills a store with several scopes, sync runs, places of one record, children and hidden parents. */
async function fill(store: Store): Promise<void> {
  const all = { ...instance, entity: "issues", scope: "all" };
  const some = { ...all, scope: "some" };
  const records = Array.from({ length: 1_300 }, (_, at) => issue(at));
  await store.save(all, { records: [...records, { ...issue(0), id: longKey }], checkpoint: checkpoint(1) });
  await store.finish(all, checkpoint(1), kept);
  await store.save(some, {
    records: records.slice(0, 40).map((one) => ({ ...one, teams: ["third"] })),
    checkpoint: { ...checkpoint(3), newest: "x" },
  });
  await store.fail(some, "internal");
  const below = { ...all, entity: "comments" };
  const page = (parent: string, hidden = false) => ({
    records: hidden ? [] : [{ id: `c of ${parent}`, body: "A comment." }],
    parent,
    parentDone: { key: parent, marker: hidden ? null : "m\0", ...(hidden ? { hidden: true as const } : {}) },
  });
  const others = ["i00001", "i00002"].map((one) => page(one));
  await store.save(below, { ...page(longKey), others: [...others, page("i00003", true)], checkpoint: checkpoint(1) });
  await store.save({ ...all, ...other }, { records: [issue(1)], checkpoint: checkpoint(1) });
  await store.save({ ...all, ...other, entity: "labels" }, { records: [{ id: "bug", body: null }], checkpoint: checkpoint(1) });
  const empty = { ...all, entity: "releases" };
  await store.save(empty, { records: [], checkpoint: checkpoint(1) });
  await store.finish(empty, checkpoint(1), kept);
  await store.note(all, { changeCheck: "p" });
  await store.setSchedule(instance, { scopes: ["a=b"], minutes: 7 });
  await store.started(instance, null);
}

/** Everything that a caller of a store can see. */
async function seen(store: Store) {
  const search = async (entity: string, on = instance) => {
    // A checkpoint is for the store that gave it: each cuts long keys in its own way.
    const { last: _, ...answer } = await store.search({ ...on, entity }, { ...whole, count: true }, performance.now() + 60_000);
    return { ...answer, json: Buffer.from(answer.json).toString() };
  };
  const parents = (scope: string) =>
    store.parents({ ...instance, entity: "issues", scope }, { entity: "comments", step: 0 }, undefined, 1_300);
  return {
    found: [
      await search("issues"),
      await search("comments"),
      await search("issues", other),
      await search("labels"),
      await search("labels", other),
      await search("releases"),
    ],
    parents: [await parents("all"), await parents("some")],
    states: await store.states(instance),
    schedule: await store.schedule(instance),
  };
}

describe("a copy of the records from one store to another", () => {
  let place: TestDatabase;
  const folders: string[] = [];
  beforeAll(async () => {
    place = (await engines.at(-1)?.start()) as TestDatabase;
  });
  beforeEach(() => place.empty());
  afterAll(async () => {
    await place.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), "tenon-copy-"));
    folders.push(folder);
    return folder;
  }

  /** Makes a folder with the records of `fill`. @returns also what is seen of them */
  async function filledFolder() {
    const folder = newFolder();
    const store = new SqliteStore({ dataDir: folder, plans });
    await fill(store);
    const before = await seen(store);
    await store.close();
    return { folder, before };
  }

  async function withTables<Result>(work: (store: PostgresStore) => Promise<Result>): Promise<Result> {
    const database = place.open();
    const store = new PostgresStore({ database, plans });
    try {
      return await work(store);
    } finally {
      await store.close();
      await database.close();
    }
  }

  async function copied(from: RecordAccess, to: RecordAccess) {
    try {
      return await copyRecords(from, to, () => undefined);
    } finally {
      await Promise.all([from.close(), to.close()]);
    }
  }

  const file = (folder: string) => openSqliteRecords(storeFile(folder), plans);
  const tables = () => openPostgresRecords(place.open(), plans);

  it("has the same records, places, checkpoints and notes, there and back", async () => {
    const { folder, before } = await filledFolder();
    const there = await copied(file(folder), await tables());
    expect(there.map(({ name, to, written }) => [name, to.rows, written])).toEqual([
      ["test/one issues", 1_301, 1_301],
      ["test/one comments", 3, 3],
      ["test/one labels", 0, 0],
      ["test/one releases", 0, 0],
      ["test/one notes of syncs", 9, 9],
      ["test/two issues", 1, 1],
      ["test/two comments", 0, 0],
      ["test/two labels", 1, 1],
      ["test/two releases", 0, 0],
      ["test/two notes of syncs", 2, 2],
    ]);
    for (const { from, to } of there) expect(to).toEqual(from);
    await withTables(async (store) => {
      expect(await seen(store)).toEqual(before);
      expect(await store.waitingCount("a model")).toBe(1_302);
    });
    const back = newFolder();
    for (const { from, to } of await copied(await tables(), file(back))) expect(to).toEqual(from);
    const store = new SqliteStore({ dataDir: back, plans });
    expect(await seen(store)).toEqual(before);
    await store.close();
  });

  it("goes on where it was cut off", async () => {
    const { folder, before } = await filledFolder();
    const cut = await tables();
    const save = cut.save.bind(cut);
    let pages = 0;
    cut.save = async (...args) => {
      if (++pages === 3) throw new Error("cut off");
      return save(...args);
    };
    await expect(copied(file(folder), cut)).rejects.toThrow("cut off");
    const [first] = await copied(file(folder), await tables());
    expect(first).toMatchObject({ written: 301, to: { rows: 1_301 } });
    expect(await withTables(seen)).toEqual(before);
  });

  it("tells of a byte that differs and of a record too many, and mends the first", async () => {
    const { folder } = await filledFolder();
    const to = await tables();
    const settle = to.settle.bind(to);
    const database = place.open();
    const table = raw(layoutOf("test", "comments", comments).records);
    to.settle = async (collection) => {
      await settle(collection);
      // As if it had changed on the disk after it was written.
      if (collection.entity === "comments" && collection.instance === "one")
        await database.run(sql`UPDATE ${table} SET ":body" = 'A Comment.' WHERE k = 'c of i00001'`);
    };
    const parts = await copied(file(folder), to);
    const differing = parts.filter((one) => one.from.checksum !== one.to.checksum);
    expect(differing.map((one) => [one.name, one.from.rows, one.to.rows])).toEqual([["test/one comments", 3, 3]]);
    const again = await copied(file(folder), await tables());
    expect(again.find(({ name }) => name === "test/one comments")).toMatchObject({ written: 1 });
    for (const one of again) expect(one.to).toEqual(one.from);
    const more = { records: [{ id: "more", body: null }], checkpoint: checkpoint(1) };
    await withTables((store) => store.save({ ...instance, entity: "comments", scope: "all" }, more));
    const third = await copied(file(folder), await tables());
    expect(third.find(({ name }) => name === "test/one comments")).toMatchObject({ from: { rows: 3 }, to: { rows: 4 } });
    await database.close();
  });

  it("is refused while an instance is synced in either place, and keeps syncs out meanwhile", async () => {
    const { folder } = await filledFolder();
    const [source, to] = [file(folder), await tables()];
    const save = to.save.bind(to);
    const during: unknown[] = [];
    to.save = async (...args) => {
      if (args[0].instance === instance.instance)
        during.push(await source.lease(instance, newLeaseOwner(), 60), await to.lease(instance, newLeaseOwner(), 60));
      return save(...args);
    };
    const owner = newLeaseOwner();
    await to.lease(instance, owner, 60);
    await expect(copyRecords(source, to, () => undefined)).rejects.toMatchObject({ code: "sync_running" });
    expect(during).toEqual([]);
    await to.lease(instance, owner, 0);
    await copyRecords(source, to, () => undefined);
    expect(during.length).toBeGreaterThan(0);
    expect(during.filter((fencingToken) => fencingToken !== null)).toEqual([]);
    expect(await source.lease(instance, owner, 60)).not.toBeNull();
    await Promise.all([source.close(), to.close()]);
  });
});
