import type { Connector } from "../../contract/index.ts";
import type { MigratedTables } from "../../store/postgres/write/migrate-tables.ts";
import { plansOf } from "../context-store.ts";
import { modeOf } from "../mode.ts";
import { type Settings, SettingsError } from "../settings/settings.ts";

export type { MigratedTables };

export interface MigrateOptions {
  /** Make the layouts of this version current although the database has newer ones. */
  readonly replaceNewer: boolean;
  /** Drop the tables of other versions that no process uses. */
  readonly dropOld: boolean;
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}

/**
 * Brings the tables of the databases that the settings name to this version: those of the accounts and of the limits, and those of the
 * records. Entities get tables when they have records already, or when their connector is on or was added.
 *
 * @throws SettingsError where the settings name no database; TenonError `store_unusable`, `database_unavailable`
 */
export async function migrateStore(
  settings: Settings,
  connectors: readonly Connector[],
  options: MigrateOptions,
): Promise<MigratedTables[]> {
  const { databaseUrl, accountsDatabaseUrl } = settings;
  if (databaseUrl === "")
    throw new SettingsError("TENON_DATABASE_URL is not set: a service migrates the files of its data directory when it starts");
  const [{ openPostgresAccounts }, { prepareLimits }, { migrateTables }, { openDatabase }] = await Promise.all([
    import("../../accounts/postgres/postgres-account-store.ts"),
    import("../../fleet/postgres/postgres-limits.ts"),
    import("../../store/postgres/write/migrate-tables.ts"),
    import("../../postgres/index.ts"),
  ]);
  const database = openDatabase(databaseUrl, { connections: 4 });
  const ofAccounts = accountsDatabaseUrl === "" ? database : openDatabase(accountsDatabaseUrl, { connections: 1 });
  try {
    const accounts = openPostgresAccounts(ofAccounts);
    await accounts.open();
    await prepareLimits(ofAccounts);
    const modes = modeOf(connectors, settings);
    const on = connectors.filter(({ name }) => modes.get(name)?.kind !== "off").map(({ name }) => name);
    const added = (await accounts.instances()).map(({ connector }) => connector);
    return await migrateTables(database, plansOf(connectors), { connectors: [...on, ...added], ...options });
  } finally {
    await database.close();
    if (ofAccounts !== database) await ofAccounts.close();
  }
}
