import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Caller,
  deriveKeys,
  fullGrant,
  type ProvedClient,
  readToken,
  type SecretKeys,
  signToken,
} from "../accounts/index.ts";

/** A client whose id and secret stand in the settings. */
export interface ConfiguredClient {
  readonly id: string;
  readonly secret: string;
}

/** Who gives access tokens to clients, and knows whose a token is. */
export interface Admission {
  admit(token: string): Promise<Caller | undefined>;
  prove(id: unknown, secret: unknown): Promise<ProvedClient | undefined>;
  /** @param lifetime seconds */
  issue(client: ProvedClient, lifetime: number): Promise<string>;
}

/**
 * Admits the client of the settings, and nobody else. Nothing about its tokens is stored: they are signed with a key that derives from the
 * secret of the client and from a text that nobody else knows. That text comes from the secret key of the operator, which all processes
 * have, or is a random one in the data folder. The tokens hold in every process with the same text and after a restart, and all end when
 * the secret of the client is changed.
 *
 * @param texts made from the secret keys of the operator, the current one first; empty where there is none
 * @param dataDir a folder that exists
 * @throws Error when the file with the random text cannot be used
 */
export function admissionOf(client: ConfiguredClient, texts: readonly string[], dataDir: string): Admission {
  // Tokens that were signed before there was a secret key stay good.
  const kept = texts.length === 0 ? keptText(dataDir) : read(fileIn(dataDir));
  const all = [...texts, ...(kept === undefined ? [] : [kept])];
  const keys: SecretKeys = deriveKeys(all.map((text) => `${text} ${client.secret}`));
  const proved: ProvedClient = { id: client.id, secret: keys.current.id };
  const expected = digest(client.id, client.secret);
  const caller: Caller = { id: callerId, name: client.id, grant: { ...fullGrant, rights: ["read", "write"] } };
  return {
    prove: async (id, secret) => {
      if (typeof id !== "string" || typeof secret !== "string") return undefined;
      return timingSafeEqual(digest(id, secret), expected) ? proved : undefined;
    },
    issue: ({ id, secret }, lifetime) => {
      const now = Date.now();
      return signToken(keys, { audience: "tenon/compat", client: id, secret, expiresAt: now + lifetime * 1000 }, now);
    },
    admit: async (text) => {
      const token = await readToken(keys, text, Date.now());
      return token?.client === client.id ? caller : undefined;
    },
  };
}

/** The id of the configured client in log, limits and audit. Its id in requests may be anything. */
const callerId = "compat";

/** Both together, so that a comparison does not tell which of the two is wrong. */
function digest(id: string, secret: string): Buffer {
  return hash("sha256", JSON.stringify([id, secret]), "buffer");
}

/** The random text in the data folder. The first process that needs it makes it. */
function keptText(dataDir: string): string {
  const file = fileIn(dataDir);
  const known = read(file);
  if (known !== undefined) return known;
  // Written elsewhere first, so that another process never reads half of it; `linkSync` leaves the file of a faster process alone.
  const made = `${file}.${randomBytes(6).toString("hex")}`;
  writeFileSync(made, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
  try {
    linkSync(made, file);
  } catch (thrown) {
    if (codeOf(thrown) !== "EEXIST") throw thrown;
  } finally {
    rmSync(made);
  }
  const kept = read(file);
  if (kept === undefined) throw new Error(`${file} cannot be read`);
  return kept;
}

function fileIn(dataDir: string): string {
  return join(dataDir, "compat-key");
}

/** @returns undefined when there is no such file */
function read(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return undefined;
    throw new Error(`${file} cannot be read (${String(codeOf(thrown))})`, { cause: thrown });
  }
  if (/^[\w-]{43}$/.test(text)) return text;
  throw new Error(`${file} does not hold a key; remove the file, and the next start makes a new key`);
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}
