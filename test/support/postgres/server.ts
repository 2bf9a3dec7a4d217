import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { openDatabase } from "../../../runtime/postgres/index.ts";
import { raw, sql } from "../../../runtime/sql/index.ts";
import { madeOnce } from "../made-once.ts";
import { findPrograms, makeCluster } from "./cluster.ts";
import { emptyDatabase, type TestDatabase } from "./test-database.ts";

/** A URL of a server that was given for the tests. Its user must be allowed to create databases. */
const given = process.env["TENON_TEST_DATABASE_URL"];
const programs = findPrograms();

/** Whether tests can run on a real server. */
export const hasServer = given !== undefined || programs !== undefined;

/** Makes a database on the server that all test files share, which the first of them starts. */
export async function startOnServer(): Promise<TestDatabase> {
  const server = given ?? (await sharedServer());
  const name = `tenon_test_${randomBytes(6).toString("hex")}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const open = () => openDatabase(url.href, { connections: 5 });
  return {
    url: url.href,
    open,
    empty: async () => {
      const database = open();
      await emptyDatabase(database).finally(() => database.close());
    },
    close: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Cuts all connections to a database and allows no new ones while something is done. */
export async function withoutConnections(name: string, work: () => Promise<void>): Promise<void> {
  const server = given ?? (await sharedServer());
  const database = openDatabase(server, { connections: 1 });
  try {
    await database.alone(raw(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`));
    await database.query(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`);
    await work();
  } finally {
    await database.alone(raw(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`));
    await database.close();
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const database = openDatabase(url, { connections: 1 });
  await database.alone(raw(statement)).finally(() => database.close());
}

/** @returns the URL of its database `postgres` */
async function sharedServer(): Promise<string> {
  if (programs === undefined) throw new Error("PostgreSQL is not installed.");
  const folder = inject("postgresFolder");
  return madeOnce(folder, async () => (await makeCluster(programs, folder, false)).url("postgres"));
}
