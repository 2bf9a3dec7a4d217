import type { Connector } from "../contract/index.ts";
import { flushed, type LogSink, standardOutput } from "../log.ts";
import { type ApiKey, keptApiKey, newApiKey } from "../server/api-key.ts";
import { createApp } from "../server/app.ts";
import { tokenHash } from "../server/bearer.ts";
import { listen } from "../server/listen.ts";
import { Gate } from "../server/requests.ts";
import type { Settings } from "../settings.ts";
import { readScopes, SyncSchedule } from "../sync/index.ts";
import { assemble, connectors, version } from "./assembly.ts";

export interface Service {
  readonly url: string;
  /** Connector instances, and whether they talk to the simulated platform. */
  readonly instances: readonly { readonly id: string; readonly connector: Connector; readonly simulated: boolean }[];
  /** The key that was made for this start, to be shown once. */
  readonly madeKey: string | undefined;
  /** Resolves when instances, cache and schedules are all there. Live actions may work before that. */
  readonly ready: Promise<void>;
  /** Ends what is under way, then stops. True when nothing had to be cut off. */
  close(): Promise<boolean>;
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
  let isReady = false;
  const gate = new Gate(settings.maxRequests);
  const { server, url, madeKey } = await begin().catch(async (thrown: unknown) => {
    await close();
    await flushed(sink);
    throw thrown;
  });
  async function begin() {
    const key = apiKeyOf(settings, simulated.length === connectors.length);
    const app = createApp({
      instances,
      tokenHash: key.hash,
      log,
      gate,
      ready: () => isReady && store.healthy,
      timeout: settings.timeoutMs,
    });
    const listening = await listen(app, settings.host, settings.port);
    try {
      // Not before it is certain that the key will be shown.
      key.keep?.();
    } catch (thrown) {
      listening.server.close();
      throw thrown;
    }
    return { ...listening, madeKey: key.shown };
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
  let closing = false;
  const ready = assembled.then(async () => {
    if (closing) return;
    const starts = [...instances].map(([id, instance]) => {
      const scopes = scheduled.get(id) ?? [];
      if (scopes.length === 0)
        return store.setSchedule({ connector: instance.connector.name, instance: instance.storeName }, null);
      const schedule = new SyncSchedule(instance, store, { scopes, minutes: settings.syncMinutes }, log);
      schedules.push(schedule);
      return schedule.start();
    });
    await Promise.all(starts);
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
    madeKey,
    ready,
    close: async () => {
      closing = true;
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

/** In a trial nothing has to be protected from yesterday's callers: the key is made anew each time, so that it can be shown. */
function apiKeyOf(settings: Settings, trial: boolean): ApiKey {
  if (settings.apiKey !== "") return { hash: tokenHash(settings.apiKey), shown: undefined };
  return trial ? newApiKey() : keptApiKey(settings.dataDir);
}
