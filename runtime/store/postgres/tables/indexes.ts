import { alone, type Database, type Queries } from "../../../postgres/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { type EntityId, entityName } from "../../catalogue.ts";
import { completeLayouts } from "./index-demand.ts";
import { type Layout, type NamedIndex, named } from "./layout.ts";

// The indexes of tables that have records already. One process makes them, while searches go on. Those of a table that was made anew are
// made with `CREATE INDEX CONCURRENTLY`, so that syncs go on too. Those that a first load has dropped are made in two transactions at once,
// which keep others from writing to the table: that takes a fraction of the time, because the engine makes only one index of a table
// concurrently, and reads the table twice for each. Whoever wants to write meanwhile tries again until they are there. A process with few
// connections makes them in one transaction, so that at most half of its connections are away from its callers.

/** An entity that has tables. */
export interface PreparedEntity {
  readonly entity: EntityId;
  readonly layout: Layout;
}

interface IndexRow {
  readonly name: string;
  readonly valid: boolean;
}

interface Missing {
  readonly index: NamedIndex;
  /** Whether there is an index of this name, whose making was cut off. */
  readonly left: boolean;
}

/** Bytes of memory for making one index, unless the server's `maintenance_work_mem` is more. */
const workMemory = 256 * 2 ** 20;

/**
 * Makes the indexes that are missing, and notes that the entities are no longer loading. One whose making was cut off is invalid: it is
 * dropped and made again.
 *
 * @param signal ends it, also in the middle of an index
 * @param tell is called with every entity whose indexes were made
 * @returns whether all of them are there; false while another process makes them
 */
export async function makeMissing(
  database: Database,
  entities: readonly PreparedEntity[],
  signal: AbortSignal,
  tell: (text: string) => void,
): Promise<boolean> {
  const wanted = await unfinished(database, await complete(database, entities));
  if (wanted.length === 0) return true;
  return alone(database, "indexes", async () => {
    for (const one of wanted) {
      signal.throwIfAborted();
      const lacking = await missing(database, one.layout);
      if (lacking.length > 0) {
        await make(database, one, lacking, signal);
        // Without statistics of the new tables, the engine would not choose the right one; and it counts from an index alone only where it
        // knows that all rows of a page can be seen.
        await database.alone(raw(`VACUUM (ANALYZE) ${one.layout.records}, ${one.layout.members}, ${one.layout.vocabulary}`), {
          signal,
        });
        tell(`made ${lacking.length} indexes of ${one.entity.entity}`);
      }
      await settle(database, one);
    }
  });
}

/** The entities with all indexes that their tables should have now. */
async function complete(database: Database, entities: readonly PreparedEntity[]): Promise<PreparedEntity[]> {
  const layouts = await completeLayouts(
    database,
    entities.map(({ layout }) => layout),
  );
  return entities.map((one, at) => ({ ...one, layout: layouts[at] ?? one.layout }));
}

/** The entities that lack indexes, or are noted as if they did. */
async function unfinished(database: Database, entities: readonly PreparedEntity[]): Promise<PreparedEntity[]> {
  const names = entities.map(({ entity }) => entityName(entity));
  const rows = await database.query<{ name: string }>(
    sql`SELECT name FROM store_entities WHERE loading AND name = ANY (${names}::text[])`,
  );
  const loading = new Set(rows.map(({ name }) => name));
  const found: PreparedEntity[] = [];
  for (const one of entities)
    if (loading.has(entityName(one.entity)) || (await missing(database, one.layout)).length > 0) found.push(one);
  return found;
}

async function make(database: Database, one: PreparedEntity, lacking: readonly Missing[], signal: AbortSignal): Promise<void> {
  for (const { index, left } of lacking)
    if (left) await database.alone(raw(`DROP INDEX CONCURRENTLY IF EXISTS ${index.name}`), { signal });
  if (await isFirstLoad(database, one)) return makeTogether(database, one, lacking, signal);
  for (const { index } of lacking)
    await database.alone(raw(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${index.name} ON ${index.on}`), { signal });
}

/** Whether a sync has dropped the indexes because it reads most of the records for the first time. */
async function isFirstLoad(database: Database, { entity }: PreparedEntity): Promise<boolean> {
  const rows = await database.query(
    sql`SELECT 1 FROM store_entities WHERE name = ${entityName(entity)} AND loading AND loader_inst IS NOT NULL`,
  );
  return rows.length > 0;
}

/** Makes indexes of one table in one or two transactions at once, with more memory. Nobody writes to the table meanwhile. */
async function makeTogether(
  database: Database,
  { layout: { records } }: PreparedEntity,
  lacking: readonly Missing[],
  signal: AbortSignal,
): Promise<void> {
  const two = database.connections >= 4;
  const lanes = Map.groupBy(lacking, ({ index: { parts } }) => two && parts === undefined);
  const made = [...lanes.values()].map((lane) =>
    database.transaction(
      async (queries) => {
        await queries.run(raw(`LOCK TABLE ${records} IN SHARE MODE`));
        await queries.query(
          sql`SELECT set_config('maintenance_work_mem', greatest(pg_size_bytes(current_setting('maintenance_work_mem')), ${workMemory}::bigint) / 1024 || 'kB', TRUE)`,
        );
        for (const { index } of lane) await queries.run(raw(`CREATE INDEX IF NOT EXISTS ${index.name} ON ${index.on}`));
      },
      { deadline: Number.POSITIVE_INFINITY, signal },
    ),
  );
  // When one transaction fails, the other one is awaited all the same.
  const failed = (await Promise.allSettled(made)).find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

/** Notes that an entity is no longer loading, unless somebody has dropped its indexes meanwhile. */
function settle(database: Database, { entity, layout }: PreparedEntity): Promise<void> {
  return database.transaction(async (queries) => {
    const of = sql`name = ${entityName(entity)} AND version = ${layout.version} AND loading`;
    const rows = await queries.query(sql`SELECT 1 FROM store_entities WHERE ${of} FOR UPDATE`);
    if (rows.length > 0 && (await missing(queries, layout)).length === 0)
      await queries.run(sql`UPDATE store_entities SET loading = FALSE, loader_inst = NULL, loader_scope = NULL WHERE ${of}`);
  });
}

/** The indexes of an entity that cannot be used. */
async function missing(queries: Pick<Queries, "query">, { indexes }: Layout): Promise<Missing[]> {
  const names = indexes.map(({ name }) => name.slice(1, -1).replaceAll('""', '"'));
  const rows = await queries.query<IndexRow>(
    sql`SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE pg_table_is_visible(c.oid) AND c.relname = ANY (${names}::text[])`,
  );
  const valid = new Map(rows.map((row) => [named(row.name), row.valid]));
  return indexes
    .filter(({ name }) => valid.get(name) !== true)
    .map((index) => ({ index, left: valid.get(index.name) === false }));
}
