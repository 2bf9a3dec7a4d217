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
  /** Names of fields with commas between them; null where they are not known. */
  readonly fields: string | null;
}

export function auditEntryOf({ request_id, fields, ...row }: AuditRow): StoredAuditEntry {
  return { ...row, requestId: request_id, ...(fields === null ? {} : { fields: fields === "" ? [] : fields.split(",") }) };
}

/** Entries that one transaction removes, so that it does not hold up other changes. */
export const mostForgotten = 2_000;
