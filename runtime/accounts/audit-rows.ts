import type { StoredAuditEntry } from "./audit-store.ts";

// How entries of the audit log stand in the tables of every store.

export interface AuditRow {
  readonly number: number;
  readonly at: number;
  readonly caller: string;
  readonly action: string;
  readonly target: string | null;
  readonly outcome: string;
  readonly request_id: string | null;
  readonly intent: string | null;
  readonly times: number;
}

export function auditEntryOf({ request_id, ...row }: AuditRow): StoredAuditEntry {
  return { ...row, requestId: request_id };
}

/** Entries that one transaction removes, so that it does not hold up other changes. */
export const mostForgotten = 2_000;
