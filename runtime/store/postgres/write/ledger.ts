import { type Database, postgresDialect, type Queries, type TransactionOptions } from "../../../postgres/index.ts";
import { doLater, eachLater, type Later, later, type Work } from "../../../sql/index.ts";
import { storeWorks } from "../../works/index.ts";
import { syncMethodsOf } from "../../works/sync-methods.ts";

const works = storeWorks(postgresDialect);
const methods = syncMethodsOf(works);

/** The ledger in a database. */
export type Ledger = Later<typeof works>;

/** @param queries where its statements run: in the caller's transaction, or each in a transaction of its own */
export function ledgerOn(queries: Pick<Queries, "query" | "run">): Ledger {
  return later(works, queries);
}

/** The methods of a store that all engines share. */
export function syncMethodsIn(database: Database) {
  const inTransaction = (options: TransactionOptions) => (start: () => Work<unknown>) =>
    database.transaction((queries) => doLater(start(), queries), options);
  return {
    ...eachLater(methods.repeatable, inTransaction({ repeatable: true })),
    ...eachLater(methods.once, inTransaction({})),
    ...later(methods.reads, database),
  };
}
