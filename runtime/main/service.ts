import type { Server } from "node:http";
import { AuditLog, type AuditStore } from "../accounts/index.ts";
import { within } from "../base/deadline.ts";
import { flushed, type Logger, type LogSink, standardOutput } from "../base/log.ts";
import type { Redact } from "../base/redact.ts";
import { compatRoutes } from "../compat/routes.ts";
import type { Connector } from "../contract/index.ts";
import type { SharedLimits } from "../fleet/index.ts";
import { Answers } from "../server/answers.ts";
import { type ApiKey, keptApiKey, newApiKey } from "../server/api-key.ts";
import { createApp } from "../server/app.ts";
import type { Authorizations } from "../server/authorization-route.ts";
import { tokenCheck, tokenHash } from "../server/bearer.ts";
import { Gate } from "../server/gate.ts";
import { createHealthApp } from "../server/health.ts";
import { Usages } from "../server/limits/usages.ts";
import { listen } from "../server/listen.ts";
import { Metrics } from "../server/metrics.ts";
import { createMetricsApp } from "../server/metrics-app.ts";
import { SyncRuns, SyncSchedule } from "../sync/index.ts";
import { type Accounts, openAccounts } from "./accounts.ts";
import { assemble, connectors as generatedConnectors, version } from "./assembly.ts";
import { finishAuthorization, startAuthorization } from "./authorization.ts";
import { makeDataFolder } from "./data-folder.ts";
import { listInstances } from "./list-instances.ts";
import { type Mode, modeOf } from "./mode.ts";
import { type OperatorPage, operatorPage } from "./operator-page.ts";
import { scheduledScopes } from "./scheduled-scopes.ts";
import type { Settings } from "./settings.ts";
import { storedInstances } from "./stored-instances.ts";
import { StoredSchedules } from "./stored-schedules.ts";

/** Milliseconds that syncs and store have to end after the last request has. */
const closingTime = 3000;

/** What a process does: `serve` answers requests, `work` syncs on schedules and embeds texts, `all` does both. */
export type Role = "all" | "serve" | "work";

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
  /**
   * Ends what is under way, then stops. Resolves at the latest `shutdownMs` and a few seconds later, whatever hangs. True when nothing
   * had to be cut off.
   */
  close(): Promise<boolean>;
}

/**
 * Starts the service with one connector instance per connector.
 *
 * @param warnings written to the log first
 * @param connectors those of this repository; tests give others
 * @param role one that is not `all` is for several processes that share a database, or the files of one machine
 * @throws SettingsError for settings that cannot be used, or Error when the address or the key file cannot be used
 */
