import type { Redact } from "../base/redact.ts";
import type { Connector } from "../contract/index.ts";
import { PlatformClient } from "../platform/client.ts";
import type { Endpoints } from "../platform/transport.ts";
import type { SearchStore, SyncReport } from "../store/store.ts";
import type { ConnectorInstance, SemanticSearch } from "./instance.ts";
import { Selections } from "./selections.ts";

export interface ConnectOptions {
  readonly id: string;
  readonly workspace: string;
  readonly organization?: string | null;
  readonly connector: Connector;
  readonly endpoints: Endpoints;
  readonly token: () => Promise<string>;
  readonly userAgent: string;
  readonly redact: Redact;
  readonly store?: SearchStore & SyncReport;
  readonly semantic?: SemanticSearch;
  /** Name under which records are stored. Default: the id. */
  readonly storeName?: string;
  readonly fetch?: typeof globalThis.fetch;
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
    token,
    userAgent,
    redact,
    store,
    storeName = id,
    semantic,
    fetch,
  } = options;
  const client = new PlatformClient({
    plan: connector.platform,
    endpoints,
    token,
    userAgent,
    redact,
    ...(fetch === undefined ? {} : { fetch }),
  });
  const stores = { ...(store === undefined ? {} : { store }), ...(semantic === undefined ? {} : { semantic }) };
  const secret = options.secret === undefined ? token : async () => options.secret ?? "";
  const place = { id, workspace, organization, storeName };
  return { ...place, connector, endpoints, client, selections: new Selections(), secret, ...stores };
}

/**
 * Addresses of a platform: those of the spec, replaced by those that are configured. When only the REST address is configured, the
 * GraphQL address is derived from it by the spec's rule (GitHub Enterprise Server: `/api/v3` becomes `/api/graphql`).
 */
export function endpointsOf(
  connector: Connector,
  configured: { readonly rest?: string | undefined; readonly graphql?: string | undefined },
): Endpoints {
  const { graphql, rest } = connector.platform;
  const restUrl = (configured.rest ?? rest.url).replace(/\/+$/, "");
  if (graphql === undefined) return { rest: restUrl, graphql: undefined };
  if (configured.graphql !== undefined) return { rest: restUrl, graphql: configured.graphql };
  if (configured.rest === undefined) return { rest: restUrl, graphql: graphql.url };
  const [ending, path] = Object.entries(graphql.derive).find(([suffix]) => restUrl.endsWith(suffix)) ?? ["", ""];
  return { rest: restUrl, graphql: restUrl.slice(0, restUrl.length - ending.length) + path };
}
