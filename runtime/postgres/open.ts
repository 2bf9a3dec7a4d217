import pg from "pg";
import { readDatabaseUrl } from "./address.ts";
import type { Database } from "./database.ts";
import { PooledDatabase } from "./pooled-database.ts";
import { valueTypes } from "./value-types.ts";

export interface OpenDatabaseOptions {
  /** The most connections of this process. */
  readonly connections: number;
}

/** Milliseconds after which a connection that nobody used is closed. */
const idleTime = 60_000;
/** Seconds after which a connection is replaced, so that a new server behind a name or a balancer gets its share. */
const lifetime = 1_800;
/** Statements that may wait for each connection. */
const waitingEach = 50;

/**
 * Opens a database. No connection is made before the first statement.
 *
 * @param url see {@link readDatabaseUrl}
 * @throws AddressError when the URL is not one of PostgreSQL
 */
export function openDatabase(url: string, { connections }: OpenDatabaseOptions): Database {
  const { config } = readDatabaseUrl(url);
  const pool = new pg.Pool({
    ...config,
    types: valueTypes,
    max: connections,
    idleTimeoutMillis: idleTime,
    maxLifetimeSeconds: lifetime,
    keepAlive: true,
    // Statements that do not need each other's results are sent at once.
    pipeline: true,
  });
  // A connection that breaks while it is idle leaves the pool; the next statement gets another one.
  pool.on("error", () => undefined);
  return new PooledDatabase({ pool, connections, mostWaiting: connections * waitingEach, config, end: () => pool.end() });
}
