import { changesOf, type Dialect, raw, rowOf, rowsOf, type Sql, sql, type Work } from "../../sql/index.ts";
import { type CallerRow, callerOf, callerRow, type SecretRow, secretOf, secretRow } from "../caller-rows.ts";
import type { CallerKind, SecretOwner, StoredCaller, StoredSecret } from "../caller-store.ts";

const callerColumns = ["id", "kind", "name", "grant", "created_at", "expires_at", "revoked_at", "last_used_at"] as const;

/** A secret with its caller in one row: the columns of the caller have `caller_` in front. */
type OwnerRow = SecretRow & { readonly [Name in keyof CallerRow as `caller_${Name}`]: CallerRow[Name] };

const owners = raw(
  `SELECT s.*, ${callerColumns.map((name) => `c."${name}" AS caller_${name}`).join(", ")}
    FROM account_secrets s JOIN account_callers c ON c.id = s.caller`,
);

function* owner(condition: Sql): Work<SecretOwner | undefined> {
  const row = yield* rowOf<OwnerRow>(sql`${owners} WHERE ${condition} LIMIT 1`);
  if (row === undefined) return undefined;
  const caller = callerOf({
    id: row.caller_id,
    kind: row.caller_kind,
    name: row.caller_name,
    grant: row.caller_grant,
    created_at: row.caller_created_at,
    expires_at: row.caller_expires_at,
    revoked_at: row.caller_revoked_at,
    last_used_at: row.caller_last_used_at,
  });
  return { caller, secret: secretOf(row) };
}

/** What is read about callers. Each read looks up a few rows by an index, but for the lists, which are for commands. */
export function callerReads({ oneOf }: Dialect) {
  return {
    *callers(kind: CallerKind): Work<StoredCaller[]> {
      const rows = yield* rowsOf<CallerRow>(sql`SELECT * FROM account_callers WHERE kind = ${kind} ORDER BY created_at, id`);
      return rows.map(callerOf);
    },

    *caller(id: string): Work<StoredCaller | undefined> {
      const row = yield* rowOf<CallerRow>(sql`SELECT * FROM account_callers WHERE id = ${id}`);
      return row && callerOf(row);
    },

    *secretByHash(hashes: readonly string[]): Work<SecretOwner | undefined> {
      return yield* owner(oneOf("s.hash", hashes));
    },

    *secretById(id: string): Work<SecretOwner | undefined> {
      return yield* owner(sql`s.id = ${id}`);
    },

    *liveSecrets(now: number): Work<StoredSecret[]> {
      const rows = yield* rowsOf<SecretRow>(
        sql`SELECT s.* FROM account_secrets s JOIN account_callers c ON c.id = s.caller
          WHERE c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > ${now})
            AND (s.expires_at IS NULL OR s.expires_at > ${now}) ORDER BY s.created_at, s.id`,
      );
      return rows.map(secretOf);
    },
  };
}

function* addSecret(row: SecretRow): Work<void> {
  yield* changesOf(
    sql`INSERT INTO account_secrets (id, caller, hash, key_id, created_at, expires_at)
      VALUES (${row.id}, ${row.caller}, ${row.hash}, ${row.key_id}, ${row.created_at}, ${row.expires_at})`,
  );
}

/** What is changed about callers. */
export function callerChanges({ table }: Dialect) {
  return {
    *addCaller(caller: StoredCaller, secret: StoredSecret): Work<void> {
      const row = callerRow(caller);
      yield* changesOf(
        sql`INSERT INTO account_callers (id, kind, name, "grant", created_at, expires_at, revoked_at, last_used_at)
          VALUES (${row.id}, ${row.kind}, ${row.name}, ${row.grant}, ${row.created_at}, ${row.expires_at}, ${row.revoked_at},
            ${row.last_used_at})`,
      );
      yield* addSecret(secretRow(secret));
    },

    *replaceSecret(secret: StoredSecret, others: number): Work<void> {
      yield* changesOf(
        sql`UPDATE account_secrets SET expires_at = ${others}
          WHERE caller = ${secret.caller} AND (expires_at IS NULL OR expires_at > ${others})`,
      );
      yield* addSecret(secretRow(secret));
    },

    *rehash(id: string, hash: string, keyId: string): Work<void> {
      yield* changesOf(sql`UPDATE account_secrets SET hash = ${hash}, key_id = ${keyId} WHERE id = ${id}`);
    },

    *revoke(id: string, at: number): Work<boolean> {
      const revoke = sql`UPDATE account_callers SET revoked_at = ${at} WHERE id = ${id} AND revoked_at IS NULL`;
      return (yield* changesOf(revoke)) > 0;
    },

    *noteUse(used: readonly (readonly [id: string, at: number])[]): Work<void> {
      const rows = table("used", {
        id: { type: "text", values: used.map(([id]) => id) },
        at: { type: "bigint", values: used.map(([, at]) => at) },
      });
      yield* changesOf(
        sql`UPDATE account_callers AS c SET last_used_at = used.at FROM ${rows}
          WHERE c.id = used.id AND coalesce(c.last_used_at, 0) < used.at`,
      );
    },
  };
}
