import { existsSync } from "node:fs";
import type { AccountStore } from "../accounts/index.ts";
import { accountsFile, openSqliteAccounts } from "../accounts/sqlite/sqlite-account-store.ts";
import type { Settings } from "./settings.ts";

/** What decides where callers, instances and the audit log are stored. */
export type AccountPlace = Pick<Settings, "dataDir" | "accountsDatabaseUrl" | "databaseConnections">;

/** Whether they are in a file of the data directory. */
export function isFile({ accountsDatabaseUrl }: AccountPlace): boolean {
  return accountsDatabaseUrl === "";
}

/** Whether something may be stored already. A file that is not there yet is not made by this question. */
export function mayHaveAccounts(place: AccountPlace): boolean {
  return !isFile(place) || existsSync(accountsFile(place.dataDir));
}

/**
 * Opens the store of the accounts. Nothing is made before its first use.
 *
 * @returns a store whose `close` ends its connections too
 */
export async function openAccountStore(place: AccountPlace): Promise<AccountStore> {
  if (isFile(place)) return openSqliteAccounts(place.dataDir);
  // Loaded only here, because most processes need no PostgreSQL.
  const [{ openPostgresAccounts }, { openDatabase }] = await Promise.all([
    import("../accounts/postgres/postgres-account-store.ts"),
    import("../postgres/index.ts"),
  ]);
  const database = openDatabase(place.accountsDatabaseUrl, { connections: place.databaseConnections });
  return { ...openPostgresAccounts(database), close: () => database.close() };
}
