import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SearchField, StorePlan } from "../../../../runtime/contract/index.ts";
import { QueryParser, type RecordObject } from "../../../../runtime/search/index.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";

/** Names of tables, columns, indexes and functions of the store, and words of SQL. */
const names = [
  ..."key find record scope words vocabulary rowid oid _rowid_ id rank inst k parent run found more narrow wide n w d".split(" "),
  ..."title title_data title_idx title_content title_docsize title_config aside hit miss holds select order group index".split(
    " ",
  ),
  ..."constructor value".split(" "),
];
const text: SearchField = { type: "string", index: "name" };
const plan: StorePlan = {
  key: ["id"],
  fields: {
    ...Object.fromEntries(names.map((name) => [name, text])),
    body: { type: "string", index: "text" },
    type: { type: "string", index: "exact", values: ["a", "b"] },
    at: { type: "timestamp", index: "exact" },
  },
};
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };

it("a searchable field may have any name: those that the store itself uses are found like others", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-names-"));
  const store = new SqliteStore({ dataDir, plans: { test: { things: plan } }, readers: 1, searchTime: 100_000 });
  const record = (number: number): RecordObject => ({
    ...Object.fromEntries(names.map((name) => [name, `${name} Value${number}`])),
    body: "",
    type: "a",
    at: "2024-01-01",
  });
  await store.save(collection, { records: [record(1), record(2)], checkpoint: { run: 1, full: true, step: 0 } });
  for (const name of names)
    for (const filter of [
      { eq: { [name]: `${name} Value2` } },
      { keyword: { [name]: "value2" } },
      { like: { [name]: "%value2" } },
      { fuzzy: { [name]: "valeu2" } },
      { gt: { [name]: `${name} Value1` } },
    ]) {
      const parser = new QueryParser("things", plan.fields);
      const condition = parser.filter(filter, []);
      if (condition === undefined) throw new Error(JSON.stringify(parser.faults));
      const sort = [{ field: name, direction: "desc" as const }];
      const query = { filter: condition, sort, limit: 10, fields: null, explain: false };
      const { json } = await store.search(collection, query, performance.now() + 100_000);
      expect(JSON.parse(Buffer.from(json).toString()), JSON.stringify(filter)).toEqual([record(2)]);
    }
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});
