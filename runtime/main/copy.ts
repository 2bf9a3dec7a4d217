import { existsSync } from "node:fs";
import { type CopyResult, copyTables, type TableAccess } from "../accounts/copied-tables.ts";
import { accountsFile } from "../accounts/sqlite/sqlite-account-store.ts";
import { AddressError, readDatabaseUrl } from "../postgres/address.ts";
import { makeDataFolder } from "./data-folder.ts";
import { SettingsError } from "./settings.ts";

export type { CopyResult };

/**
 * Copies callers, added connectors with their tokens, idempotency keys and the audit log from one place to another. A place is a data
 * directory or the URL of a PostgreSQL database. Services should not be changing either of them meanwhile.
 *
 * @throws SettingsError for a place that cannot be used, TenonError `accounts_unusable`, `database_unavailable`
 */
export async function copyAccounts(
  places: { readonly from: string; readonly to: string },
  onProgress: (table: string, rows: number) => void,
): Promise<CopyResult[]> {
  if (places.from === places.to) throw new SettingsError("--from and --to name the same place");
  const from = await openPlace(places.from, "--from");
  try {
    const to = await openPlace(places.to, "--to");
    try {
      return await copyTables(from, to, onProgress);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function openPlace(place: string, flag: string): Promise<TableAccess> {
  if (/^postgres(ql)?:/.test(place)) {
    const [{ openPostgresTables }, { openDatabase }] = await Promise.all([
      import("../accounts/postgres/table-access.ts"),
      import("../postgres/index.ts"),
    ]);
    try {
      readDatabaseUrl(place);
    } catch (thrown) {
      if (thrown instanceof AddressError) throw new SettingsError(`${flag} ${thrown.message}`);
      throw thrown;
    }
    const database = openDatabase(place, { connections: 2 });
    return openPostgresTables(database).catch(async (thrown: unknown) => {
      await database.close();
      throw thrown;
    });
  }
  const { openSqliteTables } = await import("../accounts/sqlite/table-access.ts");
  if (flag === "--to") makeDataFolder(place);
  else if (!existsSync(accountsFile(place))) throw new SettingsError(`--from: the folder ${place} has no accounts.sqlite`);
  return openSqliteTables(accountsFile(place));
}
