import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect, it } from "vitest";
import { backupFiles } from "../../../../runtime/main/operator/backup.ts";

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
