import type { Server } from "node:http";
import type { AuditLog } from "../accounts/index.ts";
import type { Logger } from "../base/log.ts";
import { compatRoutes } from "../compat/routes.ts";
import type { Connector } from "../contract/index.ts";
import { Answers } from "../server/answers.ts";
import { type ApiKey, keptApiKey, newApiKey } from "../server/api-key.ts";
import { createApp } from "../server/app.ts";
import type { Authorizations } from "../server/authorization-route.ts";
import { tokenCheck, tokenHash } from "../server/bearer.ts";
import type { Gate } from "../server/gate.ts";
import { createHealthApp } from "../server/health.ts";
import { listen } from "../server/listen.ts";
import { Metrics } from "../server/metrics.ts";
import { createMetricsApp } from "../server/metrics-app.ts";
import type { SyncRuns } from "../sync/index.ts";
import type { Accounts } from "./accounts.ts";
import { type Assembly, version } from "./assembly.ts";
import { finishAuthorization, startAuthorization } from "./authorization.ts";
import { limitsOf } from "./caller-limits.ts";
import { listInstances } from "./list-instances.ts";
import { type OperatorPage, operatorPage } from "./operator-page.ts";
import type { Settings } from "./settings.ts";
import type { StoredInstances } from "./stored-instances.ts";

/** What the routes of a service are made of. */
export interface FrontParts extends Pick<Assembly, "instances" | "starting" | "off" | "log" | "redaction"> {
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly connectors: readonly Connector[];
  readonly stored: StoredInstances | undefined;
  readonly runs: SyncRuns;
  readonly audit: AuditLog | undefined;
  readonly gate: Gate;
  /** No connector has a credential, so nothing real is read or written. */
  readonly trial: boolean;
  /** The scopes that the settings put on a schedule, by the ids of instances. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  readonly ready: () => boolean;
}

/** The addresses on which a process is reached. */
export interface Front {
  readonly url: string;
  readonly server: Server;
  /** The key that was made for this start, to be shown once. */
  readonly madeKey: string | undefined;
  /** Closes the operator's page and the port of the metrics. */
  close(): void;
}

/** Answers nothing but probes: a process that only syncs has no callers. @throws Error as {@link listen} */
export async function openProbes(parts: FrontParts): Promise<Front> {
  const app = createHealthApp({ ...parts, answers: answersOf(parts.settings) });
  return { ...(await listen(app, placeOf(parts))), madeKey: undefined, close: () => undefined };
}

/** Answers callers. @throws Error when an address or the key file cannot be used */
export async function openFront(parts: FrontParts): Promise<Front> {
  const { settings, accounts, connectors, instances, starting, off, stored, log, gate, audit } = parts;
  const key = apiKeyOf(settings, parts.trial);
  const limits = limitsOf(settings, accounts.store.limits);
  const metrics = new Metrics(gate);
  const found = { instances, starting, off, stored };
  const common = {
    list: () => listInstances(connectors, { instances, off }, stored),
    tokenHash: key.hash,
    writes: accounts.store,
    log,
    metrics,
    audit,
    gate,
    limits,
    answers: answersOf(settings),
    timeout: settings.timeoutMs,
  };
  const page = settings.adminPage ? await pageOf(parts, key, common) : undefined;
  const compat = compatRoutes({ ...common, ...compatOf(parts), instances: found, connectors, dataDir: settings.dataDir });
  const app = createApp({
    ...common,
    ...found,
    more: page === undefined ? [compat] : [compat, page.routes],
    authorizations: authorizationsOf(parts, () => listening.url),
    redact: parts.redaction.redact,
    syncs: parts.runs,
    syncScopes: async (id) => parts.scopes.get(id) ?? (await accounts.store.instance(id))?.scopes ?? [],
    callers: accounts.secured?.callers,
    edge: { origins: settings.corsOrigins, proxies: settings.trustProxy },
    searches: page?.searches,
    ready: parts.ready,
    connectors: new Map(connectors.map((connector) => [connector.name, connector])),
    mcpWrites: settings.mcpWrites,
    docs: { folder: new URL("../../dist/docs/", import.meta.url), consoleKey: isAlone(parts) ? key.shown : undefined },
    descriptions: { version, connectors: new Map(connectors.map(({ name, openapi }) => [name, openapi])) },
  });
  let metricsServer: Server | undefined;
  const close = () => {
    page?.close();
    metricsServer?.close();
    metricsServer?.closeAllConnections();
  };
  const listening = await listen(app, placeOf(parts)).catch((thrown: unknown) => {
    close();
    throw thrown;
  });
  try {
    metricsServer = await listenForMetrics(settings, metrics, log);
    // The hash of a new key is stored only now, when nothing can keep the key from being shown.
    key.keep?.();
  } catch (thrown) {
    listening.server.close();
    close();
    throw thrown;
  }
  return { ...listening, madeKey: key.shown, close };
}

function answersOf({ maxUnsentMib }: Settings): Answers {
  return new Answers(maxUnsentMib * 1024 * 1024);
}

function placeOf({ settings, log }: FrontParts) {
  const { host, port, maxConnections, writeTimeoutMs: writeTimeout } = settings;
  return { host, port, maxConnections, writeTimeout, log };
}

/** Without a secret key no instance can be stored, so that every platform behind the key is simulated. */
function isAlone({ trial, accounts, settings }: FrontParts): boolean {
  return trial && accounts.secured === undefined && settings.trustProxy.length === 0;
}

function pageOf(
  { accounts, audit, ready, instances, starting, off, stored }: FrontParts,
  key: ApiKey,
  { list, gate, limits }: Pick<Parameters<typeof operatorPage>[0], "list" | "gate" | "limits">,
): Promise<OperatorPage> {
  return operatorPage({
    version,
    instances: { instances, starting, off, stored },
    list,
    audit: audit === undefined ? undefined : accounts.store,
    gate,
    ready,
    check: tokenCheck(key.hash, accounts.secured?.callers),
    limits,
  });
}

/** Who may use the addresses for the client of another service. */
function compatOf({ settings, accounts: { secured, store } }: FrontParts) {
  const { compatClientId: id, compatClientSecret: secret } = settings;
  return {
    client: id === "" ? undefined : { id, secret },
    stored: secured && { callers: secured.callers, hasClient: async () => (await store.callers("client")).length > 0 },
  };
}

/** A trial, on simulated platforms only, makes a new key at each start, so that it can always show one. */
function apiKeyOf(settings: Settings, trial: boolean): ApiKey {
  if (settings.apiKey !== "") return { hash: tokenHash(settings.apiKey), shown: undefined };
  return trial ? newApiKey() : keptApiKey(settings.dataDir);
}

/** Lets users authorize stored instances; undefined where none can be stored. @param url the address on which the service listens */
function authorizationsOf(
  { settings, accounts: { store, secured }, connectors, redaction }: FrontParts,
  url: () => string,
): Authorizations | undefined {
  const { publicUrl, platforms, allowPrivateAddresses: allowPrivate } = settings;
  if (secured === undefined) return undefined;
  const options = () => ({
    store,
    keys: secured.keys,
    connectors,
    platforms,
    allowPrivate,
    redact: redaction.redact,
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
