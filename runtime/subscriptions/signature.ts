import { createHmac, randomBytes } from "node:crypto";
import { openSecrets, type SecretKeys, sealSecrets } from "../accounts/index.ts";

// Deliveries are signed as Standard Webhooks says (standardwebhooks.com).

const prefix = "whsec_";

/** A secret that signs deliveries: `whsec_` and base64 of 24 to 64 bytes. */
export interface SigningSecret {
  readonly secret: string;
  /** When it ends, because another one has replaced it (milliseconds since 1970); null for never. */
  readonly until: number | null;
}

export function newSecret(): string {
  return prefix + randomBytes(32).toString("base64");
}

/** Whether a text has the form of a secret. */
export function isSecret(text: string): boolean {
  const base64 = text.slice(prefix.length);
  const bytes = Buffer.from(base64, "base64");
  return text.startsWith(prefix) && bytes.length >= 24 && bytes.length <= 64 && bytes.toString("base64") === base64;
}

/** A new secret first, and the others until they end. @param overlap milliseconds for which these are good */
export function rotated(secret: string, others: readonly SigningSecret[], overlap: number, now: number): SigningSecret[] {
  const ends = now + overlap;
  const kept = others
    .filter((one) => one.secret !== secret && Math.min(one.until ?? ends, ends) > now)
    .map((one) => ({ ...one, until: Math.min(one.until ?? ends, ends) }));
  // The header has room for a few.
  return [{ secret, until: null }, ...kept.slice(0, 3)];
}

export function sealSigning(keys: SecretKeys, id: string, secrets: readonly SigningSecret[]): string {
  return sealSecrets(keys, id, secrets);
}

/** @returns undefined when none of the secret keys can decrypt them */
export function openSigning(keys: SecretKeys, id: string, sealed: string): readonly SigningSecret[] | undefined {
  return openSecrets<readonly SigningSecret[]>(keys, id, sealed);
}

/**
 * The headers that prove a delivery.
 *
 * @param id the same for each attempt
 * @param now milliseconds since 1970
 */
export function signed(secrets: readonly SigningSecret[], id: string, body: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const good = secrets.filter(({ until }) => until === null || until > now);
  const codes = good.map(({ secret }) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": codes.join(" ") };
}
