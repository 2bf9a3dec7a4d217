import { isMassDelete, removalBase } from "../removal.ts";
import type { FinishOptions, Removal, SyncPosition } from "../store.ts";
import type { EntityWriter } from "./entity-writer.ts";
import type { Layout } from "./layout.ts";
import type { Ledger, ShelfIds } from "./ledger.ts";

/**
 * Ends a pass in the caller's transaction: removes what it has not seen, or notes why that is refused.
 *
 * @param parentTables the tables of the entities of the records' parents
 */
export function finishPass(
  ledger: Ledger,
  writer: EntityWriter,
  ids: ShelfIds,
  position: SyncPosition,
  { massDelete, asked, children = [], ...options }: FinishOptions,
  parentTables: readonly Layout[],
): Removal {
  ledger.fence(ids, position);
  const named = asked ? ledger.marked(ids, position) : 0;
  const of = removalBase(named, ledger.counted(ids));
  const gone = writer.members.unseen({ ...ids, ...position, asked }, parentTables);
  const leaving = writer.members.leaving(ids.scope, gone);
  if (isMassDelete(leaving.size, of) && !massDelete) {
    ledger.refuse(ids);
    return { removed: 0, refused: true, of };
  }
  let removed = 0;
  for (const one of gone) {
    if (writer.leave(ids.scope, one)) removed++;
    // If the record comes back unchanged, the list that contained it must be read again, and so must its own children.
    if (one.parent !== "") ledger.unmark(ids, one.parent, position.pass);
  }
  for (const key of leaving) for (const child of children) ledger.unmarkChildren(ids.scope, child, key);
  ledger.count(ids, { scope: -leaving.size, all: -removed });
  if (asked) ledger.unmarkAll(ids);
  ledger.complete(ids, position, options);
  return { removed: leaving.size, refused: false, of };
}
