import { existsSync } from "node:fs";
import type { AccountStore } from "../accounts/index.ts";
import { accountsFile, openSqliteAccounts } from "../accounts/sqlite/sqlite-account-store.ts";
import { type ProcessLimits, processLimits } from "../fleet/index.ts";
import type { Settings } from "./settings/settings.ts";

/** Where callers, instances and the audit log are stored, and what other processes share with this one. */
export interface OpenedAccounts extends AccountStore {
  /** Absent where this process keeps limits by itself. */
  readonly limits?: ProcessLimits;
}

/** What decides where callers, instances and the audit log are stored. */
export type AccountStoreSettings = Pick<Settings, "dataDir" | "databaseUrl" | "accountsDatabaseUrl" | "databaseConnections">;

/** Whether they are in a file of the data directory. */
export function isFile(place: AccountStoreSettings): boolean {
  return accountsDatabase(place) === "";
}

/** URL of their database; empty where they are in a file. */
export function accountsDatabase({ accountsDatabaseUrl, databaseUrl }: AccountStoreSettings): string {
  return accountsDatabaseUrl === "" ? databaseUrl : accountsDatabaseUrl;
}

/** Whether something may be stored already. Asking does not make the file. */
export function mayHaveAccounts(place: AccountStoreSettings): boolean {
  return !isFile(place) || existsSync(accountsFile(place.dataDir));
}

/**
 * Opens the store of the accounts. Nothing is made before its first use.
 *
 * @returns a store whose `close` ends its connections too
 */
export async function openAccountStore(place: AccountStoreSettings): Promise<OpenedAccounts> {
  if (isFile(place)) return openSqliteAccounts(place.dataDir);
  // Loaded only here, because most processes need no PostgreSQL.
  const [{ openPostgresAccounts }, { postgresLimits }, { openDatabase }] = await Promise.all([
    import("../accounts/postgres/postgres-account-store.ts"),
    import("../fleet/postgres/postgres-limits.ts"),
    import("../postgres/index.ts"),
  ]);
  // The accounts have connections of their own. Searches that use all of theirs do not keep callers from being admitted.
  const database = openDatabase(accountsDatabase(place), { connections: place.databaseConnections });
  const limits = processLimits(postgresLimits(database));
  const close = async () => {
    await limits.close();
    await database.close();
  };
  return { ...openPostgresAccounts(database), limits, close };
}
