import { TenonError } from "../base/errors.ts";
import { flushed, type LogSink } from "../base/log.ts";
import type { Connector } from "../contract/index.ts";
import { checkEntities, type Progress, readScopes, type SyncResult, sync } from "../sync/index.ts";
import { type Accounts, openAccounts } from "./accounts.ts";
import { assemble, connectors as generatedConnectors } from "./assembly.ts";
import { modeOf, offText } from "./mode.ts";
import type { Settings } from "./settings.ts";
import { storedInstances } from "./stored-instances.ts";

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
  const accounts = await openAccounts(settings);
  try {
    return await runWith(settings, request, sink, connectors, accounts);
  } finally {
    await accounts.close();
  }
}

async function runWith(
  settings: Settings,
  request: SyncRequest,
  sink: LogSink,
  connectors: readonly Connector[],
  accounts: Accounts,
): Promise<SyncResult> {
  const { connectorId } = request;
  const added = accounts.secured === undefined ? undefined : await accounts.store.instance(connectorId);
  const connector = connectors.find(({ name }) => name === (added?.connector ?? connectorId));
  if (connector === undefined) {
    const names = connectors.map(({ name }) => name).join(", ");
    throw new TenonError("unknown_connector", `There is no connector "${connectorId}"; there is ${names}.`);
  }
  const given = request.scopes.length === 0 && added !== undefined ? added.scopes : request.scopes;
  const scopes = readScopes(connector, given);
  checkEntities(connector, request.entities, scopes);
  if (added === undefined && modeOf(connectors, settings).get(connector.name)?.kind === "off")
    throw new TenonError("connector_not_configured", offText(connector));
  const assembly = assemble(settings, sink, connectors);
  const { log, store, instances, ready, close } = assembly;
  try {
    await unless(request.signal, ready);
    const stored = storedInstances(settings, accounts, connectors, assembly);
    const instance = added === undefined ? instances.get(connector.name) : await stored?.find(connectorId);
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

/** @throws TenonError `shutting_down` when the signal comes first */
function unless(signal: AbortSignal, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new TenonError("shutting_down", "The sync was asked to stop before it began."));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
