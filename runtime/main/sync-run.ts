import { TenonError } from "../base/errors.ts";
import { flushed, type LogSink } from "../base/log.ts";
import type { Connector } from "../contract/index.ts";
import { checkEntities, type EmbeddingProgress, type Progress, readScopes, type SyncResult, sync } from "../sync/index.ts";
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
  const connector = connectors.find(({ name }) => name === request.connectorId);
  if (connector === undefined)
    throw new TenonError(
      "unknown_connector",
      `There is no connector "${request.connectorId}"; there is ${connectors.map(({ name }) => name).join(", ")}.`,
    );
  const scopes = readScopes(connector, request.scopes);
  checkEntities(connector, request.entities, scopes);
  if (modeOf(connectors, settings).get(connector.name)?.kind === "off")
    throw new TenonError("connector_not_configured", offText(connector));
  makeDataFolder(settings.dataDir);
  const { log, store, embedder, instances, ready, close } = assemble(settings, sink, connectors);
  try {
    await unless(request.signal, ready);
    const instance = instances.get(connector.name);
    if (instance === undefined) throw new Error("the instance was not made");
    const { full, massDelete, signal, onProgress, entities } = request;
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
