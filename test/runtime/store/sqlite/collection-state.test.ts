import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect, it } from "vitest";
import { Statements } from "../../../../runtime/sqlite/index.ts";
import { CollectionStates } from "../../../../runtime/store/sqlite/search/collection-state.ts";
import { Catalogue } from "../../../../runtime/store/sqlite/tables/catalogue.ts";
import { Writer } from "../../../../runtime/store/sqlite/write/writer.ts";

const folder = mkdtempSync(join(tmpdir(), "tenon-states-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("reads the state of each collection once, until another connection has changed the file", () => {
  const file = join(folder, "store.sqlite");
  const things = { key: ["id"], fields: { id: { type: "string", index: "name" } } } as const;
  const catalogue = new Catalogue({ test: { things, others: things } });
  const writer = new Writer(file, catalogue, () => undefined);
  const collection = { connector: "test", instance: "one", entity: "things" };
  const save = (...ids: readonly string[]) =>
    writer.save(
      { ...collection, scope: "all" },
      { records: ids.map((id) => ({ id })), checkpoint: { run: 1, full: true, step: 0 } },
    );
  save("a");
  const seen: string[] = [];
  const db = new Database(file, { readonly: true, verbose: (statement) => void seen.push(String(statement)) });
  const states = new CollectionStates(new Statements(db), catalogue);
  const first = states.of(collection);
  expect(first).toMatchObject({ instance: 1, records: 1, sync: { inst: 1, entity: "things", sums: { scopes: 1 } } });
  expect(seen.length).toBeGreaterThan(1);
  expect(states.of({ ...collection, instance: "two" })).toMatchObject({
    instance: undefined,
    records: 0,
    sync: { inst: undefined },
  });
  expect(states.of({ ...collection, entity: "others" })).toMatchObject({ records: 0, sync: { sums: { scopes: 0 } } });
  seen.length = 0;
  expect(states.of(collection)).toBe(first);
  expect(seen).toEqual(["PRAGMA data_version"]);

  save("b", "c");
  expect(states.of(collection)).toMatchObject({ instance: 1, records: 3 });
  db.close();
  writer.close();
});
