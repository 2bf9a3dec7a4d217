import { type Forgetting, mostInStep } from "../forgetting.ts";
import type { EntityWriter } from "./entity-writer.ts";
import type { Ledger, ShelfIds } from "./ledger.ts";

/**
 * Does one step of forgetting a scope in the caller's transaction. Before the first record goes, the states of the scope become those of a
 * scope that was never read, so that a sync reads all of it again when the steps are cut off.
 *
 * @param entities writers of all entities that have tables, by name
 */
export function forgetSome(
  ledger: Ledger,
  { inst, scope }: Pick<ShelfIds, "inst" | "scope">,
  entities: ReadonlyMap<string, EntityWriter>,
): Forgetting {
  ledger.restart({ inst, scope });
  let left = mostInStep;
  let removed = 0;
  for (const [entity, writer] of entities) {
    if (left === 0) break;
    const gone = writer.members.some(scope, left);
    left -= gone.length;
    let out = 0;
    let away = 0;
    for (const one of gone) {
      if (writer.leave(scope, one)) away++;
      if (!writer.members.inScope(scope, one.key)) out++;
    }
    writer.flush();
    ledger.count({ inst, scope, entity }, { scope: -out, all: -away });
    removed += away;
  }
  const done = left > 0;
  if (done) ledger.removeScope({ inst, scope });
  return { removed, done };
}
