import { alone, type Database, type Queries, raw, sql } from "../../postgres/index.ts";
import { type Layout, type NamedIndex, named } from "./layout.ts";

// The indexes of tables that have records already. They are made while searches and syncs go on, one after the other, by one process.

interface IndexRow {
  readonly name: string;
  readonly valid: boolean;
  /** Whether a connection is making it now. */
  readonly busy: boolean;
}

/**
 * Makes the indexes that are missing. One whose making was cut off is invalid: it is dropped and made again.
 *
 * @param signal ends it, also in the middle of an index
 * @param tell is told of every index that was made
 * @returns whether all of them are there; false while another process makes them
 */
export async function makeMissing(
  database: Database,
  layouts: readonly Layout[],
  signal: AbortSignal,
  tell: (text: string) => void,
): Promise<boolean> {
  if ((await missing(database, layouts)).length === 0) return true;
  const done = await alone(database, "indexes", async () => {
    for (const { index, left } of await missing(database, layouts)) {
      signal.throwIfAborted();
      if (left?.busy === true) continue;
      if (left !== undefined) await database.alone(raw(`DROP INDEX CONCURRENTLY IF EXISTS ${index.name}`), { signal });
      await database.alone(raw(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${index.name} ON ${index.on}`), { signal });
      tell(`made the index ${index.name}`);
    }
    // Without statistics of the new tables, the engine would not choose the right one.
    for (const { records } of layouts) await database.alone(raw(`ANALYZE ${records}`), { signal });
  });
  return done && (await missing(database, layouts)).length === 0;
}

/** The indexes that cannot be used, with what is left of each. */
async function missing(
  queries: Pick<Queries, "query">,
  layouts: readonly Layout[],
): Promise<{ readonly index: NamedIndex; readonly left: IndexRow | undefined }[]> {
  const rows = await queries.query<IndexRow>(
    sql`SELECT c.relname AS name, i.indisvalid AS valid, EXISTS (SELECT 1 FROM pg_stat_progress_create_index p WHERE p.index_relid = c.oid) AS busy
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace s ON s.oid = c.relnamespace WHERE s.nspname = current_schema()`,
  );
  const known = new Map(rows.map((row) => [named(row.name), row]));
  return layouts
    .flatMap(({ indexes }) => indexes)
    .map((index) => ({ index, left: known.get(index.name) }))
    .filter(({ left }) => left?.valid !== true);
}
