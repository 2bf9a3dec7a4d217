import type { Queries } from "../../../postgres/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { type Layout, named } from "../tables/layout.ts";

/** The setting of a transaction that says whose records the views show. */
const instanceSetting = "tenon.instance";
/** Once a session had the setting, it is empty where it is not set. */
const ofInstance = `inst = nullif(current_setting('${instanceSetting}', true), '')::integer`;

/** Columns that no statement reads. */
const unread = ["digest", "more"];

/**
 * Shows the records of one instance in the views, until the transaction ends. The search path is fixed to the schemas of the user's
 * tables, because `"$user"` in it would now mean a schema of the role.
 */
export async function showInstance(queries: Queries, inst: number): Promise<void> {
  const path = sql`(SELECT string_agg(quote_ident(one), ', ') FROM unnest(current_schemas(false)) AS one)`;
  await queries.run(sql`SELECT set_config(${instanceSetting}, ${String(inst)}, true), set_config('search_path', ${path}, true)`);
}

/** The views that a role for SQL reads in the place of the tables: without an instance, they have no rows. */
function viewsOf({ records, members, views, written }: Layout): string[] {
  const columns = ["inst", "k", ...written.flatMap(({ name }) => (unread.includes(name) ? [] : [name]))];
  return [
    `CREATE OR REPLACE VIEW ${views.records} AS SELECT ${columns.join(", ")} FROM ${records} WHERE ${ofInstance}`,
    `CREATE OR REPLACE VIEW ${views.memberships} AS SELECT m.inst, m.k, m.parent, s.name FROM ${members} m JOIN store_scopes s ON s.inst = m.inst AND s.id = m.scope WHERE m.${ofInstance}`,
  ];
}

/** Makes the views of some entities, and lets the role read them. @throws what the database says where its user may not */
export async function makeViews(queries: Queries, layouts: readonly Layout[], role: string): Promise<void> {
  // Two processes that make a view at the same time would fail.
  await queries.run(sql`SELECT pg_advisory_xact_lock(hashtext('tenon views for SQL'))`);
  for (const layout of layouts) {
    for (const view of viewsOf(layout)) await queries.run(raw(view));
    const { records, memberships } = layout.views;
    await queries.run(raw(`GRANT SELECT ON ${records}, ${memberships} TO ${named(role)}`));
  }
}
