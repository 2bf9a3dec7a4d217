import type { TenonError } from "../base/errors.ts";
import { type Connector, storesOf } from "../contract/index.ts";
import type { Plans } from "../store/catalogue.ts";
import type { EmbeddingQueue, SemanticStore } from "../store/semantic.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import type { Settings } from "./settings/settings.ts";

/** Where records are kept and found. */
export type ContextStore = Store & SemanticStore & EmbeddingQueue;

type StorePlace = Pick<
  Settings,
  | "dataDir"
  | "databaseUrl"
  | "databaseReadUrl"
  | "databaseSqlRole"
  | "databaseConnections"
  | "searchTimeoutMs"
  | "changesDays"
  | "changesEntries"
>;
interface StoreOptions extends Pick<ConstructorParameters<typeof SqliteStore>[0], "plans" | "tell"> {
  /** Called when a newer process has changed the tables, so that this one can no longer use them. */
  readonly onNewer?: (error: TenonError) => void;
}

/** Opens the context store: in a file of the data directory, or in a PostgreSQL database. `close` ends its connections too. */
export async function openContextStore(settings: StorePlace, { plans, tell, onNewer }: StoreOptions): Promise<ContextStore> {
  const { dataDir, databaseUrl, databaseReadUrl, databaseConnections: connections, searchTimeoutMs: searchTime } = settings;
  const changeRetention = { time: settings.changesDays * 86_400_000, entries: settings.changesEntries };
  const options = { plans, searchTime, changeRetention, ...(tell === undefined ? {} : { tell }) };
  if (databaseUrl === "") return new SqliteStore({ dataDir, ...options });
  // Loaded only here, because most processes need no PostgreSQL.
  const [{ PostgresStore }, { openDatabase, withReplica }] = await Promise.all([
    import("../store/postgres/postgres-store.ts"),
    import("../postgres/index.ts"),
  ]);
  const database = openDatabase(databaseUrl, { connections });
  const replica = databaseReadUrl === "" ? undefined : openDatabase(databaseReadUrl, { connections });
  const reader = replica && withReplica(database, replica, (text) => tell?.(text, "info"));
  const more = {
    sqlRole: settings.databaseSqlRole,
    ...(reader === undefined ? {} : { reader }),
    ...(onNewer === undefined ? {} : { onNewer }),
  };
  const onClose = () => Promise.all([database.close(), reader?.close()]);
  return new PostgresStore({ database, onClose, ...more, ...options });
}

/** What the stores have to know of the connectors. */
export function plansOf(connectors: readonly Connector[]): Plans {
  return Object.fromEntries(connectors.map((connector) => [connector.name, storesOf(connector)]));
}