export async function startService(
  settings: Settings,
  warnings: readonly string[],
  sink: LogSink = standardOutput(),
  connectors: readonly Connector[] = generatedConnectors,
  role: Role = "all",
): Promise<Service> {
  const modes = modeOf(connectors, settings);
  const modeKind = ({ name }: Connector) => modes.get(name)?.kind ?? "off";
  const scheduled = scheduledScopes(settings.syncScopes, connectors, (connector) => modeKind(connector) !== "off");
  makeDataFolder(settings.dataDir);
  const accounts = await openAccounts(settings);
  const {
    log,
    redaction,
    store,
    semantic,
    embedder,
    instances,
    starting,
    off,
    usable,
    ready: assembled,
    ...assembly
  } = await assemble(settings, sink, connectors, accounts);
  const stored = storedInstances(settings, accounts, connectors, { redaction, store, semantic });
  const close = async () => {
    page?.close();
    metricsServer?.close();
    metricsServer?.closeAllConnections();
    await assembly.close();
    await audit?.close();
    await accounts.close();
  };
  for (const warning of [...warnings, ...accounts.warnings, ...off.values(), ...scheduled.warnings]) log.warn(warning);
  const served = connectors.map((connector) => ({ id: connector.name, connector, mode: modeKind(connector) }));
  const named = (kind: Mode["kind"]) => served.filter(({ mode }) => mode === kind).map(({ id }) => id);
  const trial = named("real").length === 0;
  const runs = new SyncRuns(store, log);
  const audit = auditOf(settings, accounts.store, log);
  let isReady = false;
  let page: OperatorPage | undefined;
  let metricsServer: Server | undefined;
  const gate = new Gate(settings.maxRequests);
  const answers = new Answers(settings.maxUnsentMib * 1024 * 1024);
  const isServing = () => isReady && store.healthy;
  const place = {
    host: settings.host,
    port: settings.port,
    maxConnections: settings.maxConnections,
    writeTimeout: settings.writeTimeoutMs,
    log,
  };
  const { server, url, madeKey } = await (role === "work" ? beginWork() : begin()).catch(async (thrown: unknown) => {
    await close();
    await flushed(sink);
    throw thrown;
  });
  async function beginWork() {
    const app = createHealthApp({ instances, off, ready: isServing, gate, answers, log });
    return { ...(await listen(app, place)), madeKey: undefined };
  }
  async function begin() {
    const key = apiKeyOf(settings, trial);
    // Without a secret key no instance can be stored, so that every platform behind the key is simulated.
    const isAlone = trial && accounts.secured === undefined && settings.trustProxy.length === 0;
    const limits = limitsOf(settings, accounts.store.limits);
    const metrics = new Metrics(gate);
    const list = () => listInstances(connectors, { instances, off }, stored);
    const compat = compatRoutes({
      instances: { instances, starting, off, stored },
      list,
      connectors,
      tokenHash: key.hash,
      client: settings.compatClientId === "" ? undefined : { id: settings.compatClientId, secret: settings.compatClientSecret },
      dataDir: settings.dataDir,
      stored: accounts.secured && {
        callers: accounts.secured.callers,
        hasClient: async () => (await accounts.store.callers("client")).length > 0,
      },
      writes: accounts.store,
      log,
      metrics,
      audit,
      gate,
      limits,
      answers,
      timeout: settings.timeoutMs,
    });
    if (settings.adminPage)
      page = await operatorPage({
        version,
        instances: { instances, starting, off, stored },
        list,
        audit: audit === undefined ? undefined : accounts.store,
        gate,
        ready: isServing,
        check: tokenCheck(key.hash, accounts.secured?.callers),
        limits,
      });
    const app = createApp({
      instances,
      starting,
      off,
      stored,
      list,
      more: page === undefined ? [compat] : [compat, page.routes],
      tokenHash: key.hash,
      authorizations: authorizationsOf(settings, accounts, connectors, { redact: redaction.redact, url: () => url }),
      writes: accounts.store,
      redact: redaction.redact,
      syncs: runs,
      syncScopes: async (id) => scheduled.scopes.get(id) ?? (await accounts.store.instance(id))?.scopes ?? [],
      callers: accounts.secured?.callers,
      log,
      gate,
      limits,
      edge: { origins: settings.corsOrigins, proxies: settings.trustProxy },
      metrics,
      audit,
      searches: page?.searches,
      answers,
      ready: isServing,
      timeout: settings.timeoutMs,
      connectors: new Map(connectors.map((connector) => [connector.name, connector])),
      mcpWrites: settings.mcpWrites,
      docs: { folder: new URL("../../dist/docs/", import.meta.url), consoleKey: isAlone ? key.shown : undefined },
      descriptions: { version, connectors: new Map(connectors.map(({ name, openapi }) => [name, openapi])) },
    });
    const listening = await listen(app, place);
    try {
      metricsServer = await listenForMetrics(settings, metrics, log);
      // The hash of a new key is stored only now, when nothing can keep the key from being shown.
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
      role,
      connectors: served.map(({ id }) => id),
      simulated: named("simulated"),
      off: named("off"),
    },
    "listening",
  );

  await flushed(sink);

  const schedules: (SyncSchedule | StoredSchedules)[] = [];
  let closing = false;
  const ready = assembled.then(async () => {
    // Schedules and embedding are for the processes that sync.
    if (closing || role === "serve") return;
    embedder.start();
    const starts = [...instances].map(([id, instance]) => {
      const scopes = scheduled.scopes.get(id) ?? [];
      if (scopes.length === 0)
        return store.setSchedule({ connector: instance.connector.name, instance: instance.storeName }, null);
      const schedule = new SyncSchedule(instance, store, { scopes, minutes: settings.syncMinutes }, log, runs);
      schedules.push(schedule);
      return schedule.start();
    });
    if (stored !== undefined) {
      const follower = new StoredSchedules(stored, store, log, runs);
      schedules.push(follower);
      starts.push(follower.start());
    }
    await Promise.all(starts);
  });
  usable.then(
    () => {
      isReady = true;
    },
    () => undefined,
  );
  // Without this, a failure would end the process where nobody waits for `ready`.
  ready.catch(() => undefined);

  return {
    url,
    instances: served,
    trial,
    madeKey,
    ready,
    close: async () => {
      closing = true;
      const stop = async () => {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        const syncs = Promise.all([...schedules.map((schedule) => schedule.stop()), runs.close()]);
        const clean = await gate.close(settings.shutdownMs);
        // A caller who only holds a connection open, or never ends its request, does not hold up the end.
        server.closeAllConnections();
        await closed;
        await syncs;
        await close();
        return clean;
      };
      const clean = await within(settings.shutdownMs + closingTime, stop(), () => {
        log.error("a part of the service did not end in time and is left as it is");
        return false;
      });
      log.info({ clean }, "stopped");
      await flushed(sink);
      return clean;
    },
  };
}

