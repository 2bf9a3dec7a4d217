import { postgresDialect, type Queries } from "../../../postgres/index.ts";
import { type Later, later } from "../../../sql/index.ts";
import { storeWorks } from "../../works/index.ts";

const works = storeWorks(postgresDialect);

/** The ledger in a database. */
export type Ledger = Later<typeof works>;

/** @param queries where its statements run: in the caller's transaction, or each in a transaction of its own */
export function ledgerOn(queries: Pick<Queries, "query" | "run">): Ledger {
  return later(works, queries);
}
