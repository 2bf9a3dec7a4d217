import type { Dialect } from "../../sql/index.ts";
import { calendarOf } from "./calendar.ts";
import { changeLogOf } from "./change-log.ts";
import { copiedLedgerOf } from "./copied-ledger.ts";
import { ledgerOf } from "./ledger.ts";
import { removalOf } from "./sync-run-end.ts";

/** All units of work that the engines share. What an engine does in its own way is its layout, its plans, its operators and its words. */
export function storeWorks(dialect: Dialect) {
  const ledger = ledgerOf(dialect);
  const log = changeLogOf(dialect);
  return {
    ...ledger,
    ...log,
    ...calendarOf(dialect, log.removeLog),
    ...copiedLedgerOf(dialect, { ...ledger, ...log }),
    ...removalOf({ ...ledger, ...log }),
  };
}
