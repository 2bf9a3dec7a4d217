import type { Connector } from "../contract/index.ts";
import { flushed, type LogSink, standardOutput } from "../log.ts";
import { type ApiKey, keptApiKey, newApiKey } from "../server/api-key.ts";
import { createApp } from "../server/app.ts";
import { tokenHash } from "../server/bearer.ts";
import { listen } from "../server/listen.ts";
import { Gate } from "../server/requests.ts";
import type { Settings } from "../settings.ts";
import { SyncSchedule } from "../sync/index.ts";
import { assemble, connectors as generatedConnectors, version } from "./assembly.ts";
import { type Mode, modeOf } from "./mode.ts";
import { scheduledScopes } from "./scheduled-scopes.ts";

export interface Service {
  readonly url: string;
  /** Every connector, and where its answers come from. */
  readonly instances: readonly { readonly id: string; readonly connector: Connector; readonly mode: Mode["kind"] }[];
  /** No connector has a credential, so nothing real is read or written. */
  readonly trial: boolean;
  /** The key that was made for this start, to be shown once. */
  readonly madeKey: string | undefined;
  /** Resolves when instances, cache and schedules are all there. Live actions may work before that. */
  readonly ready: Promise<void>;
  /** Lets requests under way end, then stops. True when all of them ended in time. */
  close(): Promise<boolean>;
}

/**
 * Starts the service with one connector instance per connector.
 *
 * @param warnings what is to be said in the log before anything else
 * @param connectors those of this repository; tests give others
 * @throws TenonError for scopes that make no sense; Error when it cannot listen or cannot use its data directory
 */
export async function startService(
  settings: Settings,
  warnings: readonly string[],
  sink: LogSink = standardOutput(),
  connectors: readonly Connector[] = generatedConnectors,
): Promise<Service> {
  const isOn = ({ name }: Connector) => modes.get(name)?.kind !== "off";
  const modes = modeOf(connectors, settings);
  const scheduled = scheduledScopes(connectors, isOn, settings.syncScopes);
  const { log, store, instances, off, usable, ready: assembled, close } = assemble(settings, sink, connectors);
  for (const warning of [...warnings, ...off.values(), ...scheduled.warnings]) log.warn(warning);
  const served = connectors.map((connector) => ({
    id: connector.name,
    connector,
    mode: modes.get(connector.name)?.kind ?? "off",
  }));
  const named = (kind: Mode["kind"]) => served.filter(({ mode }) => mode === kind).map(({ id }) => id);
  const trial = named("real").length === 0;
  let isReady = false;
  const gate = new Gate(settings.maxRequests);
  const { server, url, madeKey } = await begin().catch(async (thrown: unknown) => {
    await close();
    await flushed(sink);
    throw thrown;
  });
  async function begin() {
    const key = apiKeyOf(settings, trial);
    const app = createApp({ instances, off, tokenHash: key.hash, log, gate, ready: () => isReady, timeout: settings.timeoutMs });
    const listening = await listen(app, settings.host, settings.port);
    try {
      // The hash of a new key is kept only now, when it is certain that the key will be shown.
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
      connectors: served.map(({ id }) => id),
      simulated: named("simulated"),
      off: named("off"),
    },
    "listening",
  );

  await flushed(sink);

  const schedules: SyncSchedule[] = [];
  let closing = false;
  const ready = assembled.then(async () => {
    if (closing) return;
    const starts = [...instances].map(([id, instance]) => {
      const scopes = scheduled.scopes.get(id) ?? [];
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
  // A caller who does not wait for `ready` must not end with an unhandled rejection.
  ready.catch(() => undefined);

  return {
    url,
    instances: served,
    trial,
    madeKey,
    ready,
    close: async () => {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const syncs = Promise.all(schedules.map((schedule) => schedule.stop()));
      const clean = await gate.close(settings.shutdownMs);
      // Connections that are idle, or whose request never ends, must not delay the end.
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

/** The key that callers must send. In a trial a new one is made at every start, so that it can be shown: there is nothing real to protect. */
function apiKeyOf(settings: Settings, trial: boolean): ApiKey {
  if (settings.apiKey !== "") return { hash: tokenHash(settings.apiKey), shown: undefined };
  return trial ? newApiKey() : keptApiKey(settings.dataDir);
}
