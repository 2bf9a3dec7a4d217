import { connectors } from "../generated/index.ts";
import packageFile from "../package.json" with { type: "json" };
import type { Connector } from "./contract/index.ts";
import { TenonError } from "./errors.ts";
import { type ConnectorInstance, connect, endpointsOf } from "./execute/index.ts";
import { createLog, flushed, type Logger, type LogSink, standardOutput } from "./log.ts";
import { redactor } from "./redact.ts";
import { type ApiKey, apiKeyPattern, keptApiKey, newApiKey } from "./server/api-key.ts";
import { createApp } from "./server/app.ts";
import { tokenHash } from "./server/bearer.ts";
import { listen } from "./server/listen.ts";
import { Gate } from "./server/requests.ts";
import type { Settings } from "./settings.ts";
import { startSimulator } from "./simulator.ts";
import { SqliteStore } from "./store/sqlite/sqlite-store.ts";
import { checkEntities, type Progress, readScopes, type SyncResult, SyncSchedule, sync } from "./sync/index.ts";

// The composition root: the only place that knows which connectors exist.

export { connectors };
export const version = packageFile.version;
export const workspace = "default";

export interface Service {
  readonly url: string;
  /** Connector instances, and whether they talk to the simulated platform. */
  readonly instances: readonly { readonly id: string; readonly connector: Connector; readonly simulated: boolean }[];
  /** The key that was made for this start, to be shown once. */
  readonly madeKey: string | undefined;
  /** Resolves when every instance can be used. */
  readonly ready: Promise<void>;
  /** Ends what is under way, then stops. True when nothing had to be cut off. */
  close(): Promise<boolean>;
}

/** What the service and the command line are made of: one instance per connector, and the store. */
interface Assembly {
  readonly log: Logger;
  readonly store: SqliteStore;
  readonly instances: ReadonlyMap<string, ConnectorInstance>;
  readonly simulated: readonly Connector[];
  /** Resolves when every instance can be used; searches wait for the file of the store by themselves. */
  readonly usable: Promise<void>;
  /** Resolves when the store can be used too. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

function assemble(settings: Settings, sink: LogSink): Assembly {
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
    tell: (text) => log.info({ store: text }, "context store"),
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
    await store.close();
  };
  return { log, store, instances, simulated, usable, ready, close };
}

/** Starts the service with one connector instance per connector. */
export async function startService(
  settings: Settings,
  warnings: readonly string[],
  sink: LogSink = standardOutput(),
): Promise<Service> {
  const scheduled = scheduledScopes(settings.syncScopes);
  const { log, store, instances, simulated, usable, ready: assembled, close } = assemble(settings, sink);
  for (const warning of warnings) log.warn(warning);
  const key = apiKeyOf(settings, simulated.length === connectors.length);
  let isReady = false;
  const gate = new Gate(settings.maxRequests);
  const app = createApp({ instances, tokenHash: key.hash, log, gate, ready: () => isReady, timeout: settings.timeoutMs });
  const { server, url } = await listen(app, settings.host, settings.port).catch(async (thrown: unknown) => {
    await close();
    throw thrown;
  });
  try {
    // Not before it is certain that the key will be shown.
    key.keep?.();
  } catch (thrown) {
    server.close();
    await close();
    throw thrown;
  }
  log.info(
    {
      url,
      version,
      connectors: connectors.map((connector) => connector.name),
      simulated: simulated.map((connector) => connector.name),
    },
    "listening",
  );

  await flushed(sink);

  const schedules: SyncSchedule[] = [];
  const ready = assembled.then(async () => {
    for (const [id, instance] of instances) {
      const scopes = scheduled.get(id) ?? [];
      if (scopes.length > 0) schedules.push(new SyncSchedule(instance, store, { scopes, minutes: settings.syncMinutes }, log));
      else await store.setSchedule({ connector: instance.connector.name, instance: instance.storeName }, null);
    }
    await Promise.all(schedules.map((schedule) => schedule.start()));
  });
  usable.then(
    () => {
      isReady = true;
    },
    () => undefined,
  );
  // Whoever does not wait for it is not struck by its failure.
  ready.catch(() => undefined);

  return {
    url,
    instances: connectors.map((connector) => ({ id: connector.name, connector, simulated: simulated.includes(connector) })),
    madeKey: key.shown,
    ready,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const syncs = Promise.all(schedules.map((schedule) => schedule.stop()));
      const clean = await gate.close(settings.shutdownMs);
      // Whoever only holds a connection open, or never ends its request, does not hold up the end.
      server.closeAllConnections();
      await closed;
      await syncs;
      await close();
      log.info({ clean }, "stopped");
      await flushed(sink);
      return clean;
    },
  };
}

/**
 * The configured scopes of each connector: those whose kind it has.
 *
 * @throws TenonError for one that no connector knows, or whose value makes no sense
 */
function scheduledScopes(scopes: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const kindOf = (scope: string) => scope.split("=")[0] ?? "";
  const own = new Map(
    connectors.map((connector) => [connector.name, scopes.filter((scope) => Object.hasOwn(connector.scopes, kindOf(scope)))]),
  );
  const unknown = scopes.filter((scope) => ![...own.values()].some((list) => list.includes(scope)));
  for (const connector of connectors) readScopes(connector, [...(own.get(connector.name) ?? []), ...unknown]);
  return own;
}

export interface SyncRequest {
  readonly connectorId: string;
  readonly scopes: readonly string[];
  readonly entities: readonly string[];
  readonly full: boolean;
  readonly massDelete: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/**
 * Syncs one connector instance once.
 *
 * @throws TenonError for a request that makes no sense, before anything is read
 */
export async function runSync(settings: Settings, request: SyncRequest, sink: LogSink): Promise<SyncResult> {
  const connector = connectors.find(({ name }) => name === request.connectorId);
  if (connector === undefined)
    throw new TenonError(
      "unknown_connector",
      `There is no connector "${request.connectorId}"; there is ${connectors.map(({ name }) => name).join(", ")}.`,
    );
  const scopes = readScopes(connector, request.scopes);
  checkEntities(connector, request.entities, scopes);
  const { log, store, instances, ready, close } = assemble(settings, sink);
  try {
    await ready;
    const instance = instances.get(connector.name);
    if (instance === undefined) throw new Error("the instance was not made");
    const { full, massDelete, signal, onProgress, entities } = request;
    return await sync(instance, store, {
      scopes,
      ...(entities.length === 0 ? {} : { entities }),
      full,
      massDelete,
      signal,
      log,
      onProgress,
    });
  } finally {
    await close();
    await flushed(sink);
  }
}

/** In a trial nothing has to be protected from yesterday's callers: the key is made anew each time, so that it can be shown. */
function apiKeyOf(settings: Settings, trial: boolean): ApiKey {
  if (settings.apiKey !== "") return { hash: tokenHash(settings.apiKey), shown: undefined };
  return trial ? newApiKey() : keptApiKey(settings.dataDir);
}
