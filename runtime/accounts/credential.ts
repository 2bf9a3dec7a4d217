import { randomUUID } from "node:crypto";
import { TenonError } from "../base/errors.ts";
import type { InstanceStore, StoredInstance } from "./instance-store.ts";
import { seal, sealedBy, unseal } from "./sealed.ts";
import type { SecretKeys } from "./secret-keys.ts";
import type { SubscriptionStore } from "./subscription-store.ts";
import type { TokenStore } from "./token-store.ts";

/** What an instance shows to its platform. */
export interface Credential {
  /** A way in which the platform takes a credential, by its name in the spec. */
  readonly kind: string;
  /** The values of the credential by the names that the spec has for them. */
  readonly values: Readonly<Record<string, string>>;
}

/** Subscriptions whose secrets are encrypted anew at one start. */
const mostSubscriptions = 100_000;

/** A credential as it is stored. Its text says nothing to whoever has the store alone. */
export function sealCredential(keys: SecretKeys, instance: string, credential: Credential): string {
  return seal(keys, JSON.stringify(credential), aboutOf(instance));
}

/** @throws TenonError `accounts_unusable` when the credential cannot be decrypted */
export function openCredential(keys: SecretKeys, { id, credential }: StoredInstance): Credential {
  const text = unseal(keys, credential, aboutOf(id));
  if (text === undefined)
    throw new TenonError(
      "accounts_unusable",
      `The credential of the connector "${id}" cannot be decrypted with TENON_SECRET_KEY.`,
    );
  return JSON.parse(text) as Credential;
}

/** What a platform has given for a credential, as it is stored. */
export function sealTokens(keys: SecretKeys, instance: string, tokens: object): string {
  return seal(keys, JSON.stringify(tokens), aboutTokens(instance));
}

/** @returns undefined when the tokens cannot be decrypted, as if there were none */
export function openTokens<Tokens extends object>(keys: SecretKeys, instance: string, tokens: string): Tokens | undefined {
  const text = unseal(keys, tokens, aboutTokens(instance));
  return text === undefined ? undefined : (JSON.parse(text) as Tokens);
}

/** The secrets that sign the deliveries of a subscription, as they are stored. */
export function sealSecrets(keys: SecretKeys, subscription: string, secrets: object): string {
  return seal(keys, JSON.stringify(secrets), aboutSecrets(subscription));
}

/** @returns undefined when the secrets cannot be decrypted */
export function openSecrets<Secrets extends object>(
  keys: SecretKeys,
  subscription: string,
  secrets: string,
): Secrets | undefined {
  const text = unseal(keys, secrets, aboutSecrets(subscription));
  return text === undefined ? undefined : (JSON.parse(text) as Secrets);
}

/** Ids of the instances whose credentials or tokens none of the secret keys can decrypt. */
export async function lostCredentials(
  store: TokenStore,
  keys: SecretKeys,
  instances: readonly StoredInstance[],
): Promise<string[]> {
  const isLost = (sealed: string) => !keys.all.some(({ id }) => id === sealedBy(sealed));
  const lost = new Set(instances.filter(({ credential }) => isLost(credential)).map(({ id }) => id));
  for (const id of await store.tokenHolders()) {
    const tokens = await store.tokens(id);
    if (tokens !== undefined && isLost(tokens)) lost.add(id);
  }
  return [...lost];
}

/** Encrypts with the current secret key what is encrypted with an older one, so that the older one is needed no longer. */
export async function sealAgain(
  store: InstanceStore & TokenStore & SubscriptionStore,
  keys: SecretKeys,
  instances: readonly StoredInstance[],
): Promise<void> {
  for (const instance of instances) {
    if (sealedBy(instance.credential) === keys.current.id) continue;
    const credential = sealCredential(keys, instance.id, openCredential(keys, instance));
    // Where somebody else has changed the instance meanwhile, the change has sealed its credential anew.
    await store.changeInstance(instance.id, { credential }, instance.version);
  }
  const owner = randomUUID();
  for (const id of await store.tokenHolders()) {
    if (sealedBy((await store.tokens(id)) ?? "") === keys.current.id) continue;
    // Where somebody renews the tokens now, the new ones are encrypted anew.
    const { leased, tokens } = await store.leaseTokens(id, owner, 10_000);
    const opened = tokens === undefined ? undefined : openTokens(keys, id, tokens);
    if (leased) await store.saveTokens(id, owner, opened === undefined ? null : sealTokens(keys, id, opened));
  }
  for (const { id } of await store.listedSubscriptions(null, mostSubscriptions)) {
    const stored = await store.subscription(id);
    if (stored === undefined) continue;
    const { secrets, version } = stored;
    const opened = sealedBy(secrets) === keys.current.id ? undefined : openSecrets(keys, id, secrets);
    if (opened !== undefined) await store.changeSubscription(id, { secrets: sealSecrets(keys, id, opened) }, version);
  }
}

function aboutOf(instance: string): string {
  return `credential of ${instance}`;
}

function aboutSecrets(subscription: string): string {
  return `secrets of ${subscription}`;
}

function aboutTokens(instance: string): string {
  return `tokens of ${instance}`;
}
