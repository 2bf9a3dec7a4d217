import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** What a secret is for: a caller, or webhooks that a platform signs. The secret contains it, so that people and scanners recognise it. */
export type SecretPurpose = "key" | "secret" | "webhook";

/** Source of a regular expression that matches every secret made here, for the redactor. */
export const secretTextPattern = "tenon_(?:key|secret|webhook)_[0-9A-Za-z]{49}";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const form = /^(tenon_(?:key|secret|webhook)_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** A new secret: a prefix, 256 random bits, and a checksum of both, so that a typing error is found without a look into the store. */
export function newSecretText(purpose: SecretPurpose): string {
  const text = `tenon_${purpose}_${base62(BigInt(`0x${randomBytes(32).toString("hex")}`), 43)}`;
  return text + checksum(text);
}

/** Whether a text has the form and the checksum of a secret that was made here. */
export function isSecretText(text: string): boolean {
  const [, body = "", sum] = form.exec(text) ?? [];
  return sum !== undefined && checksum(body) === sum;
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), 6);
}

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = `${alphabet[Number(rest % 62n)]}${text}`;
  return text;
}
