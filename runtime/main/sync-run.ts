import { TenonError } from "../base/errors.ts";
import { flushed, type Logger, type LogSink } from "../base/log.ts";
import type { Connector } from "../contract/index.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import type { Store, StoreInstance } from "../store/store.ts";
import {
  checkEntities,
  type EntityStatus,
  type Forgotten,
  forgetScope,
  type Progress,
  readScopes,
  type SyncResult,
  sync,
  syncStatus,
} from "../sync/index.ts";
import { assemble, connectors as generatedConnectors } from "./assembly.ts";
import { makeDataFolder } from "./data-folder.ts";
import { modeOf, offText } from "./mode.ts";
import type { Settings } from "./settings.ts";

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
 * @param connectors those of this repository; tests give others
 * @throws TenonError for a request that makes no sense, or for a connector that is off, before anything is read; SettingsError when the
 *   data folder cannot be used
 */
export async function runSync(
  settings: Settings,
  request: SyncRequest,
  sink: LogSink,
  connectors: readonly Connector[] = generatedConnectors,
): Promise<SyncResult> {
  const connector = connectorOf(connectors, request.connectorId);
  const scopes = readScopes(connector, request.scopes);
  checkEntities(connector, request.entities, scopes);
  return withInstance(settings, connector, request.signal, sink, connectors, ({ instance, store, log }) => {
    const { full, massDelete, signal, onProgress, entities } = request;
    return sync(instance, store, {
      scopes,
      ...(entities.length === 0 ? {} : { entities }),
      full,
      massDelete,
      signal,
      log,
      onProgress,
    });
  });
}

/** What a command that only looks at a store or tidies it needs to know. */
export interface StoreRequest {
  readonly connectorId: string;
  readonly signal: AbortSignal;
}

/** How far each entity of each scope of a connector instance is cached. @throws TenonError, SettingsError as {@link runSync} */
export async function runStatus(
  settings: Settings,
  { connectorId, signal }: StoreRequest,
  sink: LogSink,
  connectors: readonly Connector[] = generatedConnectors,
): Promise<EntityStatus[]> {
  const connector = connectorOf(connectors, connectorId);
  return withInstance(settings, connector, signal, sink, connectors, async ({ store, place }) => {
    const [states, schedule, running] = await Promise.all([store.states(place), store.schedule(place), store.leased(place)]);
    return syncStatus(connector, states, { schedule, running, now: Date.now() });
  });
}

/** Removes a scope from the store. @throws TenonError as `forgetScope`; SettingsError when the data folder cannot be used */
export async function runForget(
  settings: Settings,
  { connectorId, signal, scope }: StoreRequest & { readonly scope: string },
  sink: LogSink,
  connectors: readonly Connector[] = generatedConnectors,
): Promise<Forgotten> {
  const connector = connectorOf(connectors, connectorId);
  return withInstance(settings, connector, signal, sink, connectors, ({ store, place }) =>
    forgetScope(connector, place, store, scope, signal),
  );
}

function connectorOf(connectors: readonly Connector[], id: string): Connector {
  const connector = connectors.find(({ name }) => name === id);
  if (connector !== undefined) return connector;
  throw new TenonError(
    "unknown_connector",
    `There is no connector "${id}"; there is ${connectors.map(({ name }) => name).join(", ")}.`,
  );
}

interface Opened {
  readonly instance: ConnectorInstance;
  readonly store: Store;
  readonly place: StoreInstance;
  readonly log: Logger;
}

/**
 * Opens the store and the instance of a connector for the time of some work.
 *
 * @throws TenonError `connector_not_configured` before anything is opened
 */
async function withInstance<Result>(
  settings: Settings,
  connector: Connector,
  signal: AbortSignal,
  sink: LogSink,
  connectors: readonly Connector[],
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  if (modeOf(connectors, settings).get(connector.name)?.kind === "off")
    throw new TenonError("connector_not_configured", offText(connector));
  makeDataFolder(settings.dataDir);
  const { log, store, instances, ready, close } = assemble(settings, sink, connectors);
  try {
    await unless(signal, ready);
    const instance = instances.get(connector.name);
    if (instance === undefined) throw new Error("the instance was not made");
    const place = { connector: connector.name, instance: instance.storeName };
    return await work({ instance, store, place, log });
  } finally {
    await close();
    await flushed(sink);
  }
}

/** @throws TenonError `shutting_down` when the signal comes first */
function unless(signal: AbortSignal, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new TenonError("shutting_down", "The sync was asked to stop before it began."));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
