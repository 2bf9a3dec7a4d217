import { resolve } from "node:path";
import { readDatabaseUrl } from "../postgres/address.ts";
import { type AccountStoreSettings, accountsDatabase } from "./account-store.ts";

/** What a command works on without a service: accounts with the audit log, cached records, or the files of the data folder. */
export type StoredKind = "accounts" | "records" | "files";

/** Where something is stored, in words and without a password. */
export function storedPlace(settings: AccountStoreSettings, kind: StoredKind): string {
  const database = { accounts: accountsDatabase(settings), records: settings.databaseUrl, files: "" }[kind];
  return database === "" ? `data folder ${resolve(settings.dataDir)}` : `database ${readDatabaseUrl(database).shown}`;
}
