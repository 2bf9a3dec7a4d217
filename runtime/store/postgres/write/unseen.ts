import type { Queries } from "../../../postgres/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import type { Checkpoint } from "../../checkpoint.ts";
import type { GoneMembership } from "../../works/sync-runs.ts";
import type { Layout } from "../tables/layout.ts";
import type { WriteTarget } from "../tables/target.ts";

/**
 * The memberships that a sync run did not see although it read the lists that should contain them, and those whose parent is no longer in
 * the scope. In a tree, a branch goes with its root.
 *
 * @param byKey whether the sync run has requested records by what names them. Each of these has a marker, as if it were its own parent
 * @param parents layouts of the entities whose records are the parents
 */
export function unseenMembers(
  queries: Queries,
  { layout, inst, scope, entity }: WriteTarget,
  { run, full }: Checkpoint,
  byKey: boolean,
  parents: readonly Layout[],
): Promise<GoneMembership[]> {
  const members = raw(layout.members);
  const markers = sql`SELECT parent FROM store_markers WHERE inst = ${inst} AND scope = ${scope} AND entity = ${entity} AND run = ${run}`;
  // What a full sync run has not seen is not gone where the platform forbids to look.
  const looked = full
    ? sql`m.parent NOT IN (${markers} AND hidden)`
    : sql`${raw(byKey ? "m.k" : "m.parent")} IN (${markers} AND NOT hidden)`;
  const of = sql`m.inst = ${inst} AND m.scope = ${scope}`;
  const unseen = sql`SELECT m.k AS key, m.parent FROM ${members} m WHERE ${of} AND m.run <> ${run} AND ${looked}`;
  if (parents.length === 0) return queries.query<GoneMembership>(unseen);
  const has = ({ members: table }: Layout): Sql =>
    sql`EXISTS (SELECT 1 FROM ${raw(table)} p WHERE p.inst = m.inst AND p.inst = ${inst} AND p.scope = m.scope AND p.k = m.parent)`;
  const alone = sql`SELECT m.k AS key, m.parent FROM ${members} m WHERE ${of} AND m.parent <> '' AND NOT (${join(parents.map(has), " OR ")})`;
  if (!parents.includes(layout)) return queries.query<GoneMembership>(sql`${unseen} UNION ${alone}`);
  return queries.query<GoneMembership>(
    sql`WITH RECURSIVE gone AS (SELECT * FROM (${unseen} UNION ${alone}) AS roots (key, parent)
        UNION SELECT m.k, m.parent FROM ${members} m JOIN gone ON gone.key = m.parent WHERE ${of} AND m.parent <> '')
      SELECT key, parent FROM gone`,
  );
}
