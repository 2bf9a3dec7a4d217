import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { alone, type Database, openDatabase, type Queries } from "../../../../runtime/postgres/index.ts";
import { raw, sql, statementOf } from "../../../../runtime/sql/index.ts";
import { newLeaseOwner } from "../../../../runtime/store/lease.ts";
import { PostgresStore } from "../../../../runtime/store/postgres/postgres-store.ts";
import { loadingEntities } from "../../../../runtime/store/postgres/tables/bulk-load.ts";
import { layoutOf } from "../../../../runtime/store/postgres/tables/layout.ts";
import { recording } from "../../../bench/postgres-plans.ts";
import { hasServer, startOnServer } from "../../../support/postgres/server.ts";
import type { TestDatabase } from "../../../support/postgres/test-database.ts";

const id = { type: "string", index: "exact" } as const;
const after: StorePlan = { key: ["id"], fields: { id, title: { type: "string", index: "name", nullable: true } } };
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const layout = layoutOf("test", "things", after);
/** Those that do not wait for a search that asks for them. */
const always = layout.indexes.filter(({ demand }) => demand === undefined);

// PGlite has one session, in which nothing happens at the same time.
describe.skipIf(!hasServer)("indexes that a table lacks", () => {
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await startOnServer();
    database = place.open();
  });
  beforeEach(async () => {
    await place.empty();
    const store = open();
    const records = Array.from({ length: 50 }, (_, at) => ({ id: `r${at}`, title: `Title ${at}` }));
    await store.save(collection, { records, checkpoint: { run: 1, full: true, step: 0 } });
    await store.close();
    for (const { name, early } of always) if (early !== true) await database.run(raw(`DROP INDEX ${name}`));
  });
  afterAll(async () => {
    await database.close();
    await place.close();
  });

  const open = () => new PostgresStore({ database, plans: { test: { things: after } } });

  async function valid(): Promise<string[]> {
    const rows = await database.query<{ name: string }>(
      sql`SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indisvalid AND c.relname LIKE 'test_things%' ORDER BY 1`,
    );
    return rows.map(({ name }) => `"${name}"`);
  }

  async function allMade(): Promise<void> {
    for (;;) {
      const there = await valid();
      if (always.every(({ name }) => there.includes(name))) return;
      await pause(20);
    }
  }

  async function found(store: PostgresStore): Promise<unknown> {
    const filter = { kind: "test", field: "title", operator: "keyword", operand: "7" } as const;
    const query = { sort: [], limit: 10, fields: null, explain: true, filter };
    const { json, plan } = await store.search(collection, query, performance.now() + 30_000);
    return { found: JSON.parse(Buffer.from(json).toString()), driver: plan?.driver };
  }

  /** Lets another process hold the right to make indexes. @returns what ends that */
  async function makingElsewhere(): Promise<() => Promise<boolean>> {
    const held = Promise.withResolvers<void>();
    const holds = Promise.withResolvers<void>();
    const other = alone(database, "indexes", () => {
      holds.resolve();
      return held.promise;
    });
    await holds.promise;
    return () => {
      held.resolve();
      return other;
    };
  }

  it("are made while searches walk through records, when no other process makes them any longer", async () => {
    const end = await makingElsewhere();
    const store = open();
    await store.ready;
    expect(await valid()).not.toContain(layout.indexes.find(({ label }) => label === "words and lists")?.name);
    expect(await found(store)).toEqual({ found: [{ id: "r7", title: "Title 7" }], driver: expect.anything() });
    expect(await end()).toBe(true);
    await store.close();
    const next = open();
    await allMade();
    expect(await found(next)).toMatchObject({ found: [{ id: "r7", title: "Title 7" }] });
    await next.close();
  });

  it("let syncs write while they are made", async () => {
    const end = await makingElsewhere();
    const store = open();
    await store.ready;
    // The engine cannot finish an index of a table while somebody who wrote to it has not ended.
    const ended = Promise.withResolvers<void>();
    const wrote = Promise.withResolvers<void>();
    const writer = database.transaction(async (queries) => {
      await queries.run(sql`UPDATE ${raw(layout.records)} SET digest = digest WHERE k = 'r1'`);
      wrote.resolve();
      await ended.promise;
    });
    await wrote.promise;
    await end();
    const next = open();
    const making = sql`SELECT 1 FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX%' AND wait_event_type = 'Lock' AND datname = current_database()`;
    while ((await database.query(making)).length === 0) await pause(20);
    await store.save(collection, { records: [{ id: "new", title: "Another 7" }], checkpoint: { run: 2, full: false, step: 0 } });
    ended.resolve();
    await writer;
    await allMade();
    expect(await found(next)).toMatchObject({ found: [{ id: "new" }, { id: "r7" }] });
    await store.close();
    await next.close();
  });

  it("are dropped and made again where their making was cut off", async () => {
    const store = open();
    await allMade();
    await store.close();
    const left = layout.indexes.find(({ parts }) => parts !== undefined)?.name ?? "";
    await database.run(
      sql`UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = (SELECT oid FROM pg_class WHERE relname = ${left.slice(1, -1)})`,
    );
    expect(await valid()).not.toContain(left);
    const next = open();
    await allMade();
    await next.close();
  });
});

