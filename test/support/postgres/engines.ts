import { startPglite } from "./pglite.ts";
import { hasServer, startOnServer } from "./server.ts";
import type { Engine } from "./test-database.ts";

const pglite: Engine = { name: "PGlite", start: startPglite };
const server: readonly Engine[] = hasServer ? [{ name: "a PostgreSQL server", start: startOnServer }] : [];

/**
 * The kinds of PostgreSQL that tests run on: the server of this machine, or PGlite where there is none. With `TENON_TEST_ENGINES=all`, as
 * every night, they run on both.
 */
export const engines: readonly Engine[] =
  server.length === 0 || process.env["TENON_TEST_ENGINES"] === "all" ? [pglite, ...server] : server;
