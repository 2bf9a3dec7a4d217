import packageFile from "../../package.json" with { type: "json" };
import type { TenonError } from "../base/errors.ts";
import { createLog, type LogSink } from "../base/log.ts";
import type { Logger } from "../base/logger.ts";
import type { GrowingRedactor } from "../base/redact.ts";
import type { Connector } from "../contract/index.ts";
import type { SemanticSearch } from "../execute/index.ts";
import { Embedder } from "../sync/index.ts";
import { connectors } from "./connectors.ts";
import { type ContextStore, openContextStore, plansOf } from "./context-store.ts";
import { embeddingProviders } from "./embeddings.ts";
import { type SettingsInstances, settingsInstances } from "./instances/settings-instances.ts";
import type { LimitsStorage } from "./instances/shared-credential.ts";
import { type Writes, writesOf } from "./policy.ts";
import { redactionOf } from "./redaction.ts";
import type { Settings } from "./settings/settings.ts";
import { workspace } from "./workspace.ts";

// The composition root: the only place that knows which connectors exist.

export { connectors };
export const version = packageFile.version;
/** What the service calls itself in its calls to platforms. */
export const userAgent = `tenon/${version}`;

/** What the service and the command line are made of: one instance per connector, and the store. */
export interface Assembly extends Omit<SettingsInstances, "closeSimulators">, Writes {
  readonly log: Logger;
  readonly redaction: GrowingRedactor;
  readonly store: ContextStore;
  readonly semantic: SemanticSearch;
  /** Embeds the texts that are searched by meaning, once it is started. */
  readonly embedder: Embedder;
  readonly ownCommand: string | undefined;
  /** Resolves when a newer process has changed the tables, so that this one has to end. */
  readonly outdated: Promise<TenonError>;
  /** @returns whether all threads of the store have ended. If not, only the end of the process ends them. */
  close(): Promise<boolean>;
}

/**
 * Makes the store and an instance of every connector that is on.
 *
 * @param connectors those of this repository; tests give others
 * @param accounts where the tokens are kept that platforms give for credentials, and limits that several processes share
 * @param ownCommand as of a connector instance: what runs the command line on the same store, for callers of this process itself
 * @throws SettingsError, ModelError for a model of search by meaning that cannot be used
 */
export async function assemble(
  settings: Settings,
  sink: LogSink,
  connectors: readonly Connector[],
  accounts: LimitsStorage,
  ownCommand?: string,
): Promise<Assembly> {
  const writes = await writesOf(settings, accounts.store, connectors);
  const providers = await embeddingProviders(settings);
  const redaction = redactionOf(settings, connectors);
  const { redact } = redaction;
  const log = createLog(settings.logLevel, redact, sink);
  accounts.store.limits?.watch((isAway, ms) => {
    if (isAway)
      log.warn("the database cannot be reached for the limits that processes share: this one continues with its part of them");
    else log.info({ ms: Math.round(ms) }, "the processes share their limits again");
  });
  const newer = Promise.withResolvers<TenonError>();
  const store = await openContextStore(settings, {
    plans: plansOf(connectors),
    onNewer: newer.resolve,
    tell: (text, level) => log[level]({ store: text }, "context store"),
  });
  const embedder = new Embedder(store, providers[0], log);
  const semantic: SemanticSearch = { store, providers };
  const common = { workspace, userAgent, store, semantic, guard: writes.guard, ownCommand };
  const { closeSimulators, ...made } = settingsInstances(connectors, settings, accounts, redaction, common);
  const close = async () => {
    await Promise.all([closeSimulators(), embedder.stop()]);
    await Promise.all(providers.map((provider) => provider.close()));
    return store.close();
  };
  return { log, redaction, store, semantic, embedder, ownCommand, ...writes, ...made, outdated: newer.promise, close };
}
