import type { SqliteValue, Statements } from "../../../sqlite/index.ts";
import type { ChildStep, Parent } from "../../store.ts";
import type { ScopeIds } from "../../works/ledger.ts";
import { recordOf, wideFields } from "../rows/rows.ts";
import { columnName, type Layout, quoted } from "../tables/layout.ts";

type ParentRow = [key: string, marker: string | null, run: number | null, found: string, more: string, ...texts: SqliteValue[]];

/**
 * The records of a scope for each of which a sync reads others, in the order of their keys: those after a key, at most `limit`, each with
 * what is noted of it.
 */
export function parentsOf(
  statements: Statements,
  layout: Layout,
  { inst, scope }: ScopeIds,
  child: ChildStep,
  after: string | undefined,
  limit: number,
): Parent[] {
  const texts = wideFields(layout).map((name) => `, w.${quoted(columnName(name))}`);
  const rows = statements
    .get(
      `SELECT p.k, m.marker, m.run, w.found, w.more${texts.join("")}
       FROM (SELECT DISTINCT scope, k, id FROM ${layout.members} WHERE scope = ? AND k > ? ORDER BY k LIMIT ?) p
       CROSS JOIN ${layout.wide} w ON w.id = p.id
       LEFT JOIN store_markers m ON m.inst = ? AND m.scope = p.scope AND m.entity = ? AND m.step = ? AND m.parent = p.k ORDER BY p.k`,
    )
    .raw()
    .all(scope, after ?? "", limit, inst, child.entity, child.step) as ParentRow[];
  return rows.map(([key, marker, run, found, more, ...values]) => ({
    key,
    marker,
    run,
    record: recordOf(layout, found, values, more),
  }));
}
