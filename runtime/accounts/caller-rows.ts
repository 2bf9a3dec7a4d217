import type { CallerKind, StoredCaller, StoredSecret } from "./caller-store.ts";
import type { Grant } from "./grant.ts";

// How callers and secrets stand in the tables of every store.

export interface CallerRow {
  readonly id: string;
  readonly kind: CallerKind;
  readonly name: string;
  readonly grant: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

export interface SecretRow {
  readonly id: string;
  readonly caller: string;
  readonly hash: string;
  readonly key_id: string;
  readonly created_at: number;
  readonly expires_at: number | null;
}

export function callerRow(caller: StoredCaller): CallerRow {
  const { id, kind, name, grant, createdAt, expiresAt, revokedAt, lastUsedAt } = caller;
  return {
    id,
    kind,
    name,
    grant: JSON.stringify(grant),
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
    last_used_at: lastUsedAt,
  };
}

export function callerOf(row: CallerRow): StoredCaller {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    grant: JSON.parse(row.grant) as Grant,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

export function secretRow({ id, caller, hash, keyId, createdAt, expiresAt }: StoredSecret): SecretRow {
  return { id, caller, hash, key_id: keyId, created_at: createdAt, expires_at: expiresAt };
}

export function secretOf({ id, caller, hash, key_id, created_at, expires_at }: SecretRow): StoredSecret {
  return { id, caller, hash, keyId: key_id, createdAt: created_at, expiresAt: expires_at };
}
