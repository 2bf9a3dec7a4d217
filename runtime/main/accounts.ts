import { readFileSync } from "node:fs";
import {
  type AccountStore,
  Callers,
  deriveKeys,
  lostCredentials,
  type SecretKeys,
  type StoredAuditEntry,
  sealAgain,
} from "../accounts/index.ts";
import { type AccountPlace, isFile, mayHaveAccounts, type OpenedAccounts, openAccountStore } from "./account-store.ts";
import { makeDataFolder } from "./data-folder.ts";
import { type Settings, SettingsError } from "./settings.ts";
import { secretKeyForm } from "./settings-table.ts";

/** What needs a secret key: the stored callers and the stored credentials. */
export interface Secured {
  readonly keys: SecretKeys;
  readonly callers: Callers;
}

/** What the service stores about its callers and instances. */
export interface Accounts {
  /** It is opened when it is first used, where there is no secret key. */
  readonly store: OpenedAccounts;
  /** Absent where there is no secret key. */
  readonly secured?: Secured;
  /** What the operator should know, in words for the log. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

type AccountSettings = AccountPlace & Pick<Settings, "secretKey" | "secretKeyFile">;

/** The secret keys of the operator, the current one first; empty where there is none. @throws SettingsError */
export function secretKeysOf({ secretKey, secretKeyFile }: Pick<Settings, "secretKey" | "secretKeyFile">): readonly string[] {
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
 * Opens what is stored, and encrypts with the current secret key what is encrypted with an older one.
 *
 * @throws SettingsError when a secret key is wrong or missing, TenonError `accounts_unusable` when the file cannot be used
 */
export async function openAccounts(settings: AccountSettings): Promise<Accounts> {
  const secrets = secretKeysOf(settings);
  // Without a secret key no callers are stored. The store is then opened only when the audit log notes something.
  if (secrets.length > 0 && isFile(settings)) makeDataFolder(settings.dataDir);
  const store = await openAccountStore(settings);
  try {
    return await accountsOf(store, secrets, mayHaveAccounts(settings));
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

async function accountsOf(store: OpenedAccounts, secrets: readonly string[], mayHave: boolean): Promise<Accounts> {
  if (secrets.length === 0) {
    if (mayHave && (await hasSecrets(store)))
      throw new SettingsError(
        "TENON_SECRET_KEY is not set, but there are callers or connectors that were stored with a secret key",
      );
    return { store, warnings: [], close: () => store.close() };
  }
  const keys = deriveKeys(secrets);
  const instances = await store.instances();
  const lost = await lostCredentials(store, keys, instances);
  if (lost.length > 0)
    throw new SettingsError(
      `TENON_SECRET_KEY is not the key with which the credentials of ${lost.join(", ")} were encrypted; put that key behind the new one, with a comma between`,
    );
  await sealAgain(store, keys, instances);
  const unknown = (await store.keyIds(Date.now())).filter((id) => !keys.all.some((key) => key.id === id));
  const warnings = unknown.map(
    (id) =>
      `keys and clients that were stored with the secret key ${id} are refused, because TENON_SECRET_KEY does not have that key`,
  );
  const callers = new Callers({ store, keys });
  const close = async () => {
    await callers.close();
    await store.close();
  };
  return { store, secured: { keys, callers }, warnings, close };
}

/** Whether something is stored that needs a secret key. */
async function hasSecrets(store: AccountStore): Promise<boolean> {
  const counts = [await store.keyIds(Date.now()), await store.instances(), await store.tokenHolders()];
  return counts.some(({ length }) => length > 0);
}

/** What a command works with. */
export interface CommandAccounts {
  readonly store: AccountStore;
  readonly keys: SecretKeys;
  /** Notes in the audit log what was done, and to which key, client or connector. */
  note(action: string, target: string): Promise<void>;
}

/**
 * Runs something on what is stored, for a command.
 *
 * @throws SettingsError when there is no secret key, and whatever the work throws
 */
export async function withAccounts<Result>(
  settings: AccountSettings,
  work: (accounts: CommandAccounts) => Promise<Result>,
): Promise<Result> {
  if (secretKeysOf(settings).length === 0)
    throw new SettingsError(
      "TENON_SECRET_KEY is not set: without it no keys, clients and connectors can be stored; `openssl rand -base64 32` makes one",
    );
  const accounts = await openAccounts(settings);
  try {
    const { store, secured } = accounts;
    if (secured === undefined) throw new Error("there is no secret key");
    const note: CommandAccounts["note"] = (action, target) =>
      store.audit([{ at: Date.now(), caller: "command line", action, target, outcome: "done", requestId: null, intent: null }]);
    return await work({ store, keys: secured.keys, note });
  } finally {
    await accounts.close();
  }
}

/** Entries of the audit log that are read at once. */
const auditPage = 1_000;

/** The audit log from a time on (milliseconds since 1970), the earliest entry first. It needs no secret key. */
export async function* auditEntries(place: AccountPlace, since: number): AsyncGenerator<StoredAuditEntry> {
  if (!mayHaveAccounts(place)) return;
  const store = await openAccountStore(place);
  try {
    for (let after = 0; ; ) {
      const page = await store.audited(after, since, auditPage);
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.number;
    }
  } finally {
    await store.close();
  }
}
