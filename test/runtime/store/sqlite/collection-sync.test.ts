import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { Statements } from "../../../../runtime/sqlite/index.ts";
import { readSyncState, syncedCollection } from "../../../../runtime/store/sqlite/search/collection-sync.ts";
import { prepareFile } from "../../../../runtime/store/sqlite/tables/schema.ts";

it("a search reads from an index what it sums of its collection, and no states of other entities", () => {
  const seen: string[] = [];
  const db = new Database(":memory:", { verbose: (statement) => void seen.push(String(statement)) });
  prepareFile(db);
  db.exec("INSERT INTO store_instances VALUES (1, 'test', 'one')");
  const state = db.prepare(
    "INSERT INTO store_states (inst, scope, entity, run, completed_at, problem) VALUES (1, ?, ?, 1, ?, ?)",
  );
  state.run(1, "things", "2026-01-02", null);
  state.run(2, "things", "2026-01-01", "internal");
  state.run(3, "things", null, null);
  state.run(3, "others", null, "internal");
  seen.length = 0;
  const statements = new Statements(db);
  const { syncedAt, sync } = syncedCollection(statements, readSyncState(statements, 1, "things"), []);
  expect([syncedAt, sync.scopes]).toEqual([null, 3]);
  const sums = seen.filter((statement) => /FROM store_states/.test(statement));
  const planOf = (statement: string) => db.prepare(`EXPLAIN QUERY PLAN ${statement}`).all() as { readonly detail: string }[];
  expect(sums.map((statement) => planOf(statement).map(({ detail }) => detail))).toEqual([
    ["SEARCH store_states USING COVERING INDEX store_states_sums (inst=? AND entity=?)"],
    ["SEARCH t USING INDEX store_states_misfits (inst=? AND entity=?)", "SEARCH s USING INTEGER PRIMARY KEY (rowid=?)"],
  ]);
  db.close();
});

it.each([
  ["two that are not due, while somebody syncs", "-1 minutes", ["due"]],
  ["all where nobody has synced for two intervals", "-3 minutes", ["account", "due", "kept=a"]],
])("an old scope is reported, but %s", (_title, started, expected) => {
  const db = new Database(":memory:");
  prepareFile(db);
  db.exec(`INSERT INTO store_instances VALUES (1, 'test', 'one');
    INSERT INTO store_scopes VALUES (1, 1, 'due'), (2, 1, 'kept=a'), (3, 1, 'account');
    INSERT INTO store_states (inst, scope, entity, run, completed_at) SELECT 1, id, 'things', 1, '2026-01-01' FROM store_scopes;
    INSERT INTO store_schedules SELECT 1, '["kept=A","due"]', 1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '${started}'), '["DUE"]'`);
  const statements = new Statements(db);
  const { sync } = syncedCollection(statements, readSyncState(statements, 1, "things"), undefined);
  expect(sync.reported.map(({ scope }) => scope).toSorted()).toEqual(expected);
  db.close();
});
