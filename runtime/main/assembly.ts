import packageFile from "../../package.json" with { type: "json" };
import { accessTokenPattern, secretTextPattern } from "../accounts/index.ts";
import type { TenonError } from "../base/errors.ts";
import { createLog, type Logger, type LogSink } from "../base/log.ts";
import { type GrowingRedactor, growingRedactor } from "../base/redact.ts";
import type { Connector } from "../contract/index.ts";
import {
  type ConnectOptions,
  type ConnectorInstance,
  connect,
  endpointsOf,
  type SemanticSearch,
  singleCredential,
} from "../execute/index.ts";
import { apiKeyPattern } from "../server/api-key.ts";
import { settingsPlace } from "../server/instance-of.ts";
import { type Simulator, startSimulator } from "../simulator/start-thread.ts";
import { Embedder } from "../sync/index.ts";
import { secretKeysOf } from "./accounts.ts";
import { connectors } from "./connectors.ts";
import { type ContextStore, openContextStore, plansOf } from "./context-store.ts";
import { databaseSecrets } from "./database-secrets.ts";
import { embeddingProviders } from "./embeddings.ts";
import { lastingSecret, partsOf, sourceOf } from "./instance-credential.ts";
import { modeOf, offText } from "./mode.ts";
import type { Settings } from "./settings.ts";
import { type LimitsPlace, sharedCredential } from "./shared-credential.ts";
import { tokenVault } from "./token-vault.ts";

// The composition root: the only place that knows which connectors exist.

export { connectors };
export const version = packageFile.version;
export const workspace = settingsPlace.workspace;
/** What the service calls itself in its calls to platforms. */
export const userAgent = `tenon/${version}`;

/** What the service and the command line are made of: one instance per connector, and the store. */
export interface Assembly {
  readonly log: Logger;
  readonly redaction: GrowingRedactor;
  readonly store: ContextStore;
  readonly semantic: SemanticSearch;
  /** Embeds the texts that are searched by meaning, once it is started. */
  readonly embedder: Embedder;
  /** The connectors that can be used; a simulated one is added when its simulator has started. */
  readonly instances: ReadonlyMap<string, ConnectorInstance>;
  /** Names of the connectors that are simulated, whose instances come once their simulators have started. */
  readonly starting: ReadonlySet<string>;
  /** Why a connector is off, by its name. */
  readonly off: ReadonlyMap<string, string>;
  /** Resolves when every instance can be used; searches wait for the file of the store by themselves. */
  readonly usable: Promise<void>;
  /** Resolves when the store can be used too. */
  readonly ready: Promise<void>;
  /** Resolves when a newer process has changed the tables, so that this one has to end. */
  readonly outdated: Promise<TenonError>;
  /** @returns whether all threads of the store have ended. If not, only the end of the process ends them. */
  close(): Promise<boolean>;
}

/**
 * Makes the store and an instance of every connector that is on.
 *
 * @param connectors those of this repository; tests give others
 * @param accounts where the tokens are kept that platforms give for credentials, and limits that several processes share
 * @throws SettingsError, ModelError for a model of search by meaning that cannot be used
 */
export async function assemble(
  settings: Settings,
  sink: LogSink,
  connectors: readonly Connector[],
  accounts: LimitsPlace,
): Promise<Assembly> {
  const providers = await embeddingProviders(settings);
  const tokens = Object.values(settings.platforms).flatMap(({ credential, shared = {} }) =>
    [credential?.values ?? {}, ...Object.values(shared)].flatMap((values) => Object.values(values).flatMap(partsOf)),
  );
  const patterns = [apiKeyPattern, secretTextPattern, accessTokenPattern];
  const redaction = growingRedactor(
    [...patterns, ...connectors.flatMap((connector) => connector.platform.auth.secrets)],
    [
      ...[settings.apiKey, settings.embeddingsKey, settings.compatClientSecret],
      ...[...databaseSecrets(settings), ...secretKeysOf(settings), ...tokens],
    ],
  );
  const { redact } = redaction;
  const log = createLog(settings.logLevel, redact, sink);
  accounts.store.limits?.watch((isAway, ms) => {
    if (isAway)
      log.warn("the database cannot be reached for the limits that processes share: this one goes on with its part of them");
    else log.info({ ms: Math.round(ms) }, "the processes share their limits again");
  });
  const newer = Promise.withResolvers<TenonError>();
  const store = await openContextStore(settings, {
    plans: plansOf(connectors),
    onNewer: newer.resolve,
    tell: (text, level) => log[level]({ store: text }, "context store"),
  });
  const embedder = new Embedder(store, providers[0], log);
  const semantic: SemanticSearch = { store, providers };
  const instances = new Map<string, ConnectorInstance>();
  const add = (
    connector: Connector,
    options: Pick<ConnectOptions, "endpoints" | "credential" | "renew" | "secret" | "shared" | "storeName">,
  ) => {
    const { name } = connector;
    instances.set(name, connect({ id: name, workspace, connector, userAgent, redact, store, semantic, ...options }));
  };
  const modes = modeOf(connectors, settings);
  const off = new Map<string, string>();
  const simulators: { readonly connector: Connector; readonly starting: Promise<Simulator> }[] = [];
  for (const connector of connectors) {
    const { name } = connector;
    const mode = modes.get(name) ?? { kind: "off" };
    switch (mode.kind) {
      case "real": {
        const { credential } = mode;
        const endpoints = endpointsOf(connector, settings.platforms[name] ?? {});
        const vault = tokenVault(accounts, name);
        const secret = lastingSecret(connector, credential);
        add(connector, {
          endpoints,
          ...sourceOf({ id: name, connector, credential, endpoints, vault, userAgent, redactor: redaction }),
          shared: sharedCredential(accounts, settings.apiKey, { connector, endpoints, credential }),
          ...(secret === undefined ? {} : { secret }),
        });
        break;
      }
      case "simulated":
        simulators.push({ connector, starting: startSimulator(mode.module) });
        break;
      case "off":
        off.set(name, offText(connector));
    }
  }
  const simulate = async ({ connector, starting }: (typeof simulators)[number]) => {
    const { rest, graphql, token } = await starting;
    // Invented records of a simulator are kept apart from records of the real platform.
    const credential = singleCredential(connector.platform.auth.kinds, token);
    add(connector, {
      endpoints: { ...endpointsOf(connector, {}), rest, graphql },
      credential: async () => credential,
      storeName: `${connector.name} (simulated)`,
    });
  };
  const usable = Promise.all(simulators.map(simulate)).then(() => undefined);
  const ready = Promise.all([store.ready, usable]).then(() => undefined);
  for (const promise of [usable, ready]) promise.catch(() => undefined);
  const close = async () => {
    // A simulator may still be starting; a start that failed has nothing to close.
    const closed = simulators.map(({ starting }) =>
      starting.then(
        (started) => started.close(),
        () => undefined,
      ),
    );
    await Promise.all([...closed, embedder.stop()]);
    await Promise.all(providers.map((provider) => provider.close()));
    return store.close();
  };
  const starting = new Set(simulators.map(({ connector }) => connector.name));
  return { log, redaction, store, semantic, embedder, instances, starting, off, usable, ready, outdated: newer.promise, close };
}
