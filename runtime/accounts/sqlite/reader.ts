import type { CallerKind, SecretOwner, StoredCaller } from "../account-store.ts";
import { type Connection, guarded, openForReading } from "./connection.ts";
import { type CallerRow, callerOf, type SecretRow, secretOf } from "./rows.ts";

/**
 * Reads from the file in the thread that answers requests: each read looks up a few rows by an index and takes microseconds, which is less
 * than asking another thread. Readers never wait for a writer.
 */
export class AccountReader {
  readonly #db: Connection;
  readonly #callers;
  readonly #caller;
  readonly #secretByHash;
  readonly #secretById;
  readonly #keyIds;

  /** @throws TenonError `accounts_unusable` */
  constructor(file: string) {
    const db = openForReading(file);
    this.#db = db;
    this.#callers = db.prepare<[CallerKind], CallerRow>("SELECT * FROM callers WHERE kind = ? ORDER BY created_at, id");
    this.#caller = db.prepare<[string], CallerRow>("SELECT * FROM callers WHERE id = ?");
    this.#secretByHash = db.prepare<[string], SecretRow>("SELECT * FROM secrets WHERE hash = ?");
    this.#secretById = db.prepare<[string], SecretRow>("SELECT * FROM secrets WHERE id = ?");
    this.#keyIds = db.prepare<{ now: number }, { key_id: string }>(
      `SELECT DISTINCT key_id FROM secrets s JOIN callers c ON c.id = s.caller
       WHERE c.revoked_at IS NULL AND coalesce(c.expires_at, @now + 1) > @now AND coalesce(s.expires_at, @now + 1) > @now
       ORDER BY key_id`,
    );
  }

  callers(kind: CallerKind): StoredCaller[] {
    return guarded(() => this.#callers.all(kind).map(callerOf));
  }

  caller(id: string): StoredCaller | undefined {
    const row = guarded(() => this.#caller.get(id));
    return row === undefined ? undefined : callerOf(row);
  }

  secretByHash(hashes: readonly string[]): SecretOwner | undefined {
    for (const hash of hashes) {
      const row = guarded(() => this.#secretByHash.get(hash));
      if (row !== undefined) return this.#owner(row);
    }
    return undefined;
  }

  secretById(id: string): SecretOwner | undefined {
    return this.#owner(guarded(() => this.#secretById.get(id)));
  }

  keyIds(now: number): string[] {
    return guarded(() => this.#keyIds.all({ now }).map((row) => row.key_id));
  }

  close(): void {
    this.#db.close();
  }

  #owner(row: SecretRow | undefined): SecretOwner | undefined {
    const caller = row === undefined ? undefined : this.caller(row.caller);
    return row === undefined || caller === undefined ? undefined : { caller, secret: secretOf(row) };
  }
}
