import type { StoredCaller, StoredSecret } from "../account-store.ts";
import { type Connection, guarded, openForWriting } from "./connection.ts";
import { callerRow, type SecretRow, secretRow } from "./rows.ts";

/** Changes the file. It runs in a thread of its own, because a commit waits for the disk and for other processes that write. */
export class AccountWriter {
  readonly #db: Connection;

  /** @throws TenonError `accounts_unusable` */
  constructor(file: string) {
    this.#db = openForWriting(file);
  }

  addCaller(caller: StoredCaller, secret: StoredSecret): void {
    this.#change((db) => {
      db.prepare(
        `INSERT INTO callers (id, kind, name, "grant", created_at, expires_at, revoked_at, last_used_at)
         VALUES (@id, @kind, @name, @grant, @created_at, @expires_at, @revoked_at, @last_used_at)`,
      ).run(callerRow(caller));
      addSecret(db, secretRow(secret));
    });
  }

  replaceSecret(secret: StoredSecret, others: number): void {
    this.#change((db) => {
      db.prepare("UPDATE secrets SET expires_at = min(coalesce(expires_at, @others), @others) WHERE caller = @caller").run({
        others,
        caller: secret.caller,
      });
      addSecret(db, secretRow(secret));
    });
  }

  rehash(id: string, hash: string, keyId: string): void {
    this.#change((db) => db.prepare("UPDATE secrets SET hash = ?, key_id = ? WHERE id = ?").run(hash, keyId, id));
  }

  revoke(id: string, at: number): boolean {
    return this.#change(
      (db) => db.prepare("UPDATE callers SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL").run(at, id).changes > 0,
    );
  }

  noteUse(used: readonly (readonly [id: string, at: number])[]): void {
    this.#change((db) => {
      const note = db.prepare("UPDATE callers SET last_used_at = @at WHERE id = @id AND coalesce(last_used_at, 0) < @at");
      for (const [id, at] of used) note.run({ id, at });
    });
  }

  close(): void {
    this.#db.close();
  }

  /** Makes all changes in one transaction, which takes the right to write at its beginning. */
  #change<Result>(work: (db: Connection) => Result): Result {
    return guarded(() => this.#db.transaction(() => work(this.#db)).immediate());
  }
}

function addSecret(db: Connection, row: SecretRow): void {
  db.prepare(
    `INSERT INTO secrets (id, caller, hash, key_id, created_at, expires_at)
     VALUES (@id, @caller, @hash, @key_id, @created_at, @expires_at)`,
  ).run(row);
}
