import { startPglite } from "./pglite.ts";
import { hasServer, startOnServer } from "./server.ts";
import type { Engine } from "./test-database.ts";

/** Every kind of PostgreSQL that this machine can test on. PGlite is always there. */
export const engines: readonly Engine[] = [
  { name: "PGlite", start: startPglite },
  ...(hasServer ? [{ name: "a PostgreSQL server", start: startOnServer }] : []),
];
