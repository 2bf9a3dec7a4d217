import { existsSync } from "node:fs";
import { type CopyResult, copyTables, type TableAccess } from "../accounts/copied-tables.ts";
import { accountsFile } from "../accounts/sqlite/sqlite-account-store.ts";
import type { Connector } from "../contract/index.ts";
import { AddressError, readDatabaseUrl } from "../postgres/address.ts";
import type { Plans } from "../store/catalogue.ts";
import { copyRecords, type RecordAccess } from "../store/copied-records.ts";
import { storeFile } from "../store/sqlite/store-file.ts";
import { plansOf } from "./context-store.ts";
import { makeDataFolder } from "./data-folder.ts";
import { SettingsError } from "./settings.ts";

export type { CopyResult };

/** Two places: each a data directory, or the URL of a PostgreSQL database. */
export interface CopiedPlaces {
  readonly from: string;
  readonly to: string;
}

/** Both stores of a place. Where a folder that is copied has no file of one of them, that store is undefined. */
interface Place {
  readonly accounts: TableAccess | undefined;
  readonly records: RecordAccess | undefined;
}

/**
 * Copies callers, added connectors with their tokens, idempotency keys, the audit log, and all records with what is noted of their syncs
 * from one place to another. Services should not be changing accounts in either of them meanwhile; syncs are kept out.
 *
 * @param connectors whose records are copied
 * @throws SettingsError for a place that cannot be used, TenonError `accounts_unusable`, `store_unusable`, `sync_running`,
 *   `database_unavailable`
 */
export async function copyStore(
  places: CopiedPlaces,
  connectors: readonly Connector[],
  onProgress: (table: string, rows: number) => void,
): Promise<CopyResult[]> {
  if (places.from === places.to) throw new SettingsError("--from and --to name the same place");
  const plans = plansOf(connectors);
  const opened: Place[] = [];
  try {
    for (const flag of ["from", "to"] as const) opened.push(await openPlace(places[flag], flag, plans));
    const [from, to] = opened;
    const results: CopyResult[] = [];
    if (from?.accounts !== undefined && to?.accounts !== undefined)
      results.push(...(await copyTables(from.accounts, to.accounts, onProgress)));
    if (from?.records !== undefined && to?.records !== undefined)
      for (const { name, from: source, to: target, written } of await copyRecords(from.records, to.records, onProgress))
        results.push({ from: { table: name, ...source }, to: { table: name, ...target }, written });
    return results;
  } finally {
    for (const { accounts, records } of opened) await Promise.all([accounts?.close(), records?.close()]);
  }
}

async function openPlace(place: string, flag: "from" | "to", plans: Plans): Promise<Place> {
  if (/^postgres(ql)?:/.test(place)) return openDatabasePlace(place, flag, plans);
  const files = { accounts: accountsFile(place), records: storeFile(place) };
  if (flag === "to") makeDataFolder(place);
  else if (!existsSync(files.accounts) && !existsSync(files.records))
    throw new SettingsError(`--from: the folder ${place} has neither accounts.sqlite nor context-store.sqlite`);
  const [{ openSqliteTables }, { openSqliteRecords }] = await Promise.all([
    import("../accounts/sqlite/table-access.ts"),
    import("../store/sqlite/copied-file.ts"),
  ]);
  const wanted = (file: string) => flag === "to" || existsSync(file);
  const accounts = wanted(files.accounts) ? openSqliteTables(files.accounts) : undefined;
  return { accounts, records: wanted(files.records) ? openSqliteRecords(files.records, plans) : undefined };
}

async function openDatabasePlace(url: string, flag: string, plans: Plans): Promise<Place> {
  const [{ openPostgresTables }, { openPostgresRecords }, { openDatabase }] = await Promise.all([
    import("../accounts/postgres/table-access.ts"),
    import("../store/postgres/copied-tables.ts"),
    import("../postgres/index.ts"),
  ]);
  try {
    readDatabaseUrl(url);
  } catch (thrown) {
    if (thrown instanceof AddressError) throw new SettingsError(`--${flag} ${thrown.message}`);
    throw thrown;
  }
  const database = openDatabase(url, { connections: 4 });
  try {
    return { accounts: await openPostgresTables(database), records: await openPostgresRecords(database, plans) };
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
}
