import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Extensions, PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import pg from "pg";
import { PooledDatabase } from "../../../runtime/postgres/pooled-database.ts";
import { valueTypes } from "../../../runtime/postgres/value-types.ts";
import { emptyDatabase, type TestDatabase } from "./test-database.ts";

// PGlite's reader drops U+FEFF at the beginning of a text, which no server does.
globalThis.TextDecoder = class extends TextDecoder {
  constructor(label?: string, options?: TextDecoderOptions) {
    super(label, { ignoreBOM: true, ...options });
  }
};

/**
 * PostgreSQL compiled to WebAssembly, inside this process and in memory. It has one session, so everything that is opened shares one
 * connection, and transactions wait for each other. Everything above the connection is what a server gets too.
 *
 * @param extensions that may be created in it
 */
export async function startPglite(extensions: Extensions = {}): Promise<TestDatabase & { readonly pool: pg.Pool }> {
  const engine = await newEngine(extensions);
  class Client extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super({ ...(typeof config === "object" ? config : {}), ...createPgConfig(engine) });
    }
  }
  const pool = new pg.Pool({
    Client,
    max: 1,
    types: valueTypes,
    pipeline: true,
    connectionTimeoutMillis: 30_000,
    idleTimeoutMillis: 0,
  });
  const open = () =>
    new PooledDatabase({ pool, connections: 1, mostWaiting: 1_000, config: undefined, end: async () => undefined });
  return {
    url: undefined,
    pool,
    open,
    empty: () => emptyDatabase(open()),
    close: async () => {
      await pool.end();
      await engine.close();
    },
  };
}

/** Making a new database takes several seconds of computing, so that is done once, and its files are kept between runs. */
async function newEngine(extensions: Extensions): Promise<PGlite> {
  const folder = join(import.meta.dirname, "../../../.cache/pglite");
  const file = join(folder, `${versionOf()}.tar`);
  if (existsSync(file)) return PGlite.create({ extensions, loadDataDir: new Blob([readFileSync(file)]) });
  const engine = await PGlite.create({ extensions });
  mkdirSync(folder, { recursive: true });
  const written = `${file}.${process.pid}`;
  writeFileSync(written, await (await engine.dumpDataDir("none")).bytes());
  renameSync(written, file);
  return engine;
}

function versionOf(): string {
  const lock = join(import.meta.dirname, "../../../package-lock.json");
  const { packages } = JSON.parse(readFileSync(lock, "utf8")) as { packages: Record<string, { version?: string }> };
  return packages["node_modules/@electric-sql/pglite"]?.version ?? "unknown";
}
