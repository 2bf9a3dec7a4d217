import type { Grant } from "./grant.ts";

/** A `key` is sent as it is. A `client` exchanges its id and its secret for short-lived access tokens. */
export type CallerKind = "key" | "client";

/** Somebody who may call the service. All times are milliseconds since 1970. */
export interface StoredCaller {
  readonly id: string;
  readonly kind: CallerKind;
  readonly name: string;
  readonly grant: Grant;
  readonly createdAt: number;
  /** When the caller is no longer admitted; null for never. */
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** When the caller was last admitted, to about a minute; null for never. */
  readonly lastUsedAt: number | null;
}

/** A secret of a caller. During a rotation a caller has two. The secret itself is not stored. */
export interface StoredSecret {
  readonly id: string;
  readonly caller: string;
  /** Keyed hash of the secret. */
  readonly hash: string;
  /** Id of the secret key with which the hash was made. */
  readonly keyId: string;
  readonly createdAt: number;
  /** When the secret ends, because another one has replaced it; null for never. */
  readonly expiresAt: number | null;
}

/** A secret and its caller. */
export interface SecretOwner {
  readonly caller: StoredCaller;
  readonly secret: StoredSecret;
}

/** Stores who may call the service. */
export interface CallerStore {
  addCaller(caller: StoredCaller, secret: StoredSecret): Promise<void>;
  /** All callers of a kind, the oldest first. */
  callers(kind: CallerKind): Promise<StoredCaller[]>;
  caller(id: string): Promise<StoredCaller | undefined>;
  /** Finds the secret that has one of these hashes. */
  secretByHash(hashes: readonly string[]): Promise<SecretOwner | undefined>;
  secretById(id: string): Promise<SecretOwner | undefined>;
  /** Adds a secret to its caller. The caller's other secrets end at `others` at the latest. */
  replaceSecret(secret: StoredSecret, others: number): Promise<void>;
  /** Replaces the hash of a secret by one that was made with another secret key. */
  rehash(id: string, hash: string, keyId: string): Promise<void>;
  /** Refuses the caller from now on. @returns false when there is no such caller, or it was revoked before */
  revoke(id: string, at: number): Promise<boolean>;
  /** Notes when callers were last admitted: pairs of id and time. An earlier time than the stored one is ignored. */
  noteUse(used: readonly (readonly [id: string, at: number])[]): Promise<void>;
  /** The secrets that have not ended, of callers that have not ended; the oldest first. */
  liveSecrets(now: number): Promise<StoredSecret[]>;
}
