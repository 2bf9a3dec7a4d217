import { type AtOnce, atOnce, doAtOnce, eachAtOnce, type Work } from "../../../sql/index.ts";
import { type Connection, runIn, type Statements, sqliteDialect } from "../../../sqlite/index.ts";
import { storeWorks } from "../../works/index.ts";
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
    ...eachAtOnce(methods.repeatable, inTransaction),
    ...eachAtOnce(methods.once, inTransaction),
    ...atOnce(methods.reads, run),
  };
}
