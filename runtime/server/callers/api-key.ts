import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tokenHash } from "./bearer.ts";

/** Source of a regular expression that matches every key made here, for the redactor. */
export const apiKeyPattern = "tenon_[A-Za-z0-9_-]{43}";

export interface ApiKey {
  readonly hash: Buffer;
  /** The key itself, only when it was made just now. */
  readonly shown: string | undefined;
  /** Stores the hash of a new key. Call it when it is certain that the key will be shown. It throws an Error that names the file. */
  readonly keep?: () => void;
}

export function newApiKey(): ApiKey & { readonly shown: string } {
  const shown = `tenon_${randomBytes(32).toString("base64url")}`;
  return { shown, hash: tokenHash(shown) };
}

/**
 * The key that was made on the first start, or a new one. Only its hash is kept, so it can be shown once.
 *
 * @param dataDir a folder that exists
 * @throws Error when the key file cannot be read, or holds something else
 */
export function keptApiKey(dataDir: string): ApiKey {
  const file = apiKeyFile(dataDir);
  const text = textOf(file);
  if (text !== undefined) {
    const sha256 = /^\s*\{\s*"sha256"\s*:\s*"([0-9a-f]{64})"\s*\}\s*$/.exec(text)?.[1];
    if (sha256 === undefined)
      throw new Error(`${file} does not hold the hash of a key; remove the file, and the next start makes a new key`);
    return { hash: Buffer.from(sha256, "hex"), shown: undefined };
  }
  const made = newApiKey();
  const keep = () => {
    try {
      writeFileSync(file, `${JSON.stringify({ sha256: made.hash.toString("hex") })}\n`, { mode: 0o600, flag: "wx" });
    } catch (thrown) {
      const code = codeOf(thrown);
      const why = code === "EEXIST" ? "was made by another process in the meantime; start again" : `cannot be written (${code})`;
      throw new Error(`${file} ${why}`, { cause: thrown });
    }
  };
  return { ...made, keep };
}

/** @returns what the file holds; undefined when there is none. @throws Error that names the file when it cannot be read */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === "ENOENT") return undefined;
    throw new Error(`${file} cannot be read (${code})`, { cause: thrown });
  }
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
}

export function apiKeyFile(dataDir: string): string {
  return join(dataDir, "api-key.json");
}
