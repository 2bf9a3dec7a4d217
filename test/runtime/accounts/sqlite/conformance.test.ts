import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteAccountStore } from "../../../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { accountConformance } from "../../../conformance/accounts.ts";

accountConformance("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-accounts-"));
  return { open: async () => new SqliteAccountStore(folder), remove: () => rmSync(folder, { recursive: true, force: true }) };
});
