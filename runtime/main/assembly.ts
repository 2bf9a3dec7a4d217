import { connectors } from "../../generated/index.ts";
import packageFile from "../../package.json" with { type: "json" };
import type { Connector } from "../contract/index.ts";
import { type ConnectorInstance, connect, endpointsOf } from "../execute/index.ts";
import { createLog, type Logger, type LogSink } from "../log.ts";
import { redactor } from "../redact.ts";
import { apiKeyPattern } from "../server/api-key.ts";
import type { Settings } from "../settings.ts";
import { startSimulator } from "../simulator.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";

// The composition root: the only place that knows which connectors exist.

export { connectors };
export const version = packageFile.version;
export const workspace = "default";

/** What the service and the command line are made of: one instance per connector, and the store. */
export interface Assembly {
  readonly log: Logger;
  readonly store: SqliteStore;
  readonly instances: ReadonlyMap<string, ConnectorInstance>;
  readonly simulated: readonly Connector[];
  /** Resolves when every instance can be used; searches wait for the file of the store by themselves. */
  readonly usable: Promise<void>;
  /** Resolves when the store can be used too. */
  readonly ready: Promise<void>;
  /** @returns whether all threads of the store have ended. If not, only the end of the process ends them. */
  close(): Promise<boolean>;
}

export function assemble(settings: Settings, sink: LogSink): Assembly {
  const secrets = [settings.apiKey, ...Object.values(settings.platforms).map((one) => one.token ?? "")];
  const redact = redactor([apiKeyPattern, ...connectors.flatMap((connector) => connector.platform.auth.secrets)], secrets);
  const log = createLog(settings.logLevel, redact, sink);
  const plans = Object.fromEntries(
    connectors.map(({ name, entities }) => [
      name,
      Object.fromEntries(Object.entries(entities).map(([entity, { store }]) => [entity, store])),
    ]),
  );
  const store = new SqliteStore({
    dataDir: settings.dataDir,
    plans,
    searchTime: settings.searchTimeoutMs,
    tell: (text, level) => log[level]({ store: text }, "context store"),
  });
  const instances = new Map<string, ConnectorInstance>();
  const add = (connector: Connector, options: Pick<Parameters<typeof connect>[0], "endpoints" | "token" | "storeName">) => {
    const { name } = connector;
    instances.set(name, connect({ id: name, workspace, connector, userAgent: `tenon/${version}`, redact, store, ...options }));
  };
  const simulated = connectors.filter((connector) => settings.platforms[connector.name]?.token === undefined);
  for (const connector of connectors) {
    const platform = settings.platforms[connector.name];
    const token = platform?.token;
    if (platform !== undefined && token !== undefined)
      add(connector, { endpoints: endpointsOf(connector, platform), token: async () => token });
  }
  const simulator = simulated.length === 0 ? undefined : startSimulator();
  const simulate = async () => {
    const started = await simulator;
    if (started === undefined) return;
    const { rest, graphql, token } = started;
    // What it invents is not mixed with what the real platform told.
    for (const connector of simulated)
      add(connector, { endpoints: { rest, graphql }, token: async () => token, storeName: `${connector.name} (simulated)` });
  };
  const usable = simulate();
  const ready = Promise.all([store.ready, usable]).then(() => undefined);
  for (const promise of [usable, ready]) promise.catch(() => undefined);
  const close = async () => {
    // It may still be starting; a start that failed has nothing to close.
    await simulator?.then(
      (started) => started.close(),
      () => undefined,
    );
    return store.close();
  };
  return { log, store, instances, simulated, usable, ready, close };
}
