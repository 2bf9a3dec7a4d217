import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate, strangeFile } from "../../../../runtime/accounts/sqlite/schema.ts";
import { accountsFile, openSqliteAccounts } from "../../../../runtime/accounts/sqlite/sqlite-account-store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-accounts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What opening the file says. */
async function problem(): Promise<string> {
  const store = openSqliteAccounts(folder);
  try {
    await store.open();
    return "";
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: "accounts_unusable" });
    return thrown instanceof Error ? thrown.message : "";
  } finally {
    await store.close();
  }
}

it("a file of an older version gets the steps that it lacks, and keeps what it has", () => {
  const db = new Database(":memory:");
  const first = "CREATE TABLE things (id INTEGER PRIMARY KEY); INSERT INTO things VALUES (7)";
  const second = "ALTER TABLE things ADD COLUMN name TEXT NOT NULL DEFAULT 'none'";
  migrate(db, [first]);
  migrate(db, [first, second]);
  expect(db.prepare("SELECT * FROM things").all()).toEqual([{ id: 7, name: "none" }]);
  expect(strangeFile(db, [first])).toBe("was made by a newer version of Tenon");
  db.close();
});

it("contents of proposals get their own table, which forgets them with their proposals", async () => {
  const store = openSqliteAccounts(folder);
  await store.open();
  await store.close();
  const db = new Database(accountsFile(folder));
  db.exec("DROP TABLE account_proposal_contents; ALTER TABLE account_proposals RENAME COLUMN head TO content");
  db.pragma(`user_version = ${Number(db.pragma("user_version", { simple: true })) - 1}`);
  const before = JSON.stringify({ connector: "github", intent: ',"params":', params: { title: ',"params":' }, changes: [] });
  db.prepare("INSERT INTO account_proposals VALUES ('p', 'a', 'r', ?, 'h', 'pending', 1, 10, NULL, NULL, NULL, NULL)").run(
    before,
  );
  db.close();
  const opened = openSqliteAccounts(folder);
  const { head = "", content = "" } = (await opened.proposal("p")) ?? {};
  expect({ ...JSON.parse(head), ...JSON.parse(content) }).toEqual(JSON.parse(before));
  expect(Object.keys(JSON.parse(content))).toEqual(["params", "changes"]);
  const next = { id: "q", caller: "a", request: "r", head: "{}", content: "{}", hash: "h", createdAt: 20, expiresAt: 30 };
  await opened.addProposal(next, 5, 15);
  await opened.close();
  const after = new Database(accountsFile(folder));
  expect(after.prepare("SELECT id FROM account_proposal_contents").pluck().all()).toEqual(["q"]);
  after.close();
});

describe("the file of callers", () => {
  it("can be read by its owner only, and leaves no other file behind", async () => {
    const store = openSqliteAccounts(folder);
    await store.open();
    expect(statSync(accountsFile(folder)).mode & 0o777).toBe(0o600);
    await store.close();
    expect(() => statSync(`${accountsFile(folder)}-wal`)).toThrow("ENOENT");
  });

  it.each<[string, (file: string) => void, string]>([
    ["is no database", (file) => writeFileSync(file, "no database, but a text that is long enough to look at"), "is damaged"],
    [
      "belongs to another program",
      (file) => void new Database(file).exec("CREATE TABLE t (x)").close(),
      "belongs to another program",
    ],
    [
      "comes from a newer version",
      (file) => {
        const db = new Database(file);
        db.pragma(`application_id = ${0x74656e63}`);
        db.pragma("user_version = 1000");
        db.close();
      },
      "was made by a newer version of Tenon",
    ],
    [
      "is older than the first release",
      (file) => {
        const db = new Database(file);
        db.pragma(`application_id = ${0x74656e61}`);
        db.pragma("user_version = 1");
        db.close();
      },
      "was made before the first release of Tenon",
    ],
  ])("is refused and left as it is when it %s", async (_title, make, message) => {
    const file = accountsFile(folder);
    make(file);
    const before = readFileSync(file);
    expect(await problem()).toContain(message);
    expect(readFileSync(file)).toEqual(before);
  });
});
