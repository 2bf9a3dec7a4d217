import { userInfo } from "node:os";
import {
  type AccountStore,
  Callers,
  deriveKeys,
  lostCredentials,
  refusedSecrets,
  type SecretKeys,
  type StoredAuditEntry,
  type StoredCaller,
  sealAgain,
} from "../accounts/index.ts";
import { type AccountStoreSettings, isFile, mayHaveAccounts, type OpenedAccounts, openAccountStore } from "./account-store.ts";
import { makeDataFolder } from "./data-folder.ts";
import { keptSecret, keptSecretFile, makeSecret, readSecretKeys } from "./settings/kept-secret.ts";
import { type Settings, SettingsError } from "./settings/settings.ts";

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
  /** Whether the operator has set a secret key, instead of the one that the data folder keeps. */
  readonly isSecretGiven: boolean;
  /** What the operator should know, in words for the log. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** How many refused callers a warning names. */
const mostNamed = 5;

type AccountSettings = AccountStoreSettings & Pick<Settings, "secretKey" | "secretKeyFile">;

/**
 * The secret keys, the current one first: those of the settings, or else what the data folder keeps. Empty where there is none.
 *
 * @throws SettingsError
 */
export function secretKeysOf(settings: Pick<Settings, "secretKey" | "secretKeyFile" | "dataDir">): readonly string[] {
  const given = givenSecretKeys(settings);
  return given.length > 0 ? given : keptSecret(settings.dataDir);
}

function givenSecretKeys({ secretKey, secretKeyFile }: Pick<Settings, "secretKey" | "secretKeyFile">): readonly string[] {
  if (secretKeyFile === "") return secretKey;
  if (secretKey.length > 0)
    throw new SettingsError("TENON_SECRET_KEY and TENON_SECRET_KEY_FILE are both set; remove one of the two");
  return readSecretKeys(secretKeyFile, "TENON_SECRET_KEY_FILE");
}

/**
 * Opens what is stored, and encrypts with the current secret key what is encrypted with an older one.
 *
 * @param makes whether a secret key is made where there is none and the accounts are in files. In a database, other machines would lack it.
 * @throws SettingsError when a secret key is wrong or missing, TenonError `accounts_unusable` when the file cannot be used
 */
export async function openAccounts(settings: AccountSettings, makes?: "makes secret"): Promise<Accounts> {
  const secrets = secretKeysOf(settings);
  const isMade = secrets.length === 0 && makes !== undefined && isFile(settings);
  // Without a secret key no callers are stored. The store is then opened only when the audit log notes something.
  if ((secrets.length > 0 || isMade) && isFile(settings)) makeDataFolder(settings.dataDir);
  const mayHave = mayHaveAccounts(settings);
  const store = await openAccountStore(settings);
  try {
    if (secrets.length === 0 && mayHave && (await hasSecrets(store)))
      throw new SettingsError(
        `TENON_SECRET_KEY is not set and ${keptSecretFile(settings.dataDir)} is not there, but there are callers or connectors that were stored with a secret key`,
      );
    const accounts = await accountsOf(store, isMade ? makeSecret(settings.dataDir) : secrets);
    return { ...accounts, isSecretGiven: givenSecretKeys(settings).length > 0 };
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

async function accountsOf(store: OpenedAccounts, secrets: readonly string[]): Promise<Omit<Accounts, "isSecretGiven">> {
  if (secrets.length === 0) return { store, warnings: [], close: () => store.close() };
  const keys = deriveKeys(secrets);
  const instances = await store.instances();
  const lost = await lostCredentials(store, keys, instances);
  if (lost.length > 0)
    throw new SettingsError(
      `TENON_SECRET_KEY is not the key with which the credentials of ${lost.join(", ")} were encrypted; put that key behind the new one, with a comma between`,
    );
  await sealAgain(store, keys, instances);
  const refused = await refusedSecrets(store, keys);
  const warnings = [...Map.groupBy(refused, ({ keyId }) => keyId)].map(([id, secrets]) => {
    const callers = [...new Set(secrets.map(({ caller }) => caller))];
    const more = callers.length > mostNamed ? ` and ${callers.length - mostNamed} more` : "";
    return `${callers.slice(0, mostNamed).join(", ")}${more} are refused: they were stored with the secret key ${id}, which TENON_SECRET_KEY does not have`;
  });
  const callers = new Callers({ store, keys });
  const close = async () => {
    await callers.close();
    await store.close();
  };
  return { store, secured: { keys, callers }, warnings, close };
}

/** Whether something is stored that needs a secret key. */
async function hasSecrets(store: AccountStore): Promise<boolean> {
  const counts = [await store.liveSecrets(Date.now()), await store.instances(), await store.tokenHolders()];
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
  if (secretKeysOf(settings).length === 0 && !isFile(settings))
    throw new SettingsError(
      "TENON_SECRET_KEY is not set: without it no keys, clients and connectors can be stored in a database; `openssl rand -base64 32` makes one",
    );
  const accounts = await openAccounts(settings, "makes secret");
  try {
    const { store, secured } = accounts;
    if (secured === undefined) throw new Error("there is no secret key");
    const rest = { caller: `command line of ${userOfSystem()}`, outcome: "done", requestId: null, intent: null, times: 1 };
    const note: CommandAccounts["note"] = (action, target) => store.audit([{ at: Date.now(), action, target, ...rest }]);
    return await work({ store, keys: secured.keys, note });
  } finally {
    await accounts.close();
  }
}

/** Who runs a command, by the name that the system has for them; with sudo, who has run that. */
function userOfSystem(): string {
  const sudoer = process.env["SUDO_USER"];
  if (sudoer !== undefined && /^[\w.-]{1,64}$/.test(sudoer)) return sudoer;
  try {
    return userInfo().username;
  } catch {
    // A container may run with a number that no user has.
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

/** Entries of the audit log that are read at once. */
const auditPage = 1_000;

/** An entry, with what is stored of the callers that it names. Callers are never removed, and never get other rights. */
export interface NamedAuditEntry extends StoredAuditEntry {
  readonly by: StoredCaller | undefined;
  readonly on: StoredCaller | undefined;
}

/** The audit log from a time on (milliseconds since 1970), the earliest entry first. It needs no secret key. */
export async function* auditEntries(place: AccountStoreSettings, since: number): AsyncGenerator<NamedAuditEntry> {
  if (!mayHaveAccounts(place)) return;
  const store = await openAccountStore(place);
  try {
    const all = [...(await store.callers("key")), ...(await store.callers("client"))];
    const callers = new Map(all.map((caller) => [caller.id, caller]));
    for (let after = 0; ; ) {
      const page = await store.audited(after, since, auditPage);
      for (const entry of page) yield { ...entry, by: callers.get(entry.caller), on: callers.get(entry.target ?? "") };
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.number;
    }
  } finally {
    await store.close();
  }
}
