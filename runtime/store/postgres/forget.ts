import { type Queries, raw, sql } from "../../postgres/index.ts";
import { type Forgetting, mostInStep } from "../forgetting.ts";
import { addCounts, removeScope, restartScope, type ScopeIds } from "./ledger.ts";
import { removeMembers, someMembers } from "./records.ts";
import type { Target } from "./target.ts";

/**
 * Does one step of forgetting a scope in the caller's transaction. Before the first record goes, the states of the scope become those of a
 * scope that was never read, so that a sync reads all of it again when the steps are cut off.
 *
 * @param targets all entities that have tables
 */
export async function forgetSome(queries: Queries, ids: ScopeIds, targets: readonly Target[]): Promise<Forgetting> {
  await restartScope(queries, ids);
  let left = mostInStep;
  let removed = 0;
  for (const target of targets) {
    if (left === 0) break;
    const gone = await someMembers(queries, target, left);
    left -= gone.length;
    const away = await removeMembers(queries, target, gone);
    const keys = [...new Set(gone.map(({ k }) => k))];
    const still = await queries.query(
      sql`SELECT DISTINCT k FROM ${raw(target.layout.members)} WHERE inst = ${ids.inst} AND scope = ${ids.scope} AND k = ANY (${keys}::text[])`,
    );
    await addCounts(queries, target, { scope: still.length - keys.length, all: -away.length });
    removed += away.length;
  }
  const done = left > 0;
  if (done) await removeScope(queries, ids);
  return { removed, done };
}
