import { randomUUID } from "node:crypto";
import { TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";
import { sql } from "../sql/index.ts";
import type { Database, Queries } from "./database.ts";
import { sqlState } from "./failure.ts";
import { checkRequirements } from "./requirements.ts";

/** One step of a schema. Its version is its place in the list, from 1; a step that was released is never changed. */
export interface Migration {
  /** Runs in one transaction, which also stores the new version. */
  readonly change?: (queries: Queries) => Promise<void>;
  /**
   * Runs after the change, outside of a transaction: indexes of large tables, with `CREATE INDEX CONCURRENTLY`. It may run again when it
   * was cut off, so it has to say `IF NOT EXISTS`, and has to remove an invalid index first.
   */
  readonly after?: (database: Database) => Promise<void>;
}

/** A group of tables that are changed together, such as `accounts`. */
export interface TableSchema {
  readonly part: string;
  /** The names that checkouts before the first release used. Their tables are refused. */
  readonly earlierParts?: readonly string[];
  readonly migrations: readonly Migration[];
}

/** Seconds that the right to migrate lasts; it is extended while a migration runs. */
const lease = 15;
/** Milliseconds between two looks of a process that waits for another one. */
const period = 200;
/** Milliseconds between two looks for a newer version. */
const watchPeriod = 10_000;

interface VersionRow {
  readonly version: number;
}

/**
 * Brings the tables of a part to the version of this process. One process does it, and the others wait until it is done. When that
 * process ends in between, another one goes on where it stopped.
 *
 * @throws TenonError `store_unusable` when the tables are those of a newer version of Tenon, or were made before the first release, and as
 *   `checkRequirements`
 */
export async function migrate(database: Database, schema: TableSchema): Promise<void> {
  const { part, earlierParts = [], migrations } = schema;
  const owner = randomUUID();
  if ((await storedVersion(database, part)) === migrations.length) return;
  await checkRequirements(database);
  await makeVersions(database, part);
  for (const earlier of earlierParts) if ((await storedVersion(database, earlier)) !== undefined) throw beforeRelease();
  for (;;) {
    const version = (await storedVersion(database, part)) ?? 0;
    if (version > migrations.length) throw tooOld(part, version, migrations.length);
    if (version === migrations.length) return;
    if (await takeLease(database, part, owner)) await migrateFrom(database, schema, owner);
    else await pause(period);
  }
}

/**
 * Looks from time to time whether another process has brought the tables to a version that this process does not know. It stops by itself
 * when that has happened, and keeps no process alive.
 *
 * @param onNewer gets TenonError `store_unusable`
 * @param every milliseconds between two looks
 * @returns a function that stops it
 */
export function watchVersion(
  database: Database,
  schema: TableSchema,
  onNewer: (error: TenonError) => void,
  every = watchPeriod,
): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    if (!stopped) timer = setTimeout(look, every).unref();
  };
  const look = () => {
    // While the database is away, nobody changes it.
    checkVersion(database, schema).then(wait, (thrown: unknown) => {
      if (!(thrown instanceof TenonError && thrown.code === "store_unusable")) return wait();
      if (!stopped) onNewer(thrown);
    });
  };
  wait();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** @throws TenonError `store_unusable` when the tables have a version that this process does not know */
export async function checkVersion(queries: Pick<Queries, "query">, { part, migrations }: TableSchema): Promise<void> {
  const version = (await storedVersion(queries, part)) ?? 0;
  if (version > migrations.length) throw tooOld(part, version, migrations.length);
}

function beforeRelease(): TenonError {
  return new TenonError(
    "store_unusable",
    "The database has tables that were made before the first release of Tenon; use an empty database, or drop these tables.",
  );
}

function tooOld(part: string, version: number, known: number): TenonError {
  return new TenonError(
    "store_unusable",
    `The database has version ${version} of the tables for ${part}, and this process supports versions up to ${known}: a newer Tenon uses the database. Install that one here too.`,
  );
}

/**
 * Does work that only one process may do at a time, under a lease that is extended meanwhile. When the process ends in between, another one
 * may begin some seconds later.
 *
 * @param part names the work
 * @returns whether it was done; false when another process does it
 */
