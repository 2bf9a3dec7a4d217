import { randomBytes } from "node:crypto";
import { invalidRequest, shown, TenonError } from "../base/errors.ts";
import { isVisibleLine } from "../base/visible-text.ts";
import type { CallerKind, CallerStore, StoredCaller, StoredSecret } from "./caller-store.ts";
import type { Caller } from "./callers.ts";
import { type Grant, seesEveryInstance } from "./grant.ts";
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
/** Ids of callers: of those of the settings and the command line, of keys and clients, and of other issuers. */
const idForm = /^(?:operator|local|compat|(?:key|client)_[a-z0-9]{12}|oauth:.*)$/i;

/**
 * @throws TenonError `invalid_request` for a name that a list could not show, or that a rule of a policy could take for the id of another
 *   caller
 */
export function checkCallerName(name: string): void {
  const fault = (message: string) => invalidRequest([{ pointer: "/name", code: "wrong_form", message }]);
  if (name.trim() === "" || name.length > longestName || !isVisibleLine(name))
    throw fault(`The name must have 1 to ${longestName} visible characters.`);
  if (idForm.test(name)) throw fault(`The name "${shown(name)}" could be taken for the id of another caller.`);
}

/**
 * The name of a new caller. Where its maker does not see all connectors, it begins with the maker's own name: so nobody learns which names
 * others have, nor takes one that a rule of a policy means for somebody else.
 */
export function nameOfNew(name: string, maker: Pick<Caller, "name" | "grant">): string {
  return seesEveryInstance(maker.grant) ? name : `${maker.name}/${name}`;
}

/**
 * Checks that the name of a new caller is not that of another. A rule of a policy names keys and clients alike.
 *
 * @throws TenonError `invalid_request` where a key or a client has the name, unless it was revoked
 */
export async function checkFreeName(store: CallerStore, name: string): Promise<void> {
  for (const kind of ["key", "client"] as const) {
    if (!(await store.callers(kind)).some((one) => one.name === name && one.revokedAt === null)) continue;
    const message = `A ${kind} has the name "${shown(name)}" already. Rotate it for a new secret, revoke it first, or choose another name.`;
    throw invalidRequest([{ pointer: "/name", code: "name_taken", message }]);
  }
}

/** Makes a caller and stores it. @throws TenonError as {@link checkCallerName} */
export async function createCaller(
  store: CallerStore,
  keys: SecretKeys,
  { kind, name, grant, expiresAt }: NewCaller,
  now = Date.now(),
): Promise<MadeCaller> {
  checkCallerName(name);
  const id = `${kind}_${randomBytes(9).toString("base64url").replaceAll(/[-_]/g, "0")}`;
  const caller = { id, kind, name, grant, createdAt: now, expiresAt, revokedAt: null, lastUsedAt: null };
  const { text, secret } = newSecret(keys, caller, now);
  await store.addCaller(caller, secret);
  return { caller, secret: text };
}

/**
 * Gives a caller a new secret. The former ones stay good for a while, so that everybody who uses them can change to the new one.
 *
 * @param given as {@link namedCaller} takes it
 * @param overlap milliseconds that the former secrets stay good
 * @throws as {@link namedCaller}
 */
export async function rotateSecret(
  store: CallerStore,
  keys: SecretKeys,
  kind: CallerKind,
  given: string,
  overlap: number,
  now = Date.now(),
): Promise<MadeCaller> {
  const caller = await namedCaller(store, kind, given);
  const { text, secret } = newSecret(keys, caller, now);
  await store.replaceSecret(secret, now + overlap);
  return { caller, secret: text };
}

/** @param given as {@link namedCaller} takes it. @returns the caller that was revoked. @throws as {@link namedCaller} */
export async function revokeCaller(store: CallerStore, kind: CallerKind, given: string, now = Date.now()): Promise<StoredCaller> {
  const caller = await namedCaller(store, kind, given);
  if (!(await store.revoke(caller.id, now))) throw unknownCaller(kind, given);
  return caller;
}

/**
 * The caller that an operator means.
 *
 * @param given its id, or its name where no other caller of its kind that was not revoked has the same
 * @throws TenonError `unknown_caller` when there is no such caller or it was revoked; `invalid_request` when several have the name
 */
async function namedCaller(store: CallerStore, kind: CallerKind, given: string): Promise<StoredCaller> {
  const byId = await store.caller(given);
  const isWanted = (caller: StoredCaller) => caller.kind === kind && caller.revokedAt === null;
  if (byId !== undefined && isWanted(byId)) return byId;
  const [caller, ...others] = (await store.callers(kind)).filter((one) => one.name === given && isWanted(one));
  if (caller === undefined) throw unknownCaller(kind, given);
  if (others.length === 0) return caller;
  const allowed = [caller, ...others].map(({ id }) => id);
  throw invalidRequest([
    { pointer: "/id", code: "ambiguous", message: `Several ${kind}s have the name "${shown(given)}"; give an id.`, allowed },
  ]);
}

/** With which secret key a secret was stored; `missing` means that the service does not have it, and refuses the secret. */
export type SecretKeyUse = "current" | "older" | "missing";

export function secretKeyUse({ keyId }: StoredSecret, { current, all }: SecretKeys): SecretKeyUse {
  if (keyId === current.id) return "current";
  return all.some(({ id }) => id === keyId) ? "older" : "missing";
}

/** The secrets that are refused, although neither they nor their callers have ended, because their secret key is missing. */
export async function refusedSecrets(store: CallerStore, keys: SecretKeys, now = Date.now()): Promise<StoredSecret[]> {
  return (await store.liveSecrets(now)).filter((secret) => secretKeyUse(secret, keys) === "missing");
}

function newSecret(keys: SecretKeys, { id, kind }: StoredCaller, now: number): { text: string; secret: StoredSecret } {
  const text = newSecretText(kind === "key" ? "key" : "secret");
  const hash = keyedHash(keys.current, text);
  const secretId = randomBytes(12).toString("base64url");
  return { text, secret: { id: secretId, caller: id, hash, keyId: keys.current.id, createdAt: now, expiresAt: null } };
}

function unknownCaller(kind: CallerKind, id: string): TenonError {
  return new TenonError("unknown_caller", `There is no ${kind} "${shown(id)}" that could be used: see \`tenon ${kind} list\`.`);
}