/** A trial, on simulated platforms only, makes a new key at each start, so that it can always show one. */
function apiKeyOf(settings: Settings, trial: boolean): ApiKey {
  if (settings.apiKey !== "") return { hash: tokenHash(settings.apiKey), shown: undefined };
  return trial ? newApiKey() : keptApiKey(settings.dataDir);
}

/** Lets users authorize stored instances; undefined where none can be stored. @param url the address on which the service listens */
function authorizationsOf(
  { publicUrl, platforms, allowPrivateAddresses: allowPrivate }: Settings,
  { store, secured }: Accounts,
  connectors: readonly Connector[],
  { redact, url }: { readonly redact: Redact; readonly url: () => string },
): Authorizations | undefined {
  if (secured === undefined) return undefined;
  const options = () => ({
    store,
    keys: secured.keys,
    connectors,
    platforms,
    allowPrivate,
    redact,
    publicUrl: publicUrl || url(),
  });
  return {
    start: (id, caller) => startAuthorization(options(), id, caller),
    finish: (returned) => finishAuthorization(options(), returned),
  };
}

/** Serves the metrics on a port of their own; undefined where the settings want none. @throws Error as {@link listen} */
async function listenForMetrics(settings: Settings, metrics: Metrics, log: Logger): Promise<Server | undefined> {
  const { metricsHost: host, metricsPort: port, writeTimeoutMs: writeTimeout } = settings;
  if (port === 0) return undefined;
  const chosenBy = { port: "TENON_METRICS_PORT", host: "TENON_METRICS_HOST" };
  const options = { host, port, maxConnections: 100, writeTimeout, log, chosenBy };
  const { server, url } = await listen(createMetricsApp(metrics, log), options);
  log.info({ url }, "listening for metrics");
  return server;
}

/** The audit log; undefined where the settings want none. */
function auditOf({ auditDays }: Settings, store: AuditStore, log: Logger): AuditLog | undefined {
  if (auditDays === 0) return undefined;
  return new AuditLog({ store, age: auditDays * 86_400_000, tell: (problem) => log.error(problem) });
}

/** The limits of callers. Those of the settings count for everybody, the usual ones only for stored callers. */
function limitsOf(settings: Settings, shared: SharedLimits | undefined): Usages {
  const given = {
    requests: settings.callerRequests,
    concurrent: settings.callerConcurrent,
    writes: settings.callerWrites,
    points: settings.callerPoints,
    searchSeconds: settings.callerSearchSeconds,
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, limit]) => limit > 0));
  return new Usages({ ...usualLimits, ...set }, set, { shared });
}

/** What keys and clients may use where neither they nor the settings have another limit. */
const usualLimits = { requests: 6_000, concurrent: 100, writes: 60, points: 1_000, searchSeconds: 60 } as const;
