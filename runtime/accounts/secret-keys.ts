import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";

/** The keys that derive from one secret key of the operator: one for each purpose, so that a use of one says nothing about another. */
export interface SecretKey {
  /** Says which secret key was used, and nothing about it. It is stored beside everything that was made with the key. */
  readonly id: string;
  readonly sign: KeyObject;
  readonly hash: KeyObject;
  readonly encrypt: KeyObject;
}

/** The current secret key, and all that are accepted: the current one comes first, then older ones during a rotation. */
export interface SecretKeys {
  readonly current: SecretKey;
  readonly all: readonly SecretKey[];
}

/** Characters that a secret key has at least: 32 characters of base64 hold 192 random bits. */
export const shortestSecretKey = 32;

/** @param texts the secret keys of the operator, the current one first; at least one */
export function deriveKeys([current = "", ...older]: readonly string[]): SecretKeys {
  if (current === "") throw new Error("there is no secret key");
  const first = derive(current);
  return { current: first, all: [first, ...older.map(derive)] };
}

/** HKDF (RFC 5869) with SHA-256. The purpose is the `info`. */
function derive(text: string): SecretKey {
  const bytes = (purpose: string, length: number) => Buffer.from(hkdfSync("sha256", text, "tenon", purpose, length));
  return {
    id: bytes("key id", 6).toString("base64url"),
    sign: createSecretKey(bytes("sign access tokens", 32)),
    hash: createSecretKey(bytes("hash secrets of callers", 32)),
    encrypt: createSecretKey(bytes("encrypt platform credentials", 32)),
  };
}

/** Keyed hash of a caller's secret, as it is stored. Whoever has the database alone cannot test guesses. */
export function keyedHash({ hash }: SecretKey, text: string): string {
  return createHmac("sha256", hash).update(text).digest("base64url");
}
