import type { GrowingRedactor } from "../../base/redact.ts";
import type { Connector } from "../../contract/index.ts";
import { type ConnectOptions, type ConnectorInstance, connect, endpointsOf } from "../../execute/index.ts";
import { singleCredential } from "../../platform/credential.ts";
import { type Simulator, startSimulator } from "../../simulator/start-thread.ts";
import { modeOf, offText } from "../mode.ts";
import type { Settings } from "../settings/settings.ts";
import { lastingSecret, sourceOf } from "./instance-credential.ts";
import { type LimitsPlace, sharedCredential } from "./shared-credential.ts";
import { tokenVault } from "./token-vault.ts";

/** The instances of the settings: one of every connector that is on. */
export interface SettingsInstances {
  /** The connectors that can be used; a simulated one is added when its simulator has started. */
  readonly instances: ReadonlyMap<string, ConnectorInstance>;
  /** Names of the connectors that are simulated, whose instances come once their simulators have started. */
  readonly simulated: ReadonlySet<string>;
  /** Why a connector is off, by its name. */
  readonly off: ReadonlyMap<string, string>;
  /** Resolves when every instance can be used; searches wait for the file of the store by themselves. */
  readonly usable: Promise<void>;
  /** Ends the simulators. */
  closeSimulators(): Promise<void>;
}

/** What all instances have in common. */
type Common = Pick<ConnectOptions, "workspace" | "userAgent" | "store" | "semantic" | "guard">;

interface Starting {
  readonly connector: Connector;
  readonly simulator: Promise<Simulator>;
}

/**
 * Makes the instances of the settings.
 *
 * @param accounts where the tokens are kept that platforms give for credentials, and limits that several processes share
 */
export function settingsInstances(
  connectors: readonly Connector[],
  settings: Settings,
  accounts: LimitsPlace,
  redaction: GrowingRedactor,
  common: Common,
): SettingsInstances {
  const instances = new Map<string, ConnectorInstance>();
  const off = new Map<string, string>();
  const starting: Starting[] = [];
  const add = (connector: Connector, options: Pick<ConnectOptions, "endpoints" | "credential"> & Partial<ConnectOptions>) => {
    const { redact } = redaction;
    instances.set(connector.name, connect({ ...common, redact, ...options, id: connector.name, connector }));
  };
  const modes = modeOf(connectors, settings);
  for (const connector of connectors) {
    const { name } = connector;
    const mode = modes.get(name) ?? { kind: "off" };
    switch (mode.kind) {
      case "real": {
        const { credential } = mode;
        const endpoints = endpointsOf(connector, settings.platforms[name] ?? {});
        const vault = tokenVault(accounts, name);
        const secret = lastingSecret(connector, credential);
        add(connector, {
          endpoints,
          ...sourceOf({ id: name, connector, credential, endpoints, vault, userAgent: common.userAgent, redactor: redaction }),
          shared: sharedCredential(accounts, settings.apiKey, { connector, endpoints, credential }),
          ...(secret === undefined ? {} : { secret }),
        });
        break;
      }
      case "simulated":
        starting.push({ connector, simulator: startSimulator(mode.module) });
        break;
      case "off":
        off.set(name, offText(connector));
    }
  }
  const addSimulated = async ({ connector, simulator }: Starting) => {
    const { rest, graphql, token } = await simulator;
    const credential = singleCredential(connector.platform.auth.kinds, token);
    add(connector, {
      endpoints: { ...endpointsOf(connector, {}), rest, graphql },
      credential: async () => credential,
      // Invented records of a simulator are kept apart from records of the real platform.
      storeName: `${connector.name} (simulated)`,
      simulated: true,
    });
  };
  return {
    instances,
    off,
    simulated: new Set(starting.map(({ connector }) => connector.name)),
    usable: Promise.all(starting.map(addSimulated)).then(() => undefined),
    closeSimulators: () => closeAll(starting),
  };
}

/** Ends simulators, also those that are still starting; a start that failed has nothing to close. */
async function closeAll(starting: readonly Starting[]): Promise<void> {
  const closed = starting.map(({ simulator }) =>
    simulator.then(
      (started) => started.close(),
      () => undefined,
    ),
  );
  await Promise.all(closed);
}
