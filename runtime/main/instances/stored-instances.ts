import { hasRight, keyedHash, openCredential, type SecretKeys, type StoredInstance } from "../../accounts/index.ts";
import { TenonError } from "../../base/errors.ts";
import type { GrowingRedactor } from "../../base/redact.ts";
import type { Connector } from "../../contract/index.ts";
import {
  type ConnectorInstance,
  connect,
  endpointsOf,
  missingVariables,
  type SemanticSearch,
  type WriteGuard,
} from "../../execute/index.ts";
import { addressProblem, fetchFor } from "../../platform/address-rules.ts";
import { isVisible, type Looker } from "../../server/instance-of.ts";
import type { StatementStore } from "../../store/statement-store.ts";
import type { ChangeLog, SearchStore, SyncReport } from "../../store/store.ts";
import type { Accounts } from "../accounts.ts";
import { type Assembly, userAgent } from "../assembly.ts";
import { mustAuthorize } from "../authorization.ts";
import type { PlatformSettings } from "../settings/platform-settings.ts";
import type { Settings } from "../settings/settings.ts";
import { sourceOf } from "./instance-credential.ts";
import { sharedCredential } from "./shared-credential.ts";
import { tokenVault } from "./token-vault.ts";

export interface StoredInstancesOptions {
  readonly accounts: Accounts["store"];
  readonly keys: SecretKeys;
  /** What the settings say of each platform: values that the credentials of a kind have in common. */
  readonly platforms: Readonly<Record<string, Pick<PlatformSettings, "shared">>>;
  readonly connectors: readonly Connector[];
  readonly userAgent: string;
  readonly redactor: GrowingRedactor;
  readonly store: SearchStore & SyncReport & ChangeLog & StatementStore;
  readonly semantic: SemanticSearch;
  readonly guard: WriteGuard | undefined;
  readonly ownCommand?: string | undefined;
  readonly allowPrivate: boolean;
}

interface Made {
  readonly version: number;
  readonly instance: ConnectorInstance;
}

/**
 * Makes connector instances of what is stored. Each is made once, and again when its stored version has changed. The version is read from
 * the store each time, because other processes add, change and remove instances.
 */
export class StoredInstances {
  readonly #options: StoredInstancesOptions;
  readonly #made = new Map<string, Made>();

  constructor(options: StoredInstancesOptions) {
    this.#options = options;
  }

  /** @throws TenonError `accounts_unusable`, or `connector_not_configured` for one that the looker sees and that cannot be used */
  async find(id: string, looker?: Looker): Promise<ConnectorInstance | undefined> {
    const stored = await this.#options.accounts.instance(id);
    if (stored === undefined) {
      this.#made.delete(id);
      return undefined;
    }
    // Before anything is made of it: whatever is wrong with an instance is nothing that other callers may learn.
    if (looker !== undefined && !isVisible(looker, stored)) return undefined;
    const known = this.#made.get(id);
    if (known?.version === stored.version) return known.instance;
    const instance = this.#make(stored, looker === undefined || hasRight(looker.grant, "admin"));
    this.#made.set(id, { version: stored.version, instance });
    return instance;
  }

  /** All instances as they are stored now. */
  list(): Promise<StoredInstance[]> {
    return this.#options.accounts.instances();
  }

  /** The version of an instance as it is stored now; undefined where there is none. */
  async versionOf(id: string): Promise<number | undefined> {
    return (await this.#options.accounts.instance(id))?.version;
  }

  /** Whether a user has to authorize an instance before it can be used; undefined where users do not authorize it. */
  mustAuthorize(stored: StoredInstance): Promise<boolean | undefined> {
    const { accounts, keys, connectors, platforms } = this.#options;
    return mustAuthorize({ store: accounts, keys, connectors, platforms }, stored);
  }

  /** @param showsAddress whether the message of an error may have the address of the instance */
  #make(stored: StoredInstance, showsAddress: boolean): ConnectorInstance {
    const { accounts, keys, platforms, connectors, userAgent, redactor, store, semantic, guard, ownCommand, allowPrivate } =
      this.#options;
    const { id, workspace, organization, rest, graphql, variables } = stored;
    const connector = connectors.find(({ name }) => name === stored.connector);
    if (connector === undefined) throw unusable(id, `there is no connector "${stored.connector}" any longer`);
    const missing = missingVariables(connector, variables);
    if (missing.length > 0) throw unusable(id, `its spec needs a value of ${missing.join(" and ")}`);
    const endpoints = endpointsOf(connector, { rest: rest ?? undefined, graphql: graphql ?? undefined, variables });
    const isOwn = rest !== null || graphql !== null || Object.keys(variables).length > 0;
    const addresses = [endpoints.rest, endpoints.graphql].filter((one) => one !== undefined);
    for (const address of isOwn ? addresses : []) {
      const problem = addressProblem(address, allowPrivate);
      if (problem !== undefined) throw unusable(id, `${showsAddress ? `the address ${address}` : "its address"} ${problem}`);
    }
    const own = openCredential(keys, stored);
    const credential = { ...own, values: { ...platforms[connector.name]?.shared?.[own.kind], ...own.values } };
    if (!connector.platform.auth.kinds.some(({ name }) => name === credential.kind))
      throw unusable(id, `its spec takes no credential of the kind "${credential.kind}" any longer`);
    const withFetch = isOwn ? { fetch: fetchFor(addresses, allowPrivate) } : {};
    const vault = tokenVault({ store: accounts, secured: { keys } }, id);
    return connect({
      id,
      workspace,
      organization,
      connector,
      endpoints,
      ...sourceOf({ id, connector, credential, endpoints, vault, userAgent, redactor, ...withFetch }),
      secret: keyedHash(keys.current, `cursors of ${id}`),
      shared: sharedCredential({ store: accounts, secured: { keys } }, "", { connector, endpoints, credential }),
      userAgent,
      redact: redactor.redact,
      store,
      semantic,
      guard,
      ownCommand,
      ...withFetch,
    });
  }
}

function unusable(id: string, why: string): TenonError {
  return new TenonError("connector_not_configured", `The connector "${id}" cannot be used: ${why}.`);
}

/** The stored instances of a service or a command; undefined where there is no secret key, and so nothing is stored. */
export function storedInstances(
  { allowPrivateAddresses, platforms }: Settings,
  { store: accounts, secured }: Accounts,
  connectors: readonly Connector[],
  {
    redaction: redactor,
    ...parts
  }: Pick<Assembly, "redaction" | "store" | "semantic" | "guard"> & Partial<Pick<Assembly, "ownCommand">>,
): StoredInstances | undefined {
  if (secured === undefined) return undefined;
  const { keys } = secured;
  return new StoredInstances({
    accounts,
    keys,
    platforms,
    connectors,
    userAgent,
    redactor,
    store: parts.store,
    semantic: parts.semantic,
    guard: parts.guard,
    ownCommand: parts.ownCommand,
    allowPrivate: allowPrivateAddresses,
  });
}
