import { changesOf, type Dialect, rowsOf, sql, type Work } from "../../sql/index.ts";
import { type AuditRow, auditEntryOf, mostForgotten } from "../audit-rows.ts";
import type { AuditEntry, AuditPosition, StoredAuditEntry } from "../audit-store.ts";

/** The place after the last entry. */
const end: AuditPosition = { at: Number.MAX_SAFE_INTEGER, number: 0 };

/** What is read about the audit log. */
export const auditReads = {
  *audited(after: number, since: number, limit: number): Work<StoredAuditEntry[]> {
    const find = sql`SELECT * FROM account_audit WHERE number > ${after} AND at >= ${since} ORDER BY number LIMIT ${limit}`;
    return (yield* rowsOf<AuditRow>(find)).map(auditEntryOf);
  },

  *lastAudited(limit: number, { at, number }: AuditPosition = end): Work<StoredAuditEntry[]> {
    // The index of the times finds the place, however long the log is.
    const find = sql`SELECT * FROM account_audit WHERE at <= ${at} AND (at < ${at} OR number < ${number})
      ORDER BY at DESC, number DESC LIMIT ${limit}`;
    return (yield* rowsOf<AuditRow>(find)).map(auditEntryOf);
  },
};

/** What is changed about the audit log. */
export function auditChanges({ inTurn, table }: Dialect) {
  return {
    *audit(entries: readonly AuditEntry[]): Work<void> {
      // Numbers are given before the commit. So that nobody who reads the log from a number on misses an entry that is committed later,
      // one process at a time adds entries.
      yield* rowsOf(inTurn("account_audit"));
      const text = (name: "caller" | "action" | "target" | "outcome" | "requestId" | "intent") =>
        ({ type: "text", values: entries.map((entry) => entry[name]) }) as const;
      const rows = table("entry", {
        place: { type: "bigint", values: entries.map((_, place) => place) },
        at: { type: "bigint", values: entries.map(({ at }) => at) },
        caller: text("caller"),
        action: text("action"),
        target: text("target"),
        outcome: text("outcome"),
        request_id: text("requestId"),
        intent: text("intent"),
        times: { type: "bigint", values: entries.map(({ times }) => times) },
        fields: { type: "text", values: entries.map(({ fields }) => fields?.join(",") ?? null) },
      });
      yield* changesOf(
        sql`INSERT INTO account_audit (at, caller, action, target, outcome, request_id, intent, times, fields)
          SELECT at, caller, action, target, outcome, request_id, intent, times, fields FROM ${rows} ORDER BY place`,
      );
    },

    *forgetAudit(before: number): Work<boolean> {
      const old = sql`SELECT number FROM account_audit WHERE at < ${before} ORDER BY at LIMIT ${mostForgotten}`;
      return (yield* changesOf(sql`DELETE FROM account_audit WHERE number IN (${old})`)) === mostForgotten;
    },
  };
}
