import { hash } from "node:crypto";
import { BoundedMap } from "../base/bounded-map.ts";
import { type AccessToken, type Audience, accessTokenPattern, readToken, signToken } from "./access-token.ts";
import type { CallerKind, CallerStore, SecretOwner } from "./caller-store.ts";
import type { Grant } from "./grant.ts";
import { keyedHash, type SecretKeys } from "./secret-keys.ts";
import { isSecretText } from "./secret-text.ts";
import { UseNotes } from "./use-notes.ts";

/** Somebody whose token or key was accepted. */
export interface Caller {
  readonly id: string;
  readonly name: string;
  readonly grant: Grant;
  /** Set for whoever has the key of the settings. */
  readonly isOperator?: true;
  /** Set where another issuer has made the token. */
  readonly issued?: true;
}

/** A client that has proved that it has its secret. */
export interface ProvedClient {
  readonly id: string;
  readonly secret: string;
}

export interface CallersOptions {
  readonly store: CallerStore;
  readonly keys: SecretKeys;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Signed tokens that were read lately are kept, because checking a signature costs more than everything else. */
const mostTokens = 10_000;
/** Characters of the longest token. Longer texts are refused unread. */
export const longestToken = 8_000;
const accessTokenForm = new RegExp(`^${accessTokenPattern}$`);

/** Whether a text has the form of a key or an access token, so that only a look into the store or at its signature shows what it is. */
export function mayBeSecret(text: string): boolean {
  return text.length <= longestToken && (isSecretText(text) || accessTokenForm.test(text));
}

/**
 * Knows whom the service admits: API keys as they are, and the access tokens that it gives to clients. A caller that was revoked, has
 * expired or has lost its secret is refused with the next request, in every process.
 */
export class Callers {
  readonly #store: CallerStore;
  readonly #keys: SecretKeys;
  readonly #now: () => number;
  readonly #uses: UseNotes;
  readonly #read = new BoundedMap<string, AccessToken>(mostTokens);

  constructor({ store, keys, now = Date.now }: CallersOptions) {
    this.#store = store;
    this.#keys = keys;
    this.#now = now;
    this.#uses = new UseNotes(store);
  }

  /**
   * The caller to whom a bearer token belongs: an API key or an access token.
   *
   * @param audiences for which routes an access token may be
   * @returns undefined for a token that is not accepted, whatever the reason
   * @throws TenonError `accounts_unusable`
   */
  async admit(token: string, audiences: readonly Audience[] = ["tenon"]): Promise<Caller | undefined> {
    if (token.length > longestToken) return undefined;
    const owner = isSecretText(token) ? await this.#ownerOf(token, "key") : await this.#ownerOfAccessToken(token, audiences);
    if (owner === undefined) return undefined;
    const { id, name, grant } = owner.caller;
    this.#uses.note(id, this.#now());
    return { id, name, grant };
  }

  /**
   * Checks the id and the secret of a client. The values come from a request, so they may be of any type.
   *
   * @returns undefined when one of the two is wrong, or the client is no longer admitted
   * @throws TenonError `accounts_unusable`
   */
  async prove(id: unknown, secret: unknown): Promise<ProvedClient | undefined> {
    if (typeof id !== "string" || typeof secret !== "string" || !isSecretText(secret)) return undefined;
    const owner = await this.#ownerOf(secret, "client");
    return owner?.caller.id === id ? { id, secret: owner.secret.id } : undefined;
  }

  /**
   * Gives a client an access token. Earlier ones stay good. A token ends early when its client or the secret for which it was given does.
   *
   * @param lifetime seconds
   * @param audience the routes that it opens
   */
  issue({ id, secret }: ProvedClient, lifetime: number, audience: Audience = "tenon"): Promise<string> {
    const now = this.#now();
    return signToken(this.#keys, { audience, client: id, secret, expiresAt: now + lifetime * 1000 }, now);
  }

  /** Stores what is not stored yet. The store itself stays open. */
  close(): Promise<void> {
    return this.#uses.close();
  }

  /** The owner of a secret, unless one of them has ended. A hash of an older secret key is replaced by one of the current key. */
  async #ownerOf(text: string, kind: CallerKind): Promise<SecretOwner | undefined> {
    const { all, current } = this.#keys;
    const owner = await this.#store.secretByHash(all.map((key) => keyedHash(key, text)));
    if (owner === undefined || owner.caller.kind !== kind || !this.#isGood(owner)) return undefined;
    if (owner.secret.keyId !== current.id)
      await this.#store.rehash(owner.secret.id, keyedHash(current, text), current.id).catch(() => undefined);
    return owner;
  }

  async #ownerOfAccessToken(text: string, audiences: readonly Audience[]): Promise<SecretOwner | undefined> {
    const token = await this.#readOnce(text);
    if (token === undefined || !audiences.includes(token.audience)) return undefined;
    const owner = await this.#store.secretById(token.secret);
    return owner !== undefined && owner.caller.id === token.client && this.#isGood(owner) ? owner : undefined;
  }

  async #readOnce(text: string): Promise<AccessToken | undefined> {
    // The tokens themselves are not kept.
    const name = hash("sha256", text, "base64url");
    const now = this.#now();
    const known = this.#read.get(name);
    if (known !== undefined) return known.expiresAt > now ? known : undefined;
    const token = await readToken(this.#keys, text, now);
    if (token === undefined) return undefined;
    this.#read.set(name, token);
    return token;
  }

  #isGood({ caller, secret }: SecretOwner): boolean {
    const now = this.#now();
    return caller.revokedAt === null && (caller.expiresAt ?? now + 1) > now && (secret.expiresAt ?? now + 1) > now;
  }
}
