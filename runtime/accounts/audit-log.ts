import type { AuditEntry, AuditStore } from "./audit-store.ts";

/** Milliseconds that an entry waits at most for others to be stored with it. */
const period = 500;
/** Entries that wait to be stored. Beyond that the oldest are lost, which is reported to the operator. */
const mostWaiting = 20_000;
/** Entries that are stored, and that are lost, at once. */
const mostAtOnce = 1_000;
/** Milliseconds until the next try after one failed, and at most, because the pause doubles each time. */
const firstPause = 500;
const longestPause = 30_000;
/** Milliseconds between two removals of old entries. */
const tidying = 3_600_000;

export interface AuditOptions {
  readonly store: AuditStore;
  /** Milliseconds after which an entry is removed. */
  readonly age: number;
  /** Whether reads that succeeded are noted too. Default: true. */
  readonly reads?: boolean;
  /** Takes what the operator should know. */
  readonly tell: (problem: string) => void;
}

/** Writes the audit log. Entries are stored together, so that a request costs next to nothing. While they cannot be stored, they wait. */
export class AuditLog {
  readonly #options: AuditOptions;
  readonly #waiting: AuditEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Ends with what is being stored: one batch after the other, so that entries keep their order. */
  #saving: Promise<void> = Promise.resolve();
  /** Milliseconds until the next try; 0 while entries can be stored. */
  #pause = 0;
  #tidied = 0;
  /** Ends with the removal of old entries that is under way. */
  #forgetting: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  /** Whether reads that succeeded are to be noted. */
  get reads(): boolean {
    return this.#options.reads ?? true;
  }

  /** Notes something that may be lost when the process is killed within half a second. */
  add(entry: AuditEntry): void {
    this.#wait(entry);
    this.#plan(period);
  }

  /** Notes something, and resolves when it is stored. If it cannot be stored now, it waits, and this resolves too. */
  async keep(entry: AuditEntry): Promise<void> {
    this.#wait(entry);
    await this.#save();
  }

  /**
   * Notes something before it is done.
   *
   * @throws TenonError when the entry cannot be stored: then it must not be done
   */
  async begin(entry: AuditEntry): Promise<void> {
    // What was noted earlier comes first.
    await this.#save();
    await this.#options.store.audit([entry]);
  }

  /** Stores what is not stored yet. The store can be closed then. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#save();
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#lose(this.#waiting.length);
    await this.#forgetting;
  }

  #wait(entry: AuditEntry): void {
    if (this.#waiting.length >= mostWaiting) this.#lose(mostAtOnce);
    this.#waiting.push(entry);
  }

  #lose(count: number): void {
    this.#waiting.splice(0, count);
    this.#options.tell(`${count} entries of the audit log were lost: they could not be stored`);
  }

  #plan(ms: number): void {
    this.#timer ??= setTimeout(() => void this.#save(), Math.max(ms, this.#pause)).unref();
  }

  #save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving.then(() => this.#saveNow());
    return this.#saving;
  }

  async #saveNow(): Promise<void> {
    const { store, age, tell } = this.#options;
    if (this.#waiting.length === 0) return;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, mostAtOnce);
      try {
        await store.audit(batch);
      } catch (thrown) {
        this.#waiting.unshift(...batch);
        if (this.#pause === 0) tell(`entries of the audit log wait, because they cannot be stored: ${reasonOf(thrown)}`);
        this.#pause = Math.min(longestPause, this.#pause === 0 ? firstPause : this.#pause * 2);
        if (!this.#closed) this.#plan(this.#pause);
        return;
      }
    }
    this.#pause = 0;
    const now = Date.now();
    if (this.#closed || now - this.#tidied < tidying) return;
    this.#tidied = now;
    this.#forgetting = this.#forget(now - age);
  }

  async #forget(before: number): Promise<void> {
    try {
      while ((await this.#options.store.forgetAudit(before)) && !this.#closed);
    } catch (thrown) {
      this.#options.tell(`old entries of the audit log could not be removed: ${reasonOf(thrown)}`);
    }
  }
}

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : "unknown";
}
