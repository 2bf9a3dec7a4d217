import type { Server } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import { type AuditLog, fullGrant, keyedHash, refusedSecrets } from "../accounts/index.ts";
import { Lately } from "../base/lately.ts";
import type { LoggedProblem } from "../base/log-tail.ts";
import type { Logger } from "../base/logger.ts";
import { compatRoutes } from "../compat/routes.ts";
import type { Connector } from "../contract/index.ts";
import { Answers } from "../server/answers.ts";
import { createApp } from "../server/app.ts";
import { type ApiKey, keptApiKey, newApiKey } from "../server/callers/api-key.ts";
import { tokenCheck, tokenHash } from "../server/callers/bearer.ts";
import { Strangers } from "../server/callers/strangers.ts";
import { listen } from "../server/connections/listen.ts";
import type { Gate } from "../server/gate.ts";
import { instanceOf } from "../server/instance-of.ts";
import { repeatedRequests } from "../server/monitoring/access-log.ts";
import { createHealthApp } from "../server/monitoring/health.ts";
import { HealthReport, reportLifetime } from "../server/monitoring/instance-health.ts";
import { Metrics } from "../server/monitoring/metrics.ts";
import { createMetricsApp } from "../server/monitoring/metrics-app.ts";
import type { SubscriptionSource } from "../server/monitoring/subscription-gauges.ts";
import type { Authorizations } from "../server/routes/authorization-route.ts";
import type { McpOptions } from "../server/routes/mcp-route.ts";
import type { SyncControl } from "../server/routes/sync-control-route.ts";
import { createWaitingApp } from "../server/waiting-app.ts";
import type { Subscriptions } from "../subscriptions/index.ts";
import type { RunningSyncs } from "../sync/index.ts";
import type { Accounts } from "./accounts.ts";
import { type Assembly, version } from "./assembly.ts";
import { finishAuthorization, startAuthorization } from "./authorization.ts";
import { limitsOf } from "./caller-limits.ts";
import { docsFolder, ownDocsFolder } from "./docs-folder.ts";
import { listInstances } from "./instances/list-instances.ts";
import type { StoredInstances } from "./instances/stored-instances.ts";
import { issuerOf } from "./issuer.ts";
import { operatorActions } from "./operator/operator-actions.ts";
import { type OperatorPage, operatorPage, systemFacts } from "./operator/operator-page.ts";
import type { Settings } from "./settings/settings.ts";
import { type PlatformWebhooks, platformWebhooks } from "./webhooks.ts";

/** What the routes of a service are made of. */
export interface FrontParts extends Pick<Assembly, "instances" | "off" | "log" | "redaction" | "proposals"> {
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly connectors: readonly Connector[];
  readonly stored: StoredInstances | undefined;
  readonly runningSyncs: RunningSyncs;
  readonly audit: AuditLog | undefined;
  readonly gate: Gate;
  /** No connector has a credential, so nothing real is read or written. */
  readonly trial: boolean;
  /** Whether every platform is simulated, also those of connectors that were added. */
  readonly isSimulated: boolean;
  /** The scopes that the settings put on a schedule, by the ids of instances. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  readonly ready: () => boolean;
  /** Why the context store cannot be opened yet. */
  readonly problem: () => string | undefined;
  /** Whether the context store can be used. */
  readonly storeUp: () => boolean;
  /** The latest warnings and errors of the log, the latest first. */
  readonly logged: () => readonly LoggedProblem[];
  /** Whether this process syncs on schedules. */
  readonly syncs: boolean;
  /** Called when a webhook has named something to read. */
  readonly onHints: () => void;
  readonly subscriptions: Subscriptions;
  /** How many deliveries of subscriptions have ended how in this process. */
  readonly deliveries: SubscriptionSource["deliveries"];
}

/** The addresses on which a process is reached. */
export interface Front {
  readonly url: string;
  readonly server: Server;
  /** The key that was made for this start, to be shown once. */
  readonly madeKey: string | undefined;
  /** Closes the operator's page and the port of the metrics, and notes what is not noted yet. */
  close(): void;
}

/** Answers nothing but probes: a process that only syncs has no callers. @throws Error as {@link listen} */
export async function openProbes(parts: FrontParts): Promise<Front> {
  const { ready, problem, gate, log, settings } = parts;
  const app = createHealthApp({ ...healthOf(parts), instances: parts, ready, problem, gate, log, answers: answersOf(settings) });
  return { ...(await listen(app, placeOf(parts))), madeKey: undefined, close: () => undefined };
}

