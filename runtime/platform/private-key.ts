import { createPrivateKey } from "node:crypto";

/** Whether a text is a private key with which a JWT can be signed: RSA, in PEM. */
export function isPrivateKey(text: string): boolean {
  try {
    return createPrivateKey(withLines(text)).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** A key of an environment variable often has `\n` in the places of its line breaks. */
export function withLines(key: string): string {
  return key.replaceAll("\\n", "\n");
}
