import type { Database } from "../../../runtime/postgres/index.ts";
import { sql } from "../../../runtime/sql/index.ts";
import { entityName, type Plans } from "../../../runtime/store/catalogue.ts";
import { layoutOf } from "../../../runtime/store/postgres/tables/layout.ts";

/**
 * Lets the tables of entities have all indexes from the beginning, as if searches had asked for them. The store must be open, and must have
 * saved nothing yet.
 */
export async function demandIndexes(database: Database, plans: Plans): Promise<void> {
  for (const [connector, entities] of Object.entries(plans))
    for (const [entity, plan] of Object.entries(entities)) {
      const names = layoutOf(connector, entity, plan).indexes.flatMap(({ demand }) => demand ?? []);
      await database.run(
        sql`INSERT INTO store_indexes (entity, name) SELECT ${entityName({ connector, entity })}, unnest(${names}::text[]) ON CONFLICT DO NOTHING`,
      );
    }
}
