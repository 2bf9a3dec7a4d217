import { existsSync, realpathSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type CopyResult, copyTables, type TableAccess } from "../../accounts/copied-tables.ts";
import { accountsFile } from "../../accounts/sqlite/sqlite-account-store.ts";
import type { Connector } from "../../contract/index.ts";
import { AddressError, readDatabaseUrl } from "../../postgres/address.ts";
import type { Plans } from "../../store/catalogue.ts";
import { copyRecords, type RecordAccess } from "../../store/copied-records.ts";
import { storeFile } from "../../store/sqlite/tables/store-file.ts";
import { plansOf } from "../context-store.ts";
import { makeDataFolder } from "../data-folder.ts";
import { SettingsError } from "../settings/settings.ts";

export type { CopyResult };

/** The two stores of an installation: who may call and what they are given; and what syncs have read. */
export const copiedStores = ["accounts", "records"] as const;
export type CopiedStore = (typeof copiedStores)[number];

/** Two addresses: each a data directory, or the URL of a PostgreSQL database. */
export interface CopyAddresses {
  readonly from: string;
  readonly to: string;
  /** The only store that is copied; both when it is undefined. The other one is neither opened nor made. */
  readonly only?: CopiedStore | undefined;
}

/** The stores at an address. One that is not copied is undefined, and so is one of which a folder that is copied has no file. */
interface OpenedStores {
  readonly accounts: TableAccess | undefined;
  readonly records: RecordAccess | undefined;
}

/**
 * Copies callers, added connectors with their tokens, idempotency keys and the audit log (`accounts`), and all records with what is noted
 * of their syncs (`records`), from one address to another. Services should not be changing accounts in either of them meanwhile; syncs are
 * kept out.
 *
 * @param connectors whose records are copied
 * @param tell takes what the operator should know before anything is copied
 * @throws SettingsError for an address that cannot be used, TenonError `accounts_unusable`, `store_unusable`, `sync_running`,
 *   `database_unavailable`
 */
export async function copyStore(
  addresses: CopyAddresses,
  connectors: readonly Connector[],
  onProgress: (table: string, rows: number) => void,
  tell: (text: string) => void,
): Promise<CopyResult[]> {
  if (placeOf(addresses.from, "from") === placeOf(addresses.to, "to"))
    throw new SettingsError("--from and --to name the same place");
  const plans = plansOf(connectors);
  const stores = copiedStores.filter((store) => addresses.only === undefined || addresses.only === store);
  const opened: OpenedStores[] = [];
  if (stores.includes("accounts") && (await isFolderInUse(addresses.from)))
    tell(
      `A service or a command uses ${addresses.from}. Keys and connectors that change there from now on are not copied: stop it, and copy again.`,
    );
  try {
    for (const flag of ["from", "to"] as const) opened.push(await openStores(addresses[flag], flag, stores, plans));
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

const isDatabase = (address: string) => /^postgres(ql)?:/.test(address);

/** The same text for all addresses of a place: they may differ in a slash or a link, in the user or the parameters of a connection. */
function placeOf(address: string, flag: Flag): string {
  if (!isDatabase(address)) return existsSync(address) ? realpathSync.native(address) : resolve(address);
  try {
    const { host = "", port, database } = readDatabaseUrl(address).config;
    const name = ["127.0.0.1", "::1"].includes(host) ? "localhost" : host.toLowerCase();
    return `postgres://${host.startsWith("/") ? resolve(host) : name}:${port}/${database}`;
  } catch (thrown) {
    if (thrown instanceof AddressError) throw new SettingsError(`--${flag} ${thrown.message}`);
    throw thrown;
  }
}

async function isFolderInUse(address: string): Promise<boolean> {
  const file = accountsFile(address);
  if (isDatabase(address) || !existsSync(file)) return false;
  const { isInUse } = await import("../../accounts/sqlite/connection.ts");
  return isInUse(file);
}

type Flag = "from" | "to";

async function openStores(address: string, flag: Flag, stores: readonly CopiedStore[], plans: Plans): Promise<OpenedStores> {
  if (isDatabase(address)) return openDatabaseStores(address, stores, plans);
  const files = { accounts: accountsFile(address), records: storeFile(address) };
  if (flag === "to") makeDataFolder(address);
  const wanted = stores.filter((store) => flag === "to" || existsSync(files[store]));
  if (wanted.length === 0) {
    const missing = stores.map((store) => basename(files[store]));
    const text = missing.length === 1 ? `no ${missing[0]}` : `neither ${missing.join(" nor ")}`;
    throw new SettingsError(`--from: the folder ${address} has ${text}`);
  }
  const [{ openSqliteTables }, { openSqliteRecords }] = await Promise.all([
    import("../../accounts/sqlite/table-access.ts"),
    import("../../store/sqlite/write/copied-file.ts"),
  ]);
  return {
    accounts: wanted.includes("accounts") ? openSqliteTables(files.accounts) : undefined,
    records: wanted.includes("records") ? openSqliteRecords(files.records, plans) : undefined,
  };
}

async function openDatabaseStores(url: string, stores: readonly CopiedStore[], plans: Plans): Promise<OpenedStores> {
  const [{ openPostgresTables }, { openPostgresRecords }, { openDatabase }] = await Promise.all([
    import("../../accounts/postgres/table-access.ts"),
    import("../../store/postgres/write/copied-tables.ts"),
    import("../../postgres/index.ts"),
  ]);
  const database = openDatabase(url, { connections: 4 });
  try {
    return {
      accounts: stores.includes("accounts") ? await openPostgresTables(database) : undefined,
      records: stores.includes("records") ? await openPostgresRecords(database, plans) : undefined,
    };
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
}
