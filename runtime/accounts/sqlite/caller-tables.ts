import { type CallerRow, callerOf, callerRow, type SecretRow, secretOf, secretRow } from "../caller-rows.ts";
import type { CallerKind, SecretOwner, StoredCaller, StoredSecret } from "../caller-store.ts";
import type { Change, Connection } from "./connection.ts";

/** What is read about callers. Each read looks up a few rows by an index, but for the lists, which are for commands. */
export function callerReads(db: Connection) {
  const callers = db.prepare<[CallerKind], CallerRow>("SELECT * FROM callers WHERE kind = ? ORDER BY created_at, id");
  const oneCaller = db.prepare<[string], CallerRow>("SELECT * FROM callers WHERE id = ?");
  const byHash = db.prepare<[string], SecretRow>("SELECT * FROM secrets WHERE hash = ?");
  const byId = db.prepare<[string], SecretRow>("SELECT * FROM secrets WHERE id = ?");
  const keyIds = db.prepare<{ now: number }, { key_id: string }>(
    `SELECT DISTINCT key_id FROM secrets s JOIN callers c ON c.id = s.caller
     WHERE c.revoked_at IS NULL AND coalesce(c.expires_at, @now + 1) > @now AND coalesce(s.expires_at, @now + 1) > @now
     ORDER BY key_id`,
  );
  const caller = (id: string): StoredCaller | undefined => {
    const row = oneCaller.get(id);
    return row === undefined ? undefined : callerOf(row);
  };
  const owner = (row: SecretRow | undefined): SecretOwner | undefined => {
    const found = row === undefined ? undefined : caller(row.caller);
    return row === undefined || found === undefined ? undefined : { caller: found, secret: secretOf(row) };
  };
  return {
    caller,
    callers: (kind: CallerKind) => callers.all(kind).map(callerOf),
    secretByHash: (hashes: readonly string[]) => {
      for (const hash of hashes) {
        const row = byHash.get(hash);
        if (row !== undefined) return owner(row);
      }
      return undefined;
    },
    secretById: (id: string) => owner(byId.get(id)),
    keyIds: (now: number) => keyIds.all({ now }).map((row) => row.key_id),
  };
}

/** What is changed about callers. */
export function callerWrites(change: Change) {
  return {
    addCaller: (caller: StoredCaller, secret: StoredSecret) =>
      change((db) => {
        db.prepare(
          `INSERT INTO callers (id, kind, name, "grant", created_at, expires_at, revoked_at, last_used_at)
           VALUES (@id, @kind, @name, @grant, @created_at, @expires_at, @revoked_at, @last_used_at)`,
        ).run(callerRow(caller));
        addSecret(db, secretRow(secret));
      }),
    replaceSecret: (secret: StoredSecret, others: number) =>
      change((db) => {
        db.prepare("UPDATE secrets SET expires_at = min(coalesce(expires_at, @others), @others) WHERE caller = @caller").run({
          others,
          caller: secret.caller,
        });
        addSecret(db, secretRow(secret));
      }),
    rehash: (id: string, hash: string, keyId: string) =>
      change((db) => void db.prepare("UPDATE secrets SET hash = ?, key_id = ? WHERE id = ?").run(hash, keyId, id)),
    revoke: (id: string, at: number) =>
      change((db) => db.prepare("UPDATE callers SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL").run(at, id).changes > 0),
    noteUse: (used: readonly (readonly [id: string, at: number])[]) =>
      change((db) => {
        const note = db.prepare("UPDATE callers SET last_used_at = @at WHERE id = @id AND coalesce(last_used_at, 0) < @at");
        for (const [id, at] of used) note.run({ id, at });
      }),
  };
}

function addSecret(db: Connection, row: SecretRow): void {
  db.prepare(
    `INSERT INTO secrets (id, caller, hash, key_id, created_at, expires_at)
     VALUES (@id, @caller, @hash, @key_id, @created_at, @expires_at)`,
  ).run(row);
}
