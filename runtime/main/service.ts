import { AuditLog, type AuditStore } from "../accounts/index.ts";
import { withDeadline } from "../base/deadline.ts";
import type { TenonError } from "../base/errors.ts";
import { createLog, flushed, type LogSink, standardOutput } from "../base/log.ts";
import { LogTail } from "../base/log-tail.ts";
import type { Logger } from "../base/logger.ts";
import { pause } from "../base/pause.ts";
import type { Connector } from "../contract/index.ts";
import { Gate } from "../server/gate.ts";
import { type Accounts, openAccounts } from "./accounts.ts";
import { assemble, connectors as generatedConnectors, version } from "./assembly.ts";
import { Background } from "./background.ts";
import { makeDataFolder } from "./data-folder.ts";
import { hasDocs } from "./docs-folder.ts";
import type { Front } from "./front.ts";
import { storedInstances } from "./instances/stored-instances.ts";
import { type Mode, modeOf, offTexts } from "./mode.ts";
import { onceThere } from "./outage.ts";
import { redactionOf } from "./redaction.ts";
import { scheduledScopes } from "./schedules/scheduled-scopes.ts";
import { type Settings, SettingsError } from "./settings/settings.ts";
import { shortSecrets } from "./settings/settings-check.ts";

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
  /** It serves the documentation at /docs. */
  readonly docs: boolean;
  /** The key that was made for this start, to be shown once. */
  readonly madeKey: string | undefined;
  /** Resolves when instances, cache and schedules are all there. Live actions may work before that. */
  readonly ready: Promise<void>;
  /** Resolves when the scheduled syncs that were due at the start have ended. */
  caughtUp(): Promise<void>;
  /** Resolves when a newer process has changed the tables of the database, so that this one has to be closed. */
  readonly outdated: Promise<TenonError>;
  /**
   * Ends what is under way, then stops. Resolves at the latest `shutdownDelayMs`, `shutdownMs` and a few seconds later, whatever hangs.
   * True when nothing had to be cut off.
   */
  close(): Promise<boolean>;
}

export interface ServiceOptions {
  /** Written to the log first. */
  readonly warnings?: readonly string[];
  readonly sink?: LogSink;
  /** Default: those of this repository. */
  readonly connectors?: readonly Connector[];
  /** One that is not `all` is for several processes that share a database, or the files of one machine. */
  readonly role?: Role;
  /** Ends the wait for a database that is away when the service starts. */
  readonly signal?: AbortSignal;
}

/**
 * Whether no connector with a credential of its own is stored, and none will be while the service runs as one with a secret key of its own.
 */
async function hasNoInstances({ secured, isSecretGiven, store }: Accounts): Promise<boolean> {
  return secured === undefined || (!isSecretGiven && (await store.instances()).length === 0);
}

/** A connector that the service serves, and where its answers come from. */
type ServedConnector = Service["instances"][number];

/**
 * Opens accounts and context store, and writes warnings to the log.
 *
 * @throws as {@link startService}
 */
async function openStores(settings: Settings, options: Required<Pick<ServiceOptions, "sink" | "connectors">> & ServiceOptions) {
  const { warnings = [], sink, connectors, signal = new AbortController().signal } = options;
  const modes = modeOf(connectors, settings);
  const served = connectors.map(
    (connector): ServedConnector => ({ id: connector.name, connector, mode: modes.get(connector.name)?.kind ?? "off" }),
  );
  const off = served.flatMap(({ connector, mode }) => (mode === "off" ? [connector] : []));
  const scheduled = scheduledScopes(settings.syncScopes, connectors, (connector) => !off.includes(connector));
  makeDataFolder(settings.dataDir);
  const early = createLog(settings.logLevel, redactionOf(settings, connectors).redact, sink);
  const accounts = await onceThere(() => openAccounts(settings, "makes secret"), {
    log: early,
    listen: async (problem) => (await import("./front.ts")).listenWhileWaiting(settings, early, problem),
    signal,
  });
  const trial = [...modes.values()].every(({ kind }) => kind !== "real");
  const isSimulated = trial && (await hasNoInstances(accounts));
  const short = isSimulated ? [] : shortSecrets(settings);
  if (short.length > 0) {
    await accounts.close();
    throw new SettingsError(short.join("\n"));
  }
  const tail = new LogTail(sink);
  const assembly = await assemble(settings, tail.sink, connectors, accounts);
  // The start may fail before anybody waits for it.
  assembly.store.ready.catch(() => undefined);
  // What is added while every platform is simulated is used from the next start on: until then, a page of the docs may show the key.
  const stored = isSimulated ? undefined : storedInstances(settings, accounts, connectors, assembly);
  for (const warning of [...warnings, ...accounts.warnings, ...offTexts(off), ...scheduled.warnings]) assembly.log.warn(warning);
  return { accounts, assembly, stored, served, trial, isSimulated, tail, scopes: scheduled.scopes };
}

