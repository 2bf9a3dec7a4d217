import type { Redact } from "../base/redact.ts";
import type { Connector } from "../contract/index.ts";
import { type Endpoints, fillAddress } from "../platform/addresses.ts";
import { PlatformClient } from "../platform/client.ts";
import type { CredentialSource } from "../platform/credential-source.ts";
import type { SharedCredential } from "../platform/scheduler.ts";
import type { StatementStore } from "../store/statement-store.ts";
import type { ChangeLog, SearchStore, SyncReport } from "../store/store.ts";
import { type ConnectorInstance, type SemanticSearch, simulatedMark, type WriteGuard } from "./instance.ts";
import { Selections } from "./selections.ts";

export interface ConnectOptions extends CredentialSource {
  readonly id: string;
  readonly workspace: string;
  readonly organization?: string | null;
  readonly connector: Connector;
  readonly endpoints: Endpoints;
  readonly userAgent: string;
  readonly redact: Redact;
  readonly store?: SearchStore & SyncReport & ChangeLog & StatementStore;
  readonly semantic?: SemanticSearch;
  readonly guard?: WriteGuard | undefined;
  readonly ownCommand?: string | undefined;
  /** Name under which records are stored. Default: the id. */
  readonly storeName?: string;
  /** Set where the platform is simulated. */
  readonly simulated?: true;
  readonly fetch?: typeof globalThis.fetch;
  /** Limits of the credential that other processes use too; absent where none does. */
  readonly shared?: SharedCredential | undefined;
  /** A text that only this service knows and that does not change. Default: the token. */
  readonly secret?: string;
}

/** Makes a connector instance, on which actions can run, of a connector and a credential. */
export function connect(options: ConnectOptions): ConnectorInstance {
  const {
    id,
    workspace,
    organization = null,
    connector,
    endpoints,
    credential,
    renew,
    userAgent,
    redact,
    store,
    storeName = id,
    semantic,
    guard,
    ownCommand,
    fetch,
    shared,
  } = options;
  const client = new PlatformClient({
    plan: connector.platform,
    endpoints,
    credential,
    userAgent,
    redact,
    shared,
    ...(renew === undefined ? {} : { renew }),
    ...(fetch === undefined ? {} : { fetch }),
  });
  const stores = { ...(store === undefined ? {} : { store }), ...(semantic === undefined ? {} : { semantic }) };
  // The values of the credential, which stay the same after a restart.
  const secret = async () => options.secret ?? Object.values((await credential()).values).join("\n");
  const place = { id, workspace, organization, storeName, ...simulatedMark(options) };
  return { ...place, connector, endpoints, client, guard, ownCommand, selections: new Selections(), secret, ...stores };
}

/** What an operator may set of a platform's addresses. */
export interface ConfiguredAddresses {
  readonly rest?: string | undefined;
  readonly graphql?: string | undefined;
  /** Values of the platform's variables, by name. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/**
 * Addresses of a platform: those of the spec with the instance's variables, replaced by those that are configured. When only the REST
 * address is configured, the GraphQL address is derived from it by the spec's rule (GitHub Enterprise Server: `/api/v3` becomes
 * `/api/graphql`).
 */
export function endpointsOf({ platform }: Connector, configured: ConfiguredAddresses): Endpoints {
  const { graphql, rest } = platform;
  const defaults = Object.entries(platform.variables ?? {}).flatMap(([name, one]) =>
    one.default === undefined ? [] : [[name, one.default] as const],
  );
  const variables = { ...Object.fromEntries(defaults), ...configured.variables };
  const withVariables = Object.keys(variables).length === 0 ? {} : { variables };
  const restUrl = rest === undefined ? undefined : (configured.rest ?? fillAddress(rest.url, variables)).replace(/\/+$/, "");
  const own = configured.rest === undefined || restUrl === undefined ? {} : { ownRest: restUrl };
  const addresses = (graphqlUrl: string | undefined) => ({ rest: restUrl, graphql: graphqlUrl, ...own, ...withVariables });
  if (graphql === undefined) return addresses(undefined);
  if (configured.graphql !== undefined) return addresses(configured.graphql);
  if (configured.rest === undefined || restUrl === undefined) return addresses(fillAddress(graphql.url, variables));
  const [ending, path] = Object.entries(graphql.derive ?? {}).find(([suffix]) => restUrl.endsWith(suffix)) ?? ["", "/graphql"];
  return addresses(restUrl.slice(0, restUrl.length - ending.length) + path);
}
