import type { StoredInstance } from "../../accounts/index.ts";
import { TenonError } from "../../base/errors.ts";
import { flushed, type LogSink } from "../../base/log.ts";
import type { Logger } from "../../base/logger.ts";
import type { Connector } from "../../contract/index.ts";
import { type ConnectorInstance, storedAs } from "../../execute/index.ts";
import type { SemanticStore } from "../../store/semantic.ts";
import type { Store, StoreInstance } from "../../store/store.ts";
import {
  checkEntities,
  type Embedder,
  type EmbeddingProgress,
  type EntityStatus,
  type Forgotten,
  forgetInstance,
  forgetScope,
  type Progress,
  readScopes,
  type SemanticStatus,
  type SyncResult,
  semanticStatus,
  sync,
  syncStatus,
} from "../../sync/index.ts";
import { type Accounts, openAccounts } from "../accounts.ts";
import { assemble, connectors as generatedConnectors } from "../assembly.ts";
import { makeDataFolder } from "../data-folder.ts";
import { storedInstances } from "../instances/stored-instances.ts";
import { unknownConnector } from "../known-connector.ts";
import { modeOf, offText } from "../mode.ts";
import type { Settings } from "../settings/settings.ts";
import { noConnector, removeConnector } from "./added-connectors.ts";

export interface SyncRequest {
  readonly connectorId: string;
  readonly scopes: readonly string[];
  readonly entities: readonly string[];
  readonly full: boolean;
  readonly massDelete: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Called while texts are embedded, after the records were read. */
  readonly onEmbedding?: (progress: EmbeddingProgress) => void;
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
  const { connectorId, full, massDelete, signal, onProgress, entities } = request;
  return withTarget(settings, connectorId, connectors, (target) => {
    const { connector, added } = target;
    // A connector that was added has scopes of its own.
    const scopes = readScopes(connector, request.scopes.length === 0 && added !== undefined ? added.scopes : request.scopes);
    checkEntities(connector, entities, scopes);
    return withInstance(settings, target, signal, sink, connectors, async ({ instance, store, embedder, log }) => {
      embedder.start();
      const result = await sync(instance, store, {
        scopes,
        ...(entities.length === 0 ? {} : { entities }),
        full,
        massDelete,
        signal,
        log,
        onProgress,
      });
      await embedder.drained(signal, request.onEmbedding ?? (() => undefined));
      return result;
    });
  });
}

/** What a command that only looks at a store or tidies it needs to know. */
export interface OperatorRequest {
  readonly connectorId: string;
  readonly signal: AbortSignal;
}

/** How far each entity of each scope of a connector instance is cached. @throws TenonError, SettingsError as {@link runSync} */
export async function runStatus(
  settings: Settings,
  { connectorId, signal }: OperatorRequest,
  sink: LogSink,
  connectors: readonly Connector[] = generatedConnectors,
): Promise<EntityStatus[]> {
  return withTarget(settings, connectorId, connectors, (target) =>
    withInstance(settings, target, signal, sink, connectors, async ({ store, stored }) => {
      const [states, schedule, running] = await Promise.all([store.states(stored), store.schedule(stored), store.leased(stored)]);
      return syncStatus(target.connector, states, { schedule, running, now: Date.now() });
    }),
  );
}

/** How far the texts of a connector instance are embedded. @throws TenonError, SettingsError as {@link runSync} */
export async function runSemanticStatus(
  settings: Settings,
  { connectorId, signal }: OperatorRequest,
  sink: LogSink,
  connectors: readonly Connector[] = generatedConnectors,
): Promise<SemanticStatus[]> {
  return withTarget(settings, connectorId, connectors, (target) =>
    withInstance(settings, target, signal, sink, connectors, async ({ store, stored }) =>
      semanticStatus(await store.semanticStates(stored)),
    ),
  );
}

/** Removes a scope from the store. @throws TenonError as `forgetScope`; SettingsError when the data folder cannot be used */
export async function runForget(
  settings: Settings,
  { connectorId, signal, scope }: OperatorRequest & { readonly scope: string },
  sink: LogSink,
  connectors: readonly Connector[] = generatedConnectors,
): Promise<Forgotten> {
  return withTarget(settings, connectorId, connectors, (target) =>
    withInstance(settings, target, signal, sink, connectors, ({ store, stored }) =>
      forgetScope(target.connector, stored, store, scope, signal),
    ),
  );
}

/**
 * Removes a connector that was added, with its credential and its cached records. A sync that is under way, in whatever process, ends and
 * stores nothing more.
 *
 * @throws TenonError `unknown_connector` when no such connector was added; SettingsError
 */
export async function runRemove(
  settings: Settings,
  { connectorId, signal }: OperatorRequest,
  sink: LogSink,
  connectors: readonly Connector[] = generatedConnectors,
): Promise<void> {
  await withTarget(settings, connectorId, connectors, async (target) => {
    const { accounts, added } = target;
    if (added === undefined) throw noConnector(connectorId);
    // Nothing is synced on a schedule any longer.
    await accounts.store.changeInstance(connectorId, { scopes: [] });
    await withInstance(settings, target, signal, sink, connectors, ({ store, stored }) =>
      forgetInstance(stored, store, signal, () => removeConnector(accounts.store, connectorId)),
    );
  });
}

/** What a connector id stands for: a connector of the settings, or one that was added. */
interface SyncTarget {
  readonly connector: Connector;
  readonly added: StoredInstance | undefined;
  readonly accounts: Accounts;
}

/** @throws TenonError `unknown_connector`, SettingsError when the data folder cannot be used */
async function withTarget<Result>(
  settings: Settings,
  id: string,
  connectors: readonly Connector[],
  work: (target: SyncTarget) => Promise<Result>,
): Promise<Result> {
  const accounts = await openAccounts(settings);
  try {
    const added = accounts.secured === undefined ? undefined : await accounts.store.instance(id);
    const connector = connectors.find(({ name }) => name === (added?.connector ?? id));
    if (connector !== undefined) return await work({ connector, added, accounts });
    throw unknownConnector(id, connectors);
  } finally {
    await accounts.close();
  }
}

interface Opened {
  readonly instance: ConnectorInstance;
  readonly store: Store & SemanticStore;
  readonly embedder: Embedder;
  readonly stored: StoreInstance;
  readonly log: Logger;
}

/**
 * Opens the store and the instance of a connector for the time of some work.
 *
 * @throws TenonError `connector_not_configured` before anything is opened
 */
async function withInstance<Result>(
  settings: Settings,
  { connector, added, accounts }: SyncTarget,
  signal: AbortSignal,
  sink: LogSink,
  connectors: readonly Connector[],
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  if (added === undefined && modeOf(connectors, settings).get(connector.name)?.kind === "off")
    throw new TenonError("connector_not_configured", offText(connector));
  makeDataFolder(settings.dataDir);
  const assembly = await assemble(settings, sink, connectors, accounts);
  const { log, store, embedder, instances, close } = assembly;
  try {
    await unless(signal, store.ready);
    const others = storedInstances(settings, accounts, connectors, assembly);
    const instance = added === undefined ? instances.get(connector.name) : await others?.find(added.id);
    if (instance === undefined) throw new Error("the instance was not made");
    return await work({ instance, store, embedder, stored: storedAs(instance), log });
  } finally {
    await close();
    await flushed(sink);
  }
}

/** @throws TenonError `shutting_down` when the signal comes first */
function unless(signal: AbortSignal, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new TenonError("shutting_down", "The sync was stopped before it started."));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
