import type { Dialect } from "../../sql/index.ts";
import { calendarOf } from "./calendar.ts";
import { changeLogOf } from "./change-log.ts";
import { copiedLedgerOf } from "./copied-ledger.ts";
import { ledgerOf } from "./ledger.ts";
import { syncRunsOf } from "./sync-runs.ts";

/**
 * All units of work that the engines share. What an engine does in its own way is its layout, its plans, its operators and its words.
 *
 * Their SQL is what SQLite and PostgreSQL have in common. An engine needs the tables that they name (`store_instances`, `store_scopes`,
 * `store_counts`, `store_states`, `store_markers`, `store_schedules`, `store_leases`, `store_change_heads`, `store_change_blocks`),
 * `INSERT … AS … ON CONFLICT … DO UPDATE`, `RETURNING`, `IS NOT DISTINCT FROM`, names in double quotes, and an UPDATE that computes all
 * new values from the old ones. An engine with another SQL, such as MySQL, would need more members of `Dialect`.
 */
export function storeWorks(dialect: Dialect) {
  const ledger = ledgerOf(dialect);
  const log = changeLogOf(dialect);
  return {
    ...ledger,
    ...log,
    ...calendarOf(dialect, log.removeLog),
    ...copiedLedgerOf(dialect, { ...ledger, ...log }),
    ...syncRunsOf({ ...ledger, ...log }),
  };
}
