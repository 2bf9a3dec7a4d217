import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect, it } from "vitest";
import { backupFiles } from "../../../../runtime/main/operator/backup.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import { collection, instance, page, plans } from "../../../conformance/store/case.ts";

const folder = mkdtempSync(join(tmpdir(), "tenon-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a copy goes on where an earlier one was cut off in the middle of a file", async () => {
  const [dataDir, target] = ["data", "copy"].map((name) => mkdtempSync(join(folder, name))) as [string, string];
  writeFileSync(join(dataDir, "api-key.json"), "the hash");
  writeFileSync(join(target, "api-key.json.part"), "the beginning of another hash");
  expect(await backupFiles(dataDir, target)).toEqual([{ file: "api-key.json", bytes: 8 }]);
  expect([readdirSync(target), readFileSync(join(target, "api-key.json"), "utf8")]).toEqual([["api-key.json"], "the hash"]);
});

it("a copy of a database is one file, and stays one when it is read", async () => {
  const [dataDir, target] = ["data", "copy"].map((name) => mkdtempSync(join(folder, name))) as [string, string];
  const database = new Database(join(dataDir, "context-store.sqlite"));
  database.pragma("journal_mode = WAL");
  database.exec("CREATE TABLE events (id TEXT); INSERT INTO events VALUES ('a')");
  await backupFiles(dataDir, target);
  database.close();
  const copy = new Database(join(target, "context-store.sqlite"), { readonly: true });
  expect([copy.prepare("SELECT id FROM events").all(), readdirSync(target)]).toEqual([[{ id: "a" }], ["context-store.sqlite"]]);
  copy.close();
});

it("a copy that is used does not go on with the change log, whose next numbers the service has given to other changes", async () => {
  const [dataDir, target] = ["data", "copy"].map((name) => mkdtempSync(join(folder, name))) as [string, string];
  const store = new SqliteStore({ dataDir, plans, readers: 1 });
  await store.save(collection, page("abc"));
  await backupFiles(dataDir, target);
  const restored = new SqliteStore({ dataDir: target, plans, readers: 1 });
  const logs = async () =>
    Promise.all([store, restored].map((one) => one.changes(instance, { from: 3, limit: 1, entities: null })));
  const [own, copied] = await logs();
  expect([own?.next, copied?.next]).toEqual([3, 3]);
  expect(copied?.log).not.toBe(own?.log);
  await store.save(collection, page("de"));
  await restored.save(collection, page("xyz"));
  const [, later] = await logs();
  expect(later).toMatchObject({ log: copied?.log, changes: [{ key: "x" }] });
  await Promise.all([store.close(), restored.close()]);
});
