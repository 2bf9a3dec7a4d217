import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../../runtime/sql/index.ts";
import type { Plans } from "../../../runtime/store/catalogue.ts";
import { ChangeNotes } from "../../../runtime/store/change-log.ts";
import { copyRecords } from "../../../runtime/store/copied-records.ts";
import { PostgresStore } from "../../../runtime/store/postgres/postgres-store.ts";
import { ledgerOn } from "../../../runtime/store/postgres/write/ledger.ts";
import { SqliteStore } from "../../../runtime/store/sqlite/sqlite-store.ts";
import { storeFile } from "../../../runtime/store/sqlite/tables/store-file.ts";
import { openSqliteRecords } from "../../../runtime/store/sqlite/write/copied-file.ts";
import type { Store } from "../../../runtime/store/store.ts";
import { collection, instance, page, parts, plans } from "../../conformance/store/case.ts";
import { hasServer, startOnServer } from "../../support/postgres/server.ts";
import type { TestDatabase } from "../../support/postgres/test-database.ts";

const read = (store: Store, from = 0) => store.changes(instance, { from, limit: 100, entities: null });
const byTitle: Plans = { test: { ...plans.test, things: { ...plans.test.things, key: ["title"] } } };

describe("the change log in SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-change-log-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function within<Result>(name: string, work: (store: SqliteStore) => Promise<Result>, more = {}): Promise<Result> {
    const store = new SqliteStore({ dataDir: join(folder, name), plans, readers: 1, ...more });
    return work(store).finally(() => store.close());
  }

  it("keeps changes for a time", async () => {
    const old = { changeRetention: { time: -1, entries: 1_000 } };
    await within("time", (store) => store.save(collection, page("abc")));
    const { first, next } = await within(
      "time",
      async (store) => {
        await store.save(collection, page("d"));
        return read(store);
      },
      old,
    );
    expect([first, next]).toEqual([4, 4]);
  });

  it("does not pretend to have the records of a file that is older than the log", async () => {
    await within("format", (store) => store.save(collection, page("ab")));
    const db = new Database(storeFile(join(folder, "format")));
    db.exec(
      "DROP TABLE store_change_heads; DROP TABLE store_change_blocks; ALTER TABLE store_schedules DROP COLUMN due; PRAGMA user_version = 2",
    );
    db.close();
    const slice = await within("format", async (store) => {
      await store.save(collection, page("c"));
      return read(store);
    });
    expect(slice).toMatchObject({ first: 1, next: 2, changes: [{ key: "c" }] });
  });

  it("makes readers begin anew when the records of an entity were dropped, because it has another key", async () => {
    await within("key", (store) => store.save(collection, page("ab")));
    const slice = await within("key", read, { plans: byTitle });
    expect(slice).toMatchObject({ first: 3, next: 3, changes: [] });
  });

  it("makes readers begin anew when the records were copied from another store", async () => {
    await within("from", (store) => store.save(collection, page("ab")));
    await within("to", (store) => store.save(collection, page("a")));
    const [from, to] = ["from", "to"].map((name) => openSqliteRecords(storeFile(join(folder, name)), plans));
    if (from === undefined || to === undefined) throw new Error("there is no copy");
    await copyRecords(from, to, () => undefined);
    await from.close();
    await to.close();
    expect(await within("to", read)).toMatchObject({ first: 2, next: 2, changes: [] });
  });
});

describe.runIf(hasServer)("the change log in PostgreSQL", () => {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await startOnServer();
  });
  afterAll(() => server.close());

  it("shows no change before those with smaller numbers, whichever transaction ends first", async () => {
    const database = server.open();
    const store = new PostgresStore({ database, plans });
    await store.save(collection, page("a"));
    await store.save(parts, page("x"));
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = database.transaction(async (queries) => {
      const [ids] = await queries.query<{ inst: number; scope: number }>(sql`SELECT inst, id AS scope FROM store_scopes`);
      const notes = new ChangeNotes();
      notes.add("b", "created");
      await ledgerOn(queries).logChanges({ inst: ids?.inst ?? 0, scope: ids?.scope ?? 0, entity: "things" }, notes);
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    let saved = false;
    const second = store.save(parts, page("y", 2)).then(() => {
      saved = true;
    });
    const waits = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while (!saved && (await database.query(waits)).length === 0);
    const before = await read(store);
    end.resolve();
    await Promise.all([first, second]);
    const after = await read(store, before.position);
    expect([...before.changes, ...after.changes].map(({ sequence, key }) => `${sequence} ${key}`)).toEqual([
      "0 a",
      "1 x",
      "2 b",
      "3 y",
    ]);
    await store.close();
    await database.close();
  });

  it("does not pretend to have the records of a database that is older than the log", async () => {
    await server.empty();
    const database = server.open();
    const store = new PostgresStore({ database, plans });
    await store.save(collection, page("ab"));
    await store.close();
    await database.run(sql`DROP TABLE store_change_heads, store_change_blocks, store_indexes`);
    await database.run(sql`ALTER TABLE store_schedules DROP COLUMN due`);
    await database.run(sql`UPDATE tenon_versions SET version = 2 WHERE part = 'store'`);
    const again = new PostgresStore({ database, plans: byTitle });
    await again.ready;
    // The entity has another key besides, so that its records were dropped.
    expect(await read(again)).toMatchObject({ first: 2, next: 2, changes: [] });
    await again.close();
    await database.close();
  });
});
