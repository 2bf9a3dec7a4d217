import { isIP, isIPv6 } from "node:net";
import { AddressError, readDatabaseUrl } from "../../postgres/address.ts";

// Each reads a text of the environment or a value of the file, and gives the value, or a string that says what is allowed.

export function integer(least: number, most: number) {
  return (given: unknown): { value: number } | string => {
    const value = typeof given === "string" && /^\d+$/.test(given.trim()) ? Number(given) : given;
    return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
      ? { value }
      : `must be a whole number from ${least} to ${most}`;
  };
}

/** Normalizes a text that has the right form; undefined if it cannot be used after all. */
type Kept = (text: string) => string | undefined;

const asGiven: Kept = (given) => given;

export function text(pattern: RegExp, what: string, kept = asGiven) {
  return (given: unknown): { value: string } | string => {
    const value = typeof given === "string" && pattern.test(given.trim()) ? kept(given.trim()) : undefined;
    return value === undefined ? `must be ${what}` : { value };
  };
}

export function list(pattern: RegExp, what: string, kept = asGiven) {
  return (given: unknown): { value: readonly string[] } | string => {
    const parts: unknown = typeof given === "string" ? given.split(",").map((part) => part.trim()) : given;
    if (!Array.isArray(parts) || parts.length > 100) return `must be ${what}`;
    const value = parts.map((part) => (typeof part === "string" && pattern.test(part) ? kept(part) : undefined));
    return value.every((part) => part !== undefined) ? { value } : `must be ${what}`;
  };
}

/** An http or https address that can be parsed, or another text. */
export const wholeAddress: Kept = (given) => (!/^https?:/.test(given) || URL.canParse(given) ? given : undefined);

/** An origin as browsers send it: in small letters, and without the usual port. */
export const sentOrigin: Kept = (given) => (URL.canParse(given) ? new URL(given).origin : undefined);

/** A host as addresses have it: `0` is 0.0.0.0, and an IPv6 address has its shortest form. */
export const usualHost: Kept = (given) => {
  if (given.includes(":") && !isIPv6(given)) return undefined;
  const url = `http://${isIPv6(given) ? `[${given}]` : given}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : undefined;
};

/** An address, a network, or a name for networks. */
export const network: Kept = (given) => {
  if (/^[a-z]+$/.test(given)) return given;
  const [address = "", bits] = given.split("/");
  const most = isIPv6(address) ? 128 : 32;
  const fits = isIP(address) !== 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= most));
  return fits ? given : undefined;
};

export function oneOf<Value extends string>(values: readonly Value[]) {
  return (given: unknown): { value: Value } | string => {
    const found = values.find((value) => value === given);
    return found === undefined ? `must be one of ${values.join(", ")}` : { value: found };
  };
}

export function yesOrNo(given: unknown): { value: boolean } | string {
  if (given === true || given === "true") return { value: true };
  return given === false || given === "false" ? { value: false } : "must be true or false";
}

export function databaseUrl(given: unknown): { value: string } | string {
  if (typeof given !== "string") return "must be the URL of a PostgreSQL database";
  try {
    readDatabaseUrl(given.trim());
    return { value: given.trim() };
  } catch (thrown) {
    if (thrown instanceof AddressError) return thrown.message;
    throw thrown;
  }
}