// What a search finds meanwhile, `conformance.test.ts` tests.
describe.skipIf(!hasServer)("an entity whose first load is large", () => {
  const plans = { test: { things: after } };
  const checkpoint = { run: 1, full: true, step: 0 };
  const kept = { massDelete: false, parents: [] };
  const bulk = 20;
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await startOnServer();
    database = place.open();
  });
  beforeEach(() => place.empty());
  afterAll(async () => {
    await database.close();
    await place.close();
  });

  const open = (own = database, more = {}) => new PostgresStore({ database: own, plans, bulk, ...more });
  const things = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `r${from + at}`, title: `Title ${from + at}` }));
  const save = (store: PostgresStore, from: number, count: number, scope = "all") =>
    store.save({ ...collection, scope }, { records: things(from, count), checkpoint });

  /** Whether it is noted as loading, and how many of its indexes are there. */
  async function state(): Promise<{ loading: boolean; indexes: number }> {
    const names = layout.indexes.map(({ name }) => name.slice(1, -1));
    const [row] = await database.query<{ loading: boolean; indexes: number }>(
      sql`SELECT loading, (SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indisvalid AND c.relname = ANY (${names}::text[])) AS indexes
        FROM store_entities`,
    );
    return row ?? { loading: false, indexes: 0 };
  }
  const whole = { loading: false, indexes: always.length };
  const bare = { loading: true, indexes: layout.indexes.filter(({ early }) => early).length };

  /** The watch of a store may make the indexes in the place of a sync run that ends: they are there a moment after its end. */
  async function until(wanted: Awaited<ReturnType<typeof state>>): Promise<void> {
    while (JSON.stringify(await state()) !== JSON.stringify(wanted)) await pause(20);
  }

  /** Locks the records, in the way that a change does or the making of an index. @returns what ends that */
  async function lock(mode: "ROW EXCLUSIVE" | "SHARE"): Promise<() => Promise<void>> {
    const held = Promise.withResolvers<void>();
    const holds = Promise.withResolvers<void>();
    const hold = async (queries: Queries) => {
      await queries.run(raw(`LOCK TABLE ${layout.records} IN ${mode} MODE`));
      holds.resolve();
      await held.promise;
    };
    const holding = database.transaction(hold, { deadline: Number.POSITIVE_INFINITY });
    await holds.promise;
    return () => {
      held.resolve();
      return holding;
    };
  }

  /** How many connections wait for the lock of a table. */
  async function waiting(table = layout.records): Promise<number> {
    const rows = await database.query(sql`SELECT 1 FROM pg_locks WHERE relation = ${table}::regclass AND NOT granted`);
    return rows.length;
  }

  async function untilWaiting(wanted: number, table = layout.records): Promise<void> {
    while ((await waiting(table)) !== wanted) await pause(10);
  }

  /** Lets the time pass in which a sync that was cut off may be gone on with. */
  const giveUp = () => database.run(sql`UPDATE store_leases SET until = 0`);

  it("lets a search that has looked words up read the records, while the load waits to drop the index of the words", async () => {
    const store = open();
    await save(store, 0, 5);
    await database.transaction(async (queries) => {
      await queries.query(sql`SELECT 1 FROM ${raw(layout.vocabulary)} LIMIT 1`);
      const saving = save(store, 5, 30);
      await untilWaiting(1, layout.vocabulary);
      await queries.run(sql`SET LOCAL lock_timeout = 100`);
      expect(await queries.query(sql`SELECT 1 FROM ${raw(layout.records)} LIMIT 1`)).toHaveLength(1);
      await queries.run(sql`SET LOCAL lock_timeout = 0`);
      await saving;
    });
    await store.close();
  });

  it("keeps its indexes while another scope is loaded, where a large one was read to its end", async () => {
    const first = open();
    await save(first, 0, 25, "first");
    await first.finish({ ...collection, scope: "first" }, checkpoint, kept);
    await until(whole);
    await first.close();
    const second = open();
    await save(second, 100, 60, "second");
    await save(second, 200, 60, "second");
    expect(await state()).toEqual(whole);
    await second.close();
  });

  it("has no indexes from its twentieth record on until the sync has read it to its end, and only once", async () => {
    // The next look of the watch, which could make the indexes in the place of the sync, comes too late.
    const store = open(database, { watchTime: 3_600_000 });
    const owner = newLeaseOwner();
    await store.lease(collection, owner, 60);
    await save(store, 0, 19);
    expect(await state()).toEqual(whole);
    await save(store, 19, 1);
    expect(await state()).toEqual(bare);
    await save(store, 20, 30);
    await store.finish(collection, checkpoint, kept);
    await expect.poll(state).toEqual(whole);
    // Most records are of this scope now, but it is another one's turn.
    await save(store, 50, 100, "more");
    expect(await state()).toEqual(whole);
    await store.close();
  });

  it("has all tokens in their place when a sync has read it to its end", async () => {
    const store = open();
    const index = layout.indexes.find(({ parts }) => parts !== undefined)?.name ?? "";
    const waiting = async () => {
      const [row] = await database.query<{ pages: number }>(sql`SELECT gin_clean_pending_list(${index}::regclass) AS pages`);
      return row?.pages;
    };
    await save(store, 0, 5);
    expect(await waiting()).toBeGreaterThan(0);
    await save(store, 5, 5);
    await store.finish(collection, checkpoint, kept);
    expect(await waiting()).toBe(0);
    await store.close();
  });

  it("notes in the same pages that a later run has seen its records, so that no index changes", async () => {
    const store = new PostgresStore({ database, plans });
    const pages = () =>
      database.query(sql`SELECT k, (ctid::text::point)[0]::integer AS page FROM ${raw(layout.members)} ORDER BY k`);
    await save(store, 0, 300);
    const before = await pages();
    expect(before).toHaveLength(300);
    await store.save(collection, { records: things(0, 300), checkpoint: { ...checkpoint, run: 2 } });
    expect(await pages()).toEqual(before);
    await store.close();
  });

  it("has its tokens sorted while a sync goes on", async () => {
    const sorted: unknown[] = [];
    const limits: string[] = [];
    const watched: Database = {
      ...recording(database, (statement) => {
        const { text } = statementOf(statement);
        if (text.includes("gin_pending_list_limit")) limits.push(text);
      }),
      alone: (statement, options) => {
        sorted.push(...statementOf(statement).values);
        return database.alone(statement, options);
      },
    };
    const store = new PostgresStore({ database: watched, plans, sortFrom: 10 });
    await save(store, 0, 9);
    expect(sorted).toEqual([]);
    await save(store, 9, 1);
    expect(sorted).toEqual(layout.indexes.flatMap(({ name, parts }) => (parts === undefined ? [] : [name])));
    expect(limits).toEqual(Array(2).fill("SET LOCAL gin_pending_list_limit = 16384"));
    await store.close();
  });

  it("keeps its indexes while most of its records are of other scopes, or of other instances", async () => {
    const store = open();
    await save(store, 0, 19, "one");
    await store.save({ ...collection, instance: "two", scope: "two" }, { records: things(0, 19), checkpoint });
    await save(store, 100, 30, "three");
    expect(await state()).toEqual(whole);
    await store.close();
  });

  it("stays without indexes while a sync loads it that was cut off and is gone on with, and gets them when nobody does", async () => {
    const store = open();
    const owner = newLeaseOwner();
    const syncGroup = { ...collection, syncGroup: "things" };
    await store.lease(syncGroup, owner, 60);
    await save(store, 0, 30);
    await store.close();
    const next = open();
    await next.ready;
    await save(next, 30, 10);
    expect(await state()).toEqual(bare);
    expect([...(await loadingEntities(database))]).toEqual([["test_things", "loaded"]]);
    await next.lease(syncGroup, owner, 0);
    // Another process may take the lease and go on.
    expect([...(await loadingEntities(database))]).toEqual([["test_things", "loaded"]]);
    await next.fail(collection, "shutting_down");
    expect([...(await loadingEntities(database))]).toEqual([["test_things", "loaded"]]);
    // One that fails may fail for ever.
    await next.fail(collection, "platform_failed");
    expect([...(await loadingEntities(database))]).toEqual([["test_things", "left"]]);
    await next.fail(collection, "database_unavailable");
    await giveUp();
    expect([...(await loadingEntities(database))]).toEqual([["test_things", "left"]]);
    await next.close();
    const third = open();
    await third.ready;
    await until(whole);
    await third.close();
  });

  it("lets those wait who write to it while its indexes are made", async () => {
    const store = open();
    await store.lease(collection, newLeaseOwner(), 60);
    await save(store, 0, 30);
    const end = await lock("SHARE");
    let saved = false;
    const saving = save(store, 30, 10).then(() => {
      saved = true;
    });
    // It has given up the lock at least once, and asked for it again.
    for (const wanted of [1, 0, 1]) await untilWaiting(wanted);
    expect(saved).toBe(false);
    await end();
    await saving;
    await store.finish(collection, checkpoint, kept);
    await until(whole);
    expect(await store.states(collection)).toMatchObject([{ records: 40 }]);
    await store.close();
  });

  it("need not be waited for by a sync that is asked to end", async () => {
    const store = open();
    await store.lease(collection, newLeaseOwner(), 60);
    await save(store, 0, 30);
    const end = await lock("SHARE");
    const asked = new AbortController();
    const reason = new Error("asked to end");
    const saving = store.save(collection, { records: things(30, 10), checkpoint }, asked.signal);
    const refused = expect(saving).rejects.toBe(reason);
    await untilWaiting(1);
    asked.abort(reason);
    await refused;
    await end();
    expect(await store.states(collection)).toMatchObject([{ records: 30 }]);
    // A change that need not wait is made all the same, so that what was read is not lost.
    await store.save(collection, { records: things(30, 10), checkpoint }, asked.signal);
    expect(await store.states(collection)).toMatchObject([{ records: 40 }]);
    await store.close();
  });

  it("is complete when its sync is asked to end while the indexes are made, and the next process makes them at once", async () => {
    const store = open();
    await store.lease(collection, newLeaseOwner(), 60);
    await save(store, 0, 30);
    const end = await lock("ROW EXCLUSIVE");
    const asked = new AbortController();
    const finishing = store.finish(collection, checkpoint, kept, asked.signal);
    await untilWaiting(2);
    asked.abort();
    expect(await finishing).toEqual({ removed: 0, refused: false, of: 30 });
    expect(await store.states(collection)).toMatchObject([{ records: 30, checkpoint: null, completedAt: expect.any(String) }]);
    await store.close();
    // The server has given it up too.
    await untilWaiting(0);
    await end();
    expect(await state()).toEqual(bare);
    const next = open();
    await until(whole);
    await next.close();
  });

  it("leaves a process of few connections one for its callers while the indexes are made", async () => {
    const few = openDatabase(place.url ?? "", { connections: 2 });
    const store = open(few);
    await store.lease(collection, newLeaseOwner(), 60);
    await save(store, 0, 30);
    const end = await lock("ROW EXCLUSIVE");
    const finishing = store.finish(collection, checkpoint, kept);
    await untilWaiting(1);
    const query = { sort: [], limit: 10, fields: null, explain: false };
    const { json } = await store.search(collection, query, performance.now() + 30_000);
    expect(JSON.parse(Buffer.from(json).toString())).toHaveLength(10);
    expect(await waiting()).toBe(1);
    await end();
    await finishing;
    await until(whole);
    await store.close();
    await few.close();
  });

  it("keeps its indexes while a search that takes long reads it, and is tried again when it is twice as large", async () => {
    const store = open();
    await save(store, 0, 10);
    const held = Promise.withResolvers<void>();
    const holds = Promise.withResolvers<void>();
    const reading = database.transaction(async (queries) => {
      await queries.query(raw(`SELECT 1 FROM ${layout.records}`));
      holds.resolve();
      await held.promise;
    });
    await holds.promise;
    await save(store, 10, 20);
    expect(await state()).toEqual(whole);
    held.resolve();
    await reading;
    await save(store, 30, 29);
    expect(await state()).toEqual(whole);
    await save(store, 59, 1);
    expect(await state()).toEqual(bare);
    await store.close();
  });
});
