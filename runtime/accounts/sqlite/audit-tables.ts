import { type AuditRow, auditEntryOf, mostForgotten } from "../audit-rows.ts";
import type { AuditEntry, StoredAuditEntry } from "../audit-store.ts";
import type { Change, Connection } from "./connection.ts";

/** What is read about the audit log. */
export function auditReads(db: Connection) {
  const some = db.prepare<[number, number, number], AuditRow>(
    "SELECT * FROM audit WHERE number > ? AND at >= ? ORDER BY number LIMIT ?",
  );
  const last = db.prepare<[number], AuditRow>("SELECT * FROM audit ORDER BY number DESC LIMIT ?");
  return {
    audited: (after: number, since: number, limit: number): StoredAuditEntry[] => some.all(after, since, limit).map(auditEntryOf),
    lastAudited: (limit: number): StoredAuditEntry[] => last.all(limit).map(auditEntryOf),
  };
}

/** What is changed about the audit log. */
export function auditWrites(change: Change) {
  return {
    audit: (entries: readonly AuditEntry[]) =>
      change((db) => {
        const add = db.prepare(
          `INSERT INTO audit (at, caller, action, target, outcome, request_id, intent)
           VALUES (@at, @caller, @action, @target, @outcome, @requestId, @intent)`,
        );
        for (const entry of entries) add.run(entry);
      }),
    forgetAudit: (before: number) =>
      change((db) => {
        const old = "SELECT number FROM audit WHERE at < ? ORDER BY at LIMIT ?";
        const { changes } = db.prepare(`DELETE FROM audit WHERE number IN (${old})`).run(before, mostForgotten);
        return changes === mostForgotten;
      }),
  };
}
