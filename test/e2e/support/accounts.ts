import { join } from "node:path";
import Database from "better-sqlite3";
import { type AccountStore, fullGrant, type Grant } from "../../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../../runtime/accounts/sqlite/sqlite-account-store.ts";
import type { NewConnector } from "../../../runtime/main/index.ts";

/** Does something with the accounts in a data directory as a command does it: from outside of the service. */
export async function withAccounts<Result>(dataDir: string, work: (store: AccountStore) => Promise<Result>): Promise<Result> {
  const store = openSqliteAccounts(dataDir);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Gives a caller another grant. No command does that yet, so it is written into the table. @param id of the caller */
export function regrant(dataDir: string, id: string, grant: Partial<Grant>): void {
  const db = new Database(join(dataDir, "accounts.sqlite"), { timeout: 10_000 });
  db.prepare('UPDATE account_callers SET "grant" = ? WHERE id = ?').run(JSON.stringify({ ...fullGrant, ...grant }), id);
  db.close();
}

/** A new instance of GitHub without any optional value. The test adds the id and the credential. */
export const plainConnector: Omit<NewConnector, "id" | "credential"> = {
  connector: "github",
  workspace: undefined,
  organization: undefined,
  rest: undefined,
  graphql: undefined,
  variables: [],
  scopes: [],
  minutes: 60,
};
