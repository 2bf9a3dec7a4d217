import { randomBytes } from "node:crypto";
import { invalidRequest, TenonError } from "../base/errors.ts";
import type { CallerKind, CallerStore, StoredCaller, StoredSecret } from "./caller-store.ts";
import type { Grant } from "./grant.ts";
import { keyedHash, type SecretKeys } from "./secret-keys.ts";
import { newSecretText } from "./secret-text.ts";

/** A caller and its new secret, which is shown once and not stored. */
export interface MadeCaller {
  readonly caller: StoredCaller;
  readonly secret: string;
}

export interface NewCaller {
  readonly kind: CallerKind;
  readonly name: string;
  readonly grant: Grant;
  /** Milliseconds since 1970; null for never. */
  readonly expiresAt: number | null;
}

/** Characters of a caller's name. */
const longestName = 100;

/** Makes a caller and stores it. @throws TenonError `invalid_request` for a name that a list could not show */
export async function createCaller(
  store: CallerStore,
  keys: SecretKeys,
  { kind, name, grant, expiresAt }: NewCaller,
  now = Date.now(),
): Promise<MadeCaller> {
  if (name.trim() === "" || name.length > longestName || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) || !name.isWellFormed())
    throw invalidRequest([
      { pointer: "/name", code: "wrong_form", message: `The name must have 1 to ${longestName} visible characters.` },
    ]);
  const id = `${kind}_${randomBytes(9).toString("base64url").replaceAll(/[-_]/g, "0")}`;
  const caller = { id, kind, name, grant, createdAt: now, expiresAt, revokedAt: null, lastUsedAt: null };
  const { text, secret } = newSecret(keys, caller, now);
  await store.addCaller(caller, secret);
  return { caller, secret: text };
}

/**
 * Gives a caller a new secret. The former ones stay good for a while, so that everybody who uses them can change to the new one.
 *
 * @param overlap milliseconds that the former secrets stay good
 * @throws TenonError `unknown_caller` when there is no such caller or it was revoked
 */
export async function rotateSecret(
  store: CallerStore,
  keys: SecretKeys,
  kind: CallerKind,
  id: string,
  overlap: number,
  now = Date.now(),
): Promise<MadeCaller> {
  const caller = await store.caller(id);
  if (caller === undefined || caller.kind !== kind || caller.revokedAt !== null) throw unknownCaller(kind, id);
  const { text, secret } = newSecret(keys, caller, now);
  await store.replaceSecret(secret, now + overlap);
  return { caller, secret: text };
}

/** @throws TenonError `unknown_caller` when there is no such caller, or it was revoked before */
export async function revokeCaller(store: CallerStore, kind: CallerKind, id: string, now = Date.now()): Promise<void> {
  const caller = await store.caller(id);
  if (caller?.kind !== kind || !(await store.revoke(id, now))) throw unknownCaller(kind, id);
}

function newSecret(keys: SecretKeys, { id, kind }: StoredCaller, now: number): { text: string; secret: StoredSecret } {
  const text = newSecretText(kind === "key" ? "key" : "secret");
  const hash = keyedHash(keys.current, text);
  const secretId = randomBytes(12).toString("base64url");
  return { text, secret: { id: secretId, caller: id, hash, keyId: keys.current.id, createdAt: now, expiresAt: null } };
}

function unknownCaller(kind: CallerKind, id: string): TenonError {
  return new TenonError("unknown_caller", `There is no ${kind} "${id}" that could be used: see \`tenon ${kind} list\`.`);
}