/**
 * Starts the service with one connector instance per connector. While its database is away, it waits, and is not ready.
 *
 * @throws SettingsError for settings that cannot be used, or Error when the address or the key file cannot be used
 */
export async function startService(settings: Settings, options: ServiceOptions = {}): Promise<Service> {
  const { sink = standardOutput(), connectors = generatedConnectors, role = "all" } = options;
  const opened = await openStores(settings, { ...options, sink, connectors });
  const { accounts, assembly, stored, served, trial, isSimulated, tail, scopes } = opened;
  const { log, store } = assembly;
  const audit = auditOf(settings, accounts.store, log);
  const gate = new Gate(settings.maxRequests);
  const background = new Background({ settings, accounts, assembly, stored, scopes });
  const { runningSyncs, subscriptions, deliveries, onHints } = background;
  let isReady = false;
  const parts = {
    ...assembly,
    ...{ settings, accounts, connectors, stored, runningSyncs, audit, gate, trial, isSimulated, scopes },
    ...{ onHints, subscriptions, deliveries },
    ready: () => isReady && store.healthy,
    storeUp: () => store.healthy,
    logged: () => tail.problems,
    syncs: role !== "serve",
    problem: () => store.problem,
  };
  const closeStores = async () => {
    await assembly.close();
    await audit?.close();
    await accounts.close();
  };
  // Loaded only now, while the threads of the store start.
  const fronts = await import("./front.ts");
  const front = await fronts[role === "work" ? "openProbes" : "openFront"](parts).catch(async (thrown: unknown) => {
    await closeStores();
    await flushed(sink);
    throw thrown;
  });
  const { url, madeKey } = front;
  const named = (kind: Mode["kind"]) => served.filter(({ mode }) => mode === kind).map(({ id }) => id);
  const ids = served.map(({ id }) => id);
  log.info({ url, version, role, connectors: ids, simulated: named("simulated"), off: named("off") }, "listening");
  await flushed(sink);

  // What runs in the background is for the processes that sync.
  const begun = store.ready.then(() => (role === "serve" ? undefined : background.start()));
  store.ready.then(
    () => {
      isReady = true;
    },
    () => undefined,
  );
  // Without this, a failure would end the process where nobody waits for it.
  begun.catch(() => undefined);
  return {
    url,
    instances: served,
    trial,
    docs: hasDocs(),
    madeKey,
    ready: begun,
    caughtUp: () => begun.then(() => background.caughtUp()),
    outdated: assembly.outdated,
    close: async () => {
      const stopped = stop(settings, { gate, front, background, closeStores });
      const clean = await withDeadline(settings.shutdownDelayMs + settings.shutdownMs + closingTime, stopped, () => {
        log.error("a part of the service did not end in time and is left as it is");
        return false;
      });
      log.info({ clean }, "stopped");
      await flushed(sink);
      return clean;
    },
  };
}

interface Running {
  readonly gate: Gate;
  readonly front: Front;
  readonly background: Background;
  readonly closeStores: () => Promise<void>;
}

/** Ends requests, then what runs in the background, then the stores. @returns whether no request had to be cut off */
async function stop(settings: Settings, { gate, front, background, closeStores }: Running): Promise<boolean> {
  if (settings.shutdownDelayMs > 0) {
    gate.leave();
    await pause(settings.shutdownDelayMs);
  }
  const closed = new Promise<void>((resolve) => front.server.close(() => resolve()));
  const ended = background.stop();
  const clean = await gate.close(settings.shutdownMs);
  // A caller who only holds a connection open, or never ends its request, does not delay the shutdown.
  front.server.closeAllConnections();
  await closed;
  await ended;
  front.close();
  await closeStores();
  return clean;
}

/** The audit log; undefined where the settings want none. */
function auditOf({ auditDays, auditReads }: Settings, store: AuditStore, log: Logger): AuditLog | undefined {
  if (auditDays === 0) return undefined;
  return new AuditLog({ store, reads: auditReads, age: auditDays * 86_400_000, tell: (problem) => log.error(problem) });
}
