// Decision 20 in runtime/site/text/decisions-service.md says why: the audit log has names and ids, but no values.

/** Who did what, and when. It holds names and ids only, never a value of a request. */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Id of the caller, or who else did it. */
  readonly caller: string;
  /** What was done, such as `issues.create`, `sync.start` or `key.revoke`. */
  readonly action: string;
  /** What it was done to: the id of a connector, a key or a client. */
  readonly target: string | null;
  /**
   * `done`, or the code of the error; `begun` where a write is about to be sent to the platform, which has another entry when it has ended.
   */
  readonly outcome: string;
  readonly requestId: string | null;
  /** Why it was done, in the words of the caller. */
  readonly intent: string | null;
  /** Of a write: names of the fields that it sets. */
  readonly fields?: readonly string[];
  /** How often it happened: events that repeat in large numbers have one entry for each minute. */
  readonly times: number;
}

/** An entry with its number: later entries have greater numbers. */
export interface StoredAuditEntry extends AuditEntry {
  readonly number: number;
}

/** A position between two entries: an entry is before it that is older, or as old and of a smaller number. */
export type AuditPosition = Pick<StoredAuditEntry, "at" | "number">;

/** Stores the audit log. */
export interface AuditStore {
  /** Adds entries, in their order. */
  audit(entries: readonly AuditEntry[]): Promise<void>;
  /** Entries after a number that are not older than `since`, the earliest first, at most so many. */
  audited(after: number, since: number, limit: number): Promise<StoredAuditEntry[]>;
  /** The latest entries before a position, or of all, the latest first, at most so many. */
  lastAudited(limit: number, before?: AuditPosition): Promise<StoredAuditEntry[]>;
  /** Removes some of the entries that are older than `before`. @returns whether there may be more of them */
  forgetAudit(before: number): Promise<boolean>;
}
