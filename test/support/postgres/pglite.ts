import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import pg from "pg";
import { PooledDatabase } from "../../../runtime/postgres/pooled-database.ts";
import { valueTypes } from "../../../runtime/postgres/value-types.ts";
import { emptyDatabase, type TestDatabase } from "./test-database.ts";

/**
 * PostgreSQL compiled to WebAssembly, inside this process and in memory. It has one session, so everything that is opened shares one
 * connection, and transactions wait for each other. Everything above the connection is what a server gets too.
 */
export async function startPglite(): Promise<TestDatabase> {
  const engine = await PGlite.create();
  class Client extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super({ ...(typeof config === "object" ? config : {}), ...createPgConfig(engine) });
    }
  }
  const pool = new pg.Pool({ Client, max: 1, types: valueTypes, connectionTimeoutMillis: 30_000, idleTimeoutMillis: 0 });
  const open = () => new PooledDatabase({ pool, mostWaiting: 1_000, config: undefined, end: async () => undefined });
  return {
    url: undefined,
    open,
    empty: () => emptyDatabase(open()),
    close: async () => {
      await pool.end();
      await engine.close();
    },
  };
}
