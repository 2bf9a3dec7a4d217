import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parseStatement, tableOf } from "../../../../runtime/statement/index.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import { checkpoint, instance, plans } from "../../../conformance/store/case.ts";

const dataDir = mkdtempSync(join(tmpdir(), "tenon-statement-"));
const store = new SqliteStore({ dataDir, plans });
afterAll(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

// In the engine that the tests have of PostgreSQL, nothing can be cancelled.
it("ends SQL at its deadline, also where a join finds nothing for a long time, and answers the next one", async () => {
  const tables = [tableOf("events", plans.test.events)];
  const many = Array.from({ length: 1_000 }, (_, index) => ({ id: `n${index}`, title: `${index}`, size: index }));
  await store.save({ ...instance, scope: "all", entity: "events" }, { records: many, checkpoint: checkpoint(1) });
  for (const from of [
    "events a, events b, events c, events d WHERE a.title || b.title || c.title || d.title = 'x'",
    "events a JOIN events b ON lower(a.title) <> 'x' JOIN events c ON c.size + a.size + b.size < 0",
    "(SELECT title FROM events) a LEFT JOIN events b ON a.title > '' LEFT JOIN events c ON length(a.title || b.title || c.title) > 99",
    "events a WHERE a.size = (SELECT max(b.size * c.size * d.size) FROM events b, events c, events d WHERE b.id < a.id)",
  ]) {
    const statement = await parseStatement(`SELECT count(*) AS n FROM ${from}`, tables);
    const running = store.runStatement(instance, { statement, limit: 1 }, performance.now() + 300);
    await expect(running, from).rejects.toMatchObject({ code: "search_timeout" });
  }
  const statement = await parseStatement("SELECT count(*) AS n FROM events", tables);
  const { json } = await store.runStatement(instance, { statement, limit: 1 }, performance.now() + 100_000);
  expect(Buffer.from(json).toString()).toBe('[{"n":1000}]');
});
