import type { Database } from "../../../postgres/index.ts";
import { migrate } from "../../../postgres/index.ts";
import { entityName, LayoutCatalogue, type Plans } from "../../catalogue.ts";
import type { Migration } from "../../migration.ts";
import { makeMissing, type PreparedEntity } from "../tables/indexes.ts";
import { layoutOf } from "../tables/layout.ts";
import { recordSchema } from "../tables/schema.ts";
import { Trigrams } from "../words/trigrams.ts";
import { checkCurrent, type PrepareOptions, prepareEntity, storedVersion } from "./entities.ts";
import { dropUnused, oldLayouts } from "./layout-drop.ts";
import { LayoutUse } from "./layout-use.ts";

export interface MigrateTablesOptions extends PrepareOptions {
  /** Connectors whose entities get tables before anything is stored. */
  readonly connectors: readonly string[];
  /** Drop the tables of other versions of the spec that no process uses. */
  readonly dropOld?: boolean;
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}

/** What was done to the tables of an entity; the tables of another version of its spec are `kept` as long as processes use them. */
export interface MigratedTables {
  readonly entity: string;
  readonly version: string;
  readonly done: Migration | "unchanged" | "kept" | "dropped";
  /** How many processes use tables that were kept. */
  readonly processes?: number;
}

/**
 * Brings all tables of the records to the specs, as a process does that opens the store, for a user of the database who may make tables.
 *
 * @throws TenonError `store_unusable` for layouts that are older than those of the database, unless `replaceNewer` is set;
 *   `database_unavailable`
 */
export async function migrateTables(
  database: Database,
  plans: Plans,
  { connectors, dropOld = false, ...options }: MigrateTablesOptions,
): Promise<MigratedTables[]> {
  const { signal, tell } = options;
  await migrate(database, recordSchema);
  await new Trigrams(database).prepare();
  const catalogue = new LayoutCatalogue(plans, layoutOf);
  const use = new LayoutUse({ database, catalogue, tell, prepare: async () => undefined, outdated: () => undefined });
  const ended = new AbortController();
  await use.begin();
  const keeping = use.keep(AbortSignal.any([signal, ended.signal]));
  try {
    const results: MigratedTables[] = [];
    const prepared: PreparedEntity[] = [];
    for (const entity of catalogue.entities) {
      if (!connectors.includes(entity.connector) && (await storedVersion(database, entity)) === undefined) continue;
      const layout = catalogue.layout(entity);
      const done = (await prepareEntity(database, entity, layout, options)) ?? "unchanged";
      // An older layout whose tables are still there can be searched, but is not what the caller wants.
      await checkCurrent(database, entity, layout);
      results.push({ entity: entityName(entity), version: layout.version, done });
      prepared.push({ entity, layout });
    }
    await makeMissing(database, prepared, signal, tell);
    if (!dropOld) return results;
    const dropped = await dropUnused(database, catalogue);
    const kept = await oldLayouts(database);
    return [
      ...results,
      ...dropped.map(({ entity, version }) => ({ entity, version, done: "dropped" as const })),
      ...kept.map(({ entity, version, users }) => ({ entity, version, done: "kept" as const, processes: users })),
    ];
  } finally {
    ended.abort();
    await keeping;
    await use.end();
  }
}
