import { connectors } from "../generated/index.ts";
import packageFile from "../package.json" with { type: "json" };
import type { Connector } from "./contract/index.ts";
import { connect, endpointsOf } from "./execute/connect.ts";
import type { ConnectorInstance } from "./execute/instance.ts";
import { createLog, flushed, type LogSink, standardOutput } from "./log.ts";
import { redactor } from "./redact.ts";
import { type ApiKey, apiKeyPattern, keptApiKey, newApiKey } from "./server/api-key.ts";
import { createApp } from "./server/app.ts";
import { tokenHash } from "./server/bearer.ts";
import { listen } from "./server/listen.ts";
import { Gate } from "./server/requests.ts";
import type { Settings } from "./settings.ts";
import { type Simulator, startSimulator } from "./simulator.ts";

// The composition root: the only place that knows which connectors exist.

export { connectors };
export const version = packageFile.version;
export const workspace = "default";

export interface Service {
  readonly url: string;
  /** Connector instances, and whether they talk to the simulated platform. */
  readonly instances: readonly { readonly id: string; readonly connector: Connector; readonly simulated: boolean }[];
  /** The key that was made for this start, to be shown once. */
  readonly madeKey: string | undefined;
  /** Resolves when every instance can be used. */
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
  const secrets = [settings.apiKey, ...Object.values(settings.platforms).map((one) => one.token ?? "")];
  const redact = redactor([apiKeyPattern, ...connectors.flatMap((connector) => connector.platform.auth.secrets)], secrets);
  const log = createLog(settings.logLevel, redact, sink);
  for (const warning of warnings) log.warn(warning);

  const simulated = connectors.filter((connector) => settings.platforms[connector.name]?.token === undefined);
  const key = apiKeyOf(settings, simulated.length === connectors.length);
  const instances = new Map<string, ConnectorInstance>();
  const add = (connector: Connector, options: Pick<Parameters<typeof connect>[0], "endpoints" | "token">) => {
    instances.set(
      connector.name,
      connect({ id: connector.name, workspace, connector, userAgent: `tenon/${version}`, redact, ...options }),
    );
  };
  for (const connector of connectors) {
    const platform = settings.platforms[connector.name];
    const token = platform?.token;
    if (platform !== undefined && token !== undefined)
      add(connector, { endpoints: endpointsOf(connector, platform), token: async () => token });
  }

  let simulator: Promise<Simulator> | undefined;
  let isReady = simulated.length === 0;
  const gate = new Gate(settings.maxRequests);
  const app = createApp({ instances, tokenHash: key.hash, log, gate, ready: () => isReady, timeout: settings.timeoutMs });
  const { server, url } = await listen(app, settings.host, settings.port);
  try {
    // Not before it is certain that the key will be shown.
    key.keep?.();
  } catch (thrown) {
    server.close();
    throw thrown;
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

  const ready = (async () => {
    if (isReady) return;
    simulator = startSimulator();
    const started = await simulator;
    for (const connector of simulated)
      add(connector, { endpoints: { rest: started.rest, graphql: started.graphql }, token: async () => started.token });
    isReady = true;
  })();

  return {
    url,
    instances: connectors.map((connector) => ({ id: connector.name, connector, simulated: simulated.includes(connector) })),
    madeKey: key.shown,
    ready,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const clean = await gate.close(settings.shutdownMs);
      // Whoever only holds a connection open, or never ends its request, does not hold up the end.
      server.closeAllConnections();
      await closed;
      // It may still be starting; a start that failed has nothing to close.
      await simulator?.then(
        (started) => started.close(),
        () => undefined,
      );
      log.info({ clean }, "stopped");
      await flushed(sink);
      return clean;
    },
  };
}

/** In a trial nothing has to be protected from yesterday's callers: the key is made anew each time, so that it can be shown. */
function apiKeyOf(settings: Settings, trial: boolean): ApiKey {
  if (settings.apiKey !== "") return { hash: tokenHash(settings.apiKey), shown: undefined };
  return trial ? newApiKey() : keptApiKey(settings.dataDir);
}
