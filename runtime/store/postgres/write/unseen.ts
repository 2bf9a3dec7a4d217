import type { Queries } from "../../../postgres/index.ts";
import { join, raw, type Sql, sql } from "../../../sql/index.ts";
import type { SyncPosition } from "../../position.ts";
import type { GonePlace } from "../../works/pass-end.ts";
import type { Layout } from "../tables/layout.ts";
import type { Target } from "../tables/target.ts";

/**
 * The memberships that a pass did not see although it read the lists that should contain them, and those whose parent is no longer in
 * the scope. In a tree, a branch goes with its root.
 *
 * @param asked whether the pass has asked for records by what names them. Each of these has a mark, as if it were its own parent
 * @param parents layouts of the entities whose records are the parents
 */
export function unseenMembers(
  queries: Queries,
  { layout, inst, scope, entity }: Target,
  { pass, full }: SyncPosition,
  asked: boolean,
  parents: readonly Layout[],
): Promise<GonePlace[]> {
  const members = raw(layout.members);
  const marks = sql`SELECT parent FROM store_marks WHERE inst = ${inst} AND scope = ${scope} AND entity = ${entity} AND pass = ${pass}`;
  // What a full pass has not seen is not gone where the platform forbids to look.
  const looked = full
    ? sql`m.parent NOT IN (${marks} AND hidden)`
    : sql`${raw(asked ? "m.k" : "m.parent")} IN (${marks} AND NOT hidden)`;
  const of = sql`m.inst = ${inst} AND m.scope = ${scope}`;
  const unseen = sql`SELECT m.k AS key, m.parent FROM ${members} m WHERE ${of} AND m.pass <> ${pass} AND ${looked}`;
  if (parents.length === 0) return queries.query<GonePlace>(unseen);
  const has = ({ members: table }: Layout): Sql =>
    sql`EXISTS (SELECT 1 FROM ${raw(table)} p WHERE p.inst = m.inst AND p.inst = ${inst} AND p.scope = m.scope AND p.k = m.parent)`;
  const alone = sql`SELECT m.k AS key, m.parent FROM ${members} m WHERE ${of} AND m.parent <> '' AND NOT (${join(parents.map(has), " OR ")})`;
  if (!parents.includes(layout)) return queries.query<GonePlace>(sql`${unseen} UNION ${alone}`);
  return queries.query<GonePlace>(
    sql`WITH RECURSIVE gone AS (SELECT * FROM (${unseen} UNION ${alone}) AS roots (key, parent)
        UNION SELECT m.k, m.parent FROM ${members} m JOIN gone ON gone.key = m.parent WHERE ${of} AND m.parent <> '')
      SELECT key, parent FROM gone`,
  );
}
