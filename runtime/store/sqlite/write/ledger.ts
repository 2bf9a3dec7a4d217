import { type AtOnce, atOnce, doAtOnce, eachAtOnce, type Work } from "../../../sql/index.ts";
import { type Connection, runIn, type Statements, sqliteDialect } from "../../../sqlite/index.ts";
import type { Fenced, ScopeCollection, StoreInstance } from "../../store.ts";
import { storeWorks } from "../../works/index.ts";
import type { CollectionIds, ScopeIds } from "../../works/ledger.ts";
import { syncMethodsOf } from "../../works/sync-methods.ts";

const works = storeWorks(sqliteDialect);
const methods = syncMethodsOf(works);

/** The ledger in a file. Its functions run in the caller's transaction. */
export type Ledger = AtOnce<typeof works>;

export function openLedger(statements: Statements): Ledger {
  return atOnce(works, runIn(statements));
}

/**
 * The methods of a store that all engines share. Each that changes something does so in a transaction that may write from its beginning, so
 * that nothing that it has read changes meanwhile.
 */
export function syncMethodsIn(db: Connection, statements: Statements) {
  const run = runIn(statements);
  const inTransaction = (start: () => Work<unknown>) => db.transaction(() => doAtOnce(start(), run)).immediate();
  return {
    ...eachAtOnce(methods.changes, inTransaction),
    ...eachAtOnce(methods.single, inTransaction),
    ...atOnce(methods.reads, run),
  };
}

/**
 * The ids of an instance and a scope. Ids are given when they are first asked for.
 *
 * @throws TenonError `sync_running` when another owner has taken the lease
 */
export function collectionIds(ledger: Ledger, { scope, entity, fencingToken, ...instance }: ScopeCollection): CollectionIds {
  const inst = ledger.makeInstance(instance);
  ledger.holdLease(inst, scope, fencingToken);
  return { inst, scope: ledger.makeScope(inst, scope), entity };
}

/** The ids of a scope; undefined when nothing of it is stored. @throws as {@link collectionIds} */
export function scopeIds(ledger: Ledger, instance: StoreInstance & Fenced, name: string): ScopeIds | undefined {
  const inst = ledger.findInstance(instance);
  const scope = inst === undefined ? undefined : ledger.findScope(inst, name);
  if (inst === undefined || scope === undefined) return undefined;
  ledger.holdLease(inst, name, instance.fencingToken);
  return { inst, scope };
}
