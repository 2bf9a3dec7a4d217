import type { Database, Queries } from "../../../postgres/index.ts";
import { serverTime } from "../../../postgres/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { type EntityId, entityName, type LayoutCatalogue } from "../../catalogue.ts";
import { dropOtherFields } from "../rows/semantic-texts.ts";
import { type Layout, tablesMadeAnew, viewMadeAnew } from "../tables/layout.ts";
import { currentLayout, type LayoutState } from "../tables/layout-rows.ts";
import { shortly } from "./layout-copy.ts";

/** A layout that is not the current one and has tables. */
export interface OldLayout {
  readonly entity: string;
  readonly id: number;
  readonly version: string;
  /** How many processes use it. */
  readonly users: number;
}

/**
 * Milliseconds for which tables that are newer than the current ones are kept when the process that filled them has ended, because the
 * next one goes on with them.
 */
const resumeTime = 3_600_000;

/** The layouts that have tables beside the current ones. */
export function oldLayouts(database: Pick<Queries, "query">): Promise<OldLayout[]> {
  return database.query<OldLayout>(
    sql`SELECT l.entity, l.id, l.version, (SELECT count(*) FROM store_users u
        WHERE l.id = ANY (u.layouts) AND u.until > ${serverTime} - CASE WHEN coalesce(l.place, l.id) > coalesce(c.place, c.id) THEN ${resumeTime}::bigint ELSE 0 END) AS users
      FROM store_layouts l JOIN store_entities e ON e.name = l.entity JOIN store_layouts c ON c.id = e.layout
      WHERE l.id <> e.layout AND l.state <> 'none' ORDER BY l.entity, l.id`,
  );
}

/**
 * Drops layouts that no process uses.
 *
 * @returns those that were dropped
 * @throws TenonError `database_unavailable` where the user of the database may not drop tables; changes are then no longer copied to them
 */
export async function dropUnused(database: Database, catalogue: LayoutCatalogue<Layout>): Promise<OldLayout[]> {
  const dropped: OldLayout[] = [];
  for (const old of await oldLayouts(database)) {
    const entity = catalogue.entities.find((one) => entityName(one) === old.entity);
    if (entity === undefined || old.users > 0) continue;
    // Nobody notes changes for it from here on, also where its tables cannot be dropped.
    if (!(await shortly(database, (queries) => leave(queries, entity, old)))) continue;
    await shortly(database, async (queries) => {
      await queries.run(raw(`DROP VIEW IF EXISTS ${viewMadeAnew(old.entity, old.version)}`));
      for (const table of Object.values(tablesMadeAnew(old.entity, old.version)))
        await queries.run(raw(`DROP TABLE IF EXISTS ${table}`));
      await queries.run(sql`UPDATE store_layouts SET state = 'none' WHERE id = ${old.id} AND state = 'left'`);
    });
    dropped.push(old);
  }
  return dropped;
}

/** @returns whether nobody uses the layout any longer */
async function leave(queries: Queries, entity: EntityId, { id, entity: name }: OldLayout): Promise<boolean> {
  const [row] = await queries.query<{ state: LayoutState }>(sql`SELECT state FROM store_layouts WHERE id = ${id} FOR UPDATE`);
  if (row === undefined || row.state === "none") return false;
  if (row.state === "left") return true;
  const current = await currentLayout(queries, entity, "FOR UPDATE");
  // A process that began to use it meanwhile has noted that before it looked at the row that is locked here.
  const users = await queries.query(sql`SELECT 1 FROM store_users WHERE until > ${serverTime} AND ${id} = ANY (layouts)`);
  if (users.length > 0 || current === undefined || current.id === id) return false;
  await queries.run(sql`UPDATE store_layouts SET state = 'left' WHERE id = ${id}`);
  await queries.run(sql`DELETE FROM store_changes WHERE layout = ${id}`);
  const living = await queries.query<{ semantic: string }>(
    sql`SELECT semantic FROM store_layouts WHERE entity = ${name} AND state IN ('filling', 'filled')`,
  );
  await dropOtherFields(
    queries,
    entity,
    living.flatMap(({ semantic }) => JSON.parse(semantic) as string[]),
  );
  return true;
}
