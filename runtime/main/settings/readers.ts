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

export function text(pattern: RegExp, what: string) {
  return (given: unknown): { value: string } | string =>
    typeof given === "string" && pattern.test(given.trim()) ? { value: given.trim() } : `must be ${what}`;
}

export function list(pattern: RegExp, what: string) {
  return (given: unknown): { value: readonly string[] } | string => {
    const parts: unknown = typeof given === "string" ? given.split(",").map((part) => part.trim()) : given;
    return Array.isArray(parts) && parts.length <= 100 && parts.every((part) => typeof part === "string" && pattern.test(part))
      ? { value: parts as string[] }
      : `must be ${what}`;
  };
}

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
