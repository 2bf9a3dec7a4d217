import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteAccounts } from "../../../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { accountConformance } from "../../../conformance/accounts.ts";

accountConformance("SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-accounts-"));
  return { open: async () => openSqliteAccounts(folder), remove: () => rmSync(folder, { recursive: true, force: true }) };
});
