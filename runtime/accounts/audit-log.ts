import type { AuditEntry, AuditStore } from "./audit-store.ts";

/** Milliseconds that an entry waits at most for others to be stored with it. */
const period = 500;
/** Entries that wait to be stored. Beyond that the oldest are lost, which the operator is told. */
const mostWaiting = 20_000;
/** Milliseconds between two removals of old entries. */
const tidying = 3_600_000;

export interface AuditOptions {
  readonly store: AuditStore;
  /** Milliseconds after which an entry is removed. */
  readonly age: number;
  /** Takes what the operator should know. */
  readonly tell: (problem: string) => void;
}

/** Writes the audit log. Entries are stored together, so that a request costs next to nothing. */
export class AuditLog {
  readonly #options: AuditOptions;
  #waiting: AuditEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #tidied = 0;
  /** Ends with the removal of old entries that is under way. */
  #forgetting: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  /** Notes something that may be lost when the process is killed within half a second. */
  add(entry: AuditEntry): void {
    if (this.#waiting.length >= mostWaiting) {
      this.#waiting = [];
      this.#options.tell(`${mostWaiting} entries of the audit log were lost: they cannot be stored as fast as they come`);
    }
    this.#waiting.push(entry);
    this.#timer ??= setTimeout(() => void this.#save(), period).unref();
  }

  /** Notes something, and resolves when it is stored. A failure to store it is told to the operator, and to nobody else. */
  async keep(entry: AuditEntry): Promise<void> {
    this.#waiting.push(entry);
    await this.#save();
  }

  /** Stores what is not stored yet. The store can be closed then. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#save();
    await this.#forgetting;
  }

  async #save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#waiting;
    this.#waiting = [];
    if (entries.length === 0) return;
    const { store, age, tell } = this.#options;
    try {
      await store.audit(entries);
      const now = Date.now();
      if (this.#closed || now - this.#tidied < tidying) return;
      this.#tidied = now;
      this.#forgetting = this.#forget(now - age);
    } catch (thrown) {
      tell(`${entries.length} entries of the audit log were lost: ${thrown instanceof Error ? thrown.message : "unknown"}`);
    }
  }

  async #forget(before: number): Promise<void> {
    try {
      while ((await this.#options.store.forgetAudit(before)) && !this.#closed);
    } catch (thrown) {
      this.#options.tell(
        `old entries of the audit log could not be removed: ${thrown instanceof Error ? thrown.message : "unknown"}`,
      );
    }
  }
}
