import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { SecretKeys } from "./secret-keys.ts";

const algorithm = "aes-256-gcm";
/** Bytes of the initialization vector and of the tag (NIST SP 800-38D). */
const ivLength = 12;
const tagLength = 16;

/**
 * Encrypts a text with the current secret key: AES-256-GCM, with a fresh initialization vector for each text.
 *
 * @param about what the text belongs to, such as the id of an instance; it has to be the same when the text is opened
 * @returns the id of the secret key, the vector, the encrypted text and the tag
 */
export function seal({ current }: SecretKeys, text: string, about: string): string {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, current.encrypt, iv, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(about));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [current.id, iv.toString("base64url"), encrypted.toString("base64url")].join(".");
}

/** The id of the secret key with which a text was sealed. */
export function sealedBy(sealed: string): string {
  return sealed.split(".")[0] ?? "";
}

/** @returns undefined when none of the secret keys fits, the text was changed, or it belongs to something else */
export function unseal({ all }: SecretKeys, sealed: string, about: string): string | undefined {
  const [id, iv = "", encrypted = ""] = sealed.split(".");
  const key = all.find((one) => one.id === id);
  const bytes = Buffer.from(encrypted, "base64url");
  if (key === undefined || bytes.length < tagLength) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, key.encrypt, Buffer.from(iv, "base64url"), { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(about));
    decipher.setAuthTag(bytes.subarray(-tagLength));
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagLength)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