/** Answers probes while the process waits for its database. @throws Error as {@link listen} */
export function listenWhileWaiting(settings: Settings, log: Logger, problem: () => string) {
  return listen(createWaitingApp(log, problem), placeOf({ settings, log }));
}

/** Answers callers. @throws Error when an address or the key file cannot be used */
export async function openFront(parts: FrontParts): Promise<Front> {
  const { settings, accounts, connectors, instances, off, stored, log, gate, audit } = parts;
  const key = apiKeyOf(settings, parts.trial);
  const limits = limitsOf(settings, accounts.store.limits);
  const repeated = repeatedRequests(log, audit);
  const found = { instances, off, stored };
  const { list, health } = healthOf(parts);
  const { deliveries, subscriptions } = parts;
  const find = (id: string) => instanceOf({ instances, off, stored }, id, { grant: fullGrant });
  const webhooks = platformWebhooks({ ...parts, count: (...ended) => metrics.delivered(...ended), url: () => listening.url });
  const metrics = new Metrics(gate, health, {
    subscriptions: { deliveries, states: () => subscriptions.states(find) },
    webhooks: async () => webhooks.states(await health.report()),
  });
  const common = {
    list,
    tokenHash: key.hash,
    strangers: new Strangers(),
    repeated,
    writes: accounts.store,
    log,
    metrics,
    audit,
    gate,
    limits,
    answers: answersOf(settings),
    timeout: settings.timeoutMs,
    platformLimits: { share: settings.callerPlatformShare / 100, wait: settings.callerWaitMs },
  };
  const authorizations = authorizationsOf(parts, () => listening.url);
  const syncScopes = async (id: string) => parts.scopes.get(id) ?? (await accounts.store.instance(id))?.scopes ?? [];
  const page = settings.admin ? await pageOf(parts, key, { ...common, health, authorizations, syncScopes, webhooks }) : undefined;
  const compat = compatRoutes({ ...common, ...compatOf(parts), instances: found, connectors, dataDir: settings.dataDir });
  const app = createApp({
    ...common,
    instances: found,
    more: page === undefined ? [compat] : [compat, page.routes],
    authorizations,
    redact: parts.redaction.redact,
    syncs: parts.runningSyncs,
    syncScopes,
    webhooks,
    callers: accounts.secured?.callers,
    issuer: issuerOf(settings),
    publicUrl: settings.publicUrl,
    edge: { origins: settings.corsOrigins, proxies: settings.trustProxy, hosts: hostsOf(settings) },
    watch: page?.watch,
    ready: parts.ready,
    problem: parts.problem,
    health,
    connectors: new Map(connectors.map((connector) => [connector.name, connector])),
    mcpWrites: settings.mcpWrites,
    approvals: approvalPageOf(parts),
    proposals: parts.proposals,
    subscriptions,
    docs: { folder: docsFolder, own: ownDocsFolder(), consoleKey: isAlone(parts) ? key.shown : undefined },
    descriptions: { version, connectors: new Map(connectors.map(({ name, openapi }) => [name, openapi])) },
  });
  let metricsServer: Server | undefined;
  const close = () => {
    repeated.flush();
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

/** The names by which pages of the service may be reached; undefined where any name may lead to it, as behind a proxy. */
function hostsOf({ host, hosts, publicUrl }: Settings): readonly string[] | undefined {
  if (!isNear(host) && hosts.length === 0) return undefined;
  return publicUrl === "" ? hosts : [...hosts, new URL(publicUrl).hostname];
}

/** The addresses of this machine alone. */
const ofMachine = new BlockList();
ofMachine.addSubnet("127.0.0.0", 8, "ipv4");
ofMachine.addAddress("::1", "ipv6");

/** Whether only this machine itself reaches a host. */
function isNear(host: string): boolean {
  return host === "localhost" || (isIP(host) !== 0 && ofMachine.check(host, isIPv6(host) ? "ipv6" : "ipv4"));
}

/** All instances that there are now, and how they are. */
function healthOf({ accounts, connectors, instances, off, stored, storeUp, log }: FrontParts) {
  const list = () => listInstances(connectors, { instances }, stored);
  const report = new HealthReport({ instances, off, stored }, list, log);
  const { secured, store } = accounts;
  const count = async () => (secured === undefined ? 0 : (await refusedSecrets(store, secured.keys)).length);
  const refused = new Lately(count, reportLifetime);
  return { list, health: { report: () => report.get(), refusedSecrets: () => refused.get(), storeUp } };
}

function answersOf({ maxUnsentMib }: Settings): Answers {
  return new Answers(maxUnsentMib * 1024 * 1024);
}

function placeOf({ settings, log }: Pick<FrontParts, "settings" | "log">) {
  const { host, port, maxConnections, writeTimeoutMs: writeTimeout } = settings;
  return { host, port, maxConnections, writeTimeout, log };
}

/** Every platform behind the key is simulated, and nobody else comes through a proxy. */
function isAlone({ isSimulated, settings }: FrontParts): boolean {
  return isSimulated && settings.trustProxy.length === 0;
}

function pageOf(parts: FrontParts, key: ApiKey, common: PageCommon): Promise<OperatorPage> {
  const { settings, accounts, audit, connectors, instances, off, stored, runningSyncs, logged, syncs } = parts;
  const { store, secured } = accounts;
  const found = { instances, off, stored };
  const { list, gate, limits, strangers, health, authorizations, syncScopes, webhooks } = common;
  // The file of the accounts is made when it is first used.
  const usesAccounts = audit !== undefined || secured !== undefined;
  const accountsUp = async () => (usesAccounts ? store.lastAudited(1) : []);
  const system = () => systemFacts(settings, { syncs, storeUp: health.storeUp(), accountsUp });
  return operatorPage({
    version,
    instances: found,
    list,
    audit: audit === undefined ? undefined : store,
    log: audit,
    gate,
    ready: parts.ready,
    check: tokenCheck(key.hash, secured?.callers),
    strangers,
    limits,
    logged,
    callers: secured === undefined ? undefined : store,
    health,
    webhooks: webhooks.state,
    system,
    administration: operatorActions({
      store,
      secured,
      connectors,
      instances: found,
      list,
      control: { instances: found, syncs: runningSyncs, syncScopes },
      authorizations,
      proposals: parts.proposals,
      subscriptions: parts.subscriptions,
      log: parts.log,
      allowPrivate: settings.allowPrivateAddresses,
      platforms: settings.platforms,
      isSimulated: parts.isSimulated,
    }),
  });
}

/** What the operator's page shares with the routes. */
interface PageCommon extends Pick<Parameters<typeof operatorPage>[0], "list" | "limits" | "strangers" | "health"> {
  readonly gate: Gate;
  readonly authorizations: Authorizations | undefined;
  readonly syncScopes: SyncControl["syncScopes"];
  readonly webhooks: Pick<PlatformWebhooks, "state">;
}

/** Who may use the addresses for the client of another service. */
function compatOf({ settings, accounts: { secured, isSecretGiven, store } }: FrontParts) {
  const { compatClientId: id, compatClientSecret: secret } = settings;
  return {
    client: id === "" ? undefined : { id, secret },
    // A data folder has a text of its own for these tokens, which stays when a secret key moves out of the folder.
    keyTexts: (isSecretGiven ? (secured?.keys.all ?? []) : []).map((key) => keyedHash(key, "tokens of the compat client")),
    stored: secured && { callers: secured.callers, hasClient: async () => (await store.callers("client")).length > 0 },
  };
}

/** Where clients of MCP lead their users for an approval; undefined where there is no page, or nobody knows its address. */
function approvalPageOf({ settings: { admin, publicUrl }, accounts: { secured } }: FrontParts): McpOptions["approvals"] {
  if (!admin || publicUrl === "" || secured === undefined) return undefined;
  return { url: `${publicUrl}/admin/proposals`, secret: keyedHash(secured.keys.current, "state of requests for input") };
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
  const { metricsHost: host, metricsPort: port, writeTimeoutMs: writeTimeout, hosts } = settings;
  if (port === 0) return undefined;
  const chosenBy = { port: "TENON_METRICS_PORT", host: "TENON_METRICS_HOST" };
  const options = { host, port, maxConnections: 100, writeTimeout, log, chosenBy };
  // A program in the same network may scrape another address by any name.
  const app = createMetricsApp(metrics, log, isNear(host) ? hosts : undefined);
  const { server, url } = await listen(app, options);
  log.info({ url }, "listening for metrics");
  return server;
}
