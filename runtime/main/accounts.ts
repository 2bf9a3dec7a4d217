import { existsSync, readFileSync } from "node:fs";
import { Callers, deriveKeys, type SecretKeys } from "../accounts/index.ts";
import { accountsFile, SqliteAccountStore } from "../accounts/sqlite/sqlite-account-store.ts";
import { makeDataFolder } from "./data-folder.ts";
import { type Settings, SettingsError, secretKeyForm } from "./settings.ts";

/** The stored callers, and the keys that protect them. */
export interface Accounts {
  readonly store: SqliteAccountStore;
  readonly keys: SecretKeys;
  readonly callers: Callers;
  /** What the operator should know, in words for the log. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

type AccountSettings = Pick<Settings, "secretKey" | "secretKeyFile" | "dataDir">;

/** The secret keys of the operator, the current one first; empty where there is none. @throws SettingsError */
export function secretKeysOf({ secretKey, secretKeyFile }: AccountSettings): readonly string[] {
  if (secretKeyFile === "") return secretKey;
  if (secretKey.length > 0)
    throw new SettingsError("TENON_SECRET_KEY and TENON_SECRET_KEY_FILE are both set; remove one of the two");
  let text: string;
  try {
    text = readFileSync(secretKeyFile, "utf8");
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
    throw new SettingsError(`TENON_SECRET_KEY_FILE: ${secretKeyFile} cannot be read (${code})`);
  }
  const keys = text.split("\n").map((line) => line.trim());
  const found = keys.filter((line) => line !== "");
  if (found.length === 0 || !found.every((key) => secretKeyForm.test(key)))
    throw new SettingsError(
      `TENON_SECRET_KEY_FILE: ${secretKeyFile} must hold one key a line, each of 32 to 512 visible ASCII characters without commas`,
    );
  return found;
}

/**
 * Opens the stored callers.
 *
 * @returns undefined where there is no secret key and nothing is stored that would need one
 * @throws SettingsError when a secret key is wrong or missing, TenonError `accounts_unusable` when the file cannot be used
 */
export async function openAccounts(settings: AccountSettings): Promise<Accounts | undefined> {
  const secrets = secretKeysOf(settings);
  if (secrets.length === 0 && !existsSync(accountsFile(settings.dataDir))) return undefined;
  makeDataFolder(settings.dataDir);
  const store = new SqliteAccountStore(settings.dataDir);
  try {
    await store.ready;
    return await accountsOf(store, secrets);
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

async function accountsOf(store: SqliteAccountStore, secrets: readonly string[]): Promise<Accounts | undefined> {
  const used = await store.keyIds(Date.now());
  if (secrets.length === 0) {
    if (used.length > 0)
      throw new SettingsError(
        "TENON_SECRET_KEY is not set, but the data directory has callers that were stored with a secret key",
      );
    await store.close();
    return undefined;
  }
  const keys = deriveKeys(secrets);
  const lost = used.filter((id) => !keys.all.some((key) => key.id === id));
  const warnings = lost.map(
    (id) =>
      `keys or clients that were stored with the secret key ${id} are refused, because TENON_SECRET_KEY does not have that key`,
  );
  const callers = new Callers({ store, keys });
  const close = async () => {
    await callers.close();
    await store.close();
  };
  return { store, keys, callers, warnings, close };
}

/**
 * Runs something on the stored callers, for a command.
 *
 * @throws SettingsError when there is no secret key, and whatever the work throws
 */
export async function withAccounts<Result>(
  settings: AccountSettings,
  work: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  const accounts = await openAccounts(settings);
  if (accounts === undefined)
    throw new SettingsError(
      "TENON_SECRET_KEY is not set: without it no keys, clients and connectors can be stored; `openssl rand -base64 32` makes one",
    );
  try {
    return await work(accounts);
  } finally {
    await accounts.close();
  }
}
