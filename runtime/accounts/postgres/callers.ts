import { type Database, type Queries, sql } from "../../postgres/index.ts";
import { type CallerRow, callerOf, callerRow, type SecretRow, secretOf, secretRow } from "../caller-rows.ts";
import type { CallerStore, SecretOwner } from "../caller-store.ts";
import { OwnerCache } from "./owner-cache.ts";
import { storable } from "./storable.ts";

/** A secret with its caller in one row: the columns of the caller have `caller_` in front. */
type OwnerRow = SecretRow & { readonly [Name in keyof CallerRow as `caller_${Name}`]: CallerRow[Name] };

const ownerColumns = sql`s.*, c.id AS caller_id, c.kind AS caller_kind, c.name AS caller_name, c."grant" AS caller_grant,
  c.created_at AS caller_created_at, c.expires_at AS caller_expires_at, c.revoked_at AS caller_revoked_at,
  c.last_used_at AS caller_last_used_at`;

const owners = sql`SELECT ${ownerColumns} FROM account_secrets s JOIN account_callers c ON c.id = s.caller`;

/** Callers and their secrets. What one process changes, it forgets at once from its own cache. */
export function callerQueries(ready: () => Promise<Database>): CallerStore {
  const cache = new OwnerCache();
  const owner = (key: string, condition: typeof owners) =>
    cache.find(key, async () => {
      const rows = await (await ready()).query<OwnerRow>(sql`${owners} WHERE ${condition} LIMIT 1`);
      return rows[0] && ownerOf(rows[0]);
    });
  const change = async <Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> => {
    const database = await ready();
    try {
      return await database.transaction(work);
    } finally {
      cache.clear();
    }
  };
  return {
    callers: async (kind) => {
      const find = sql`SELECT * FROM account_callers WHERE kind = ${kind} ORDER BY created_at, id`;
      return (await (await ready()).query<CallerRow>(find)).map(callerOf);
    },
    caller: async (id) => {
      const rows = await (await ready()).query<CallerRow>(sql`SELECT * FROM account_callers WHERE id = ${storable(id)}`);
      return rows[0] && callerOf(rows[0]);
    },
    secretByHash: (hashes) => owner(`hash ${hashes.join()}`, sql`s.hash = ANY (${hashes}::text[])`),
    secretById: (id) => owner(`id ${id}`, sql`s.id = ${storable(id)}`),
    keyIds: async (now) => {
      const find = sql`SELECT DISTINCT s.key_id FROM account_secrets s JOIN account_callers c ON c.id = s.caller
        WHERE c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > ${now}) AND (s.expires_at IS NULL OR s.expires_at > ${now})
        ORDER BY s.key_id`;
      return (await (await ready()).query<{ key_id: string }>(find)).map((row) => row.key_id);
    },
    addCaller: (caller, secret) =>
      change(async (queries) => {
        const row = callerRow(caller);
        await queries.run(
          sql`INSERT INTO account_callers (id, kind, name, "grant", created_at, expires_at, revoked_at, last_used_at)
            VALUES (${row.id}, ${row.kind}, ${storable(row.name)}, ${row.grant}, ${row.created_at}, ${row.expires_at},
              ${row.revoked_at}, ${row.last_used_at})`,
        );
        await addSecret(queries, secretRow(secret));
      }),
    replaceSecret: (secret, others) =>
      change(async (queries) => {
        await queries.run(
          sql`UPDATE account_secrets SET expires_at = least(expires_at, ${others}) WHERE caller = ${secret.caller}`,
        );
        await addSecret(queries, secretRow(secret));
      }),
    rehash: (id, hash, keyId) =>
      change(async (queries) => {
        await queries.run(sql`UPDATE account_secrets SET hash = ${hash}, key_id = ${keyId} WHERE id = ${id}`);
      }),
    revoke: (id, at) =>
      change(async (queries) => {
        const revoke = sql`UPDATE account_callers SET revoked_at = ${at} WHERE id = ${storable(id)} AND revoked_at IS NULL`;
        return (await queries.run(revoke)) > 0;
      }),
    noteUse: async (used) => {
      const [ids, times] = [used.map(([id]) => id), used.map(([, at]) => at)];
      await (await ready()).run(
        sql`UPDATE account_callers c SET last_used_at = used.at FROM unnest(${ids}::text[], ${times}::bigint[]) AS used (id, at)
          WHERE c.id = used.id AND coalesce(c.last_used_at, 0) < used.at`,
      );
    },
  };
}

async function addSecret(queries: Queries, row: SecretRow): Promise<void> {
  await queries.run(
    sql`INSERT INTO account_secrets (id, caller, hash, key_id, created_at, expires_at)
      VALUES (${row.id}, ${row.caller}, ${row.hash}, ${row.key_id}, ${row.created_at}, ${row.expires_at})`,
  );
}

function ownerOf(row: OwnerRow): SecretOwner {
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