export async function alone(database: Database, part: string, work: () => Promise<void>): Promise<boolean> {
  const owner = randomUUID();
  await makeVersions(database, part);
  if (!(await takeLease(database, part, owner))) return false;
  const extending = extend(database, part, owner);
  try {
    await work();
    return true;
  } finally {
    clearInterval(extending);
    await giveBack(database, part, owner);
  }
}

async function storedVersion(database: Pick<Queries, "query">, part: string): Promise<number | undefined> {
  try {
    const rows = await database.query<VersionRow>(sql`SELECT version FROM tenon_versions WHERE part = ${part}`);
    return rows[0]?.version;
  } catch (thrown) {
    if (sqlState(thrown) === "42P01") return undefined;
    throw thrown;
  }
}

/**
 * Creates nothing if the tables are in a later schema of the search path, as when somebody created a schema with the name of the user: a
 * second table of versions would hide the first one, and all tables would be created again.
 */
async function makeVersions(database: Database, part: string): Promise<void> {
  try {
    const there = await database.query(sql`SELECT 1 WHERE to_regclass('tenon_versions') IS NOT NULL`);
    if (there.length === 0)
      await database.run(
        sql`CREATE TABLE IF NOT EXISTS tenon_versions (
        part text PRIMARY KEY, version integer NOT NULL, owner text, until timestamptz NOT NULL DEFAULT '-infinity')`,
      );
  } catch (thrown) {
    // Two processes made it at the same time, which IF NOT EXISTS does not exclude.
    if (!["23505", "42P07", "42710"].includes(sqlState(thrown) ?? "")) throw thrown;
  }
  await database.run(sql`INSERT INTO tenon_versions (part, version) VALUES (${part}, 0) ON CONFLICT DO NOTHING`);
}

/**
 * Takes or extends the right to migrate. The clock of the server decides, because those of several machines differ. The row is locked while
 * a migration runs; then nobody waits for it.
 */
async function takeLease(database: Database, part: string, owner: string): Promise<boolean> {
  const taken = await database.run(
    sql`UPDATE tenon_versions SET owner = ${owner}, until = clock_timestamp() + make_interval(secs => ${lease})
        WHERE part = (SELECT part FROM tenon_versions
          WHERE part = ${part} AND (until < clock_timestamp() OR owner = ${owner}) FOR UPDATE SKIP LOCKED)`,
  );
  return taken > 0;
}

async function migrateFrom(database: Database, { part, migrations }: TableSchema, owner: string): Promise<void> {
  const extending = extend(database, part, owner);
  try {
    for (let version = (await storedVersion(database, part)) ?? 0; version < migrations.length; version++) {
      const { change, after } = migrations[version] ?? {};
      const begun = await database.transaction(
        async (queries) => {
          // The row stays locked until the end, so that nobody else migrates even when the lease runs out meanwhile.
          const rows = await queries.query<VersionRow>(
            sql`SELECT version FROM tenon_versions WHERE part = ${part} AND owner = ${owner} FOR UPDATE`,
          );
          if (rows[0]?.version !== version) return false;
          await change?.(queries);
          if (after === undefined) await setVersion(queries, part, version + 1);
          return true;
        },
        { deadline: Number.POSITIVE_INFINITY },
      );
      if (!begun) return;
      if (after === undefined) continue;
      await after(database);
      await setVersion(database, part, version + 1);
    }
  } finally {
    clearInterval(extending);
    await giveBack(database, part, owner);
  }
}

function extend(database: Database, part: string, owner: string): NodeJS.Timeout {
  return setInterval(() => void takeLease(database, part, owner).catch(() => undefined), (lease * 1000) / 3).unref();
}

async function giveBack(database: Database, part: string, owner: string): Promise<void> {
  await database
    .run(sql`UPDATE tenon_versions SET owner = NULL, until = '-infinity' WHERE part = ${part} AND owner = ${owner}`)
    .catch(() => undefined);
}

async function setVersion(queries: Pick<Queries, "run">, part: string, version: number): Promise<void> {
  await queries.run(sql`UPDATE tenon_versions SET version = ${version} WHERE part = ${part}`);
}
