import { TenonError } from "../base/errors.ts";
import type { InstanceStore, StoredInstance } from "./instance-store.ts";
import { seal, sealedBy, unseal } from "./sealed.ts";
import type { SecretKeys } from "./secret-keys.ts";

/** What an instance shows to its platform. */
export interface Credential {
  /** A way in which the platform takes a credential, by its name in the spec. */
  readonly kind: string;
  /** The values of the credential by the names that the spec has for them. */
  readonly values: Readonly<Record<string, string>>;
}

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

/** Ids of the instances whose credentials none of the secret keys can decrypt. */
export function lostCredentials(keys: SecretKeys, instances: readonly StoredInstance[]): string[] {
  const known = keys.all.map(({ id }) => id);
  return instances.filter(({ credential }) => !known.includes(sealedBy(credential))).map(({ id }) => id);
}

/** Encrypts with the current secret key what is encrypted with an older one, so that the older one is needed no longer. */
export async function sealAgain(store: InstanceStore, keys: SecretKeys, instances: readonly StoredInstance[]): Promise<void> {
  for (const instance of instances) {
    if (sealedBy(instance.credential) === keys.current.id) continue;
    const credential = sealCredential(keys, instance.id, openCredential(keys, instance));
    // Where somebody else has changed the instance meanwhile, the change has sealed its credential anew.
    await store.changeInstance(instance.id, { credential }, instance.version);
  }
}

function aboutOf(instance: string): string {
  return `credential of ${instance}`;
}
