import { madeOnce } from "../../base/made-once.ts";
import type { GrowingRedactor } from "../../base/redact.ts";
import type { Connector } from "../../contract/index.ts";
import { type ConnectOptions, type ConnectorInstance, connect, endpointsOf } from "../../execute/index.ts";
import { lastingSecret, singleCredential } from "../../platform/credential.ts";
import { type Simulator, startSimulator } from "../../simulator/start-thread.ts";
import { modeOf, offText } from "../mode.ts";
import type { Settings } from "../settings/settings.ts";
import { sourceOf } from "./instance-credential.ts";
import { type LimitsStorage, sharedCredential } from "./shared-credential.ts";
import { tokenVault } from "./token-vault.ts";

/** The instances of the settings: one of every connector that is on. */
export interface SettingsInstances {
  /** The connectors that can be used. */
  readonly instances: ReadonlyMap<string, ConnectorInstance>;
  /** Why a connector is off, by its name. */
  readonly off: ReadonlyMap<string, string>;
  /** Ends the simulators. */
  closeSimulators(): Promise<void>;
}

/** What all instances have in common. */
type Common = Pick<ConnectOptions, "workspace" | "userAgent" | "store" | "semantic" | "guard" | "ownCommand">;

/**
 * Makes the instances of the settings.
 *
 * @param accounts where the tokens are kept that platforms give for credentials, and limits that several processes share
 */
export function settingsInstances(
  connectors: readonly Connector[],
  settings: Settings,
  accounts: LimitsStorage,
  redaction: GrowingRedactor,
  common: Common,
): SettingsInstances {
  const instances = new Map<string, ConnectorInstance>();
  const off = new Map<string, string>();
  const simulators: Promise<Simulator>[] = [];
  const add = (connector: Connector, options: Pick<ConnectOptions, "endpoints" | "credential"> & Partial<ConnectOptions>) => {
    const { redact } = redaction;
    instances.set(connector.name, connect({ ...common, redact, ...options, id: connector.name, connector }));
  };
  const addSimulated = (connector: Connector, module: URL) => {
    const start = () => {
      const simulator = startSimulator(module);
      simulators.push(simulator);
      return simulator;
    };
    add(connector, {
      ...whenCalled(connector, start),
      // Invented records of a simulator are kept apart from records of the real platform.
      storeName: `${connector.name} (simulated)`,
      simulated: true,
    });
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
        const secret = lastingSecret(connector.platform.auth.kinds, credential);
        add(connector, {
          endpoints,
          ...sourceOf({ id: name, connector, credential, endpoints, vault, userAgent: common.userAgent, redactor: redaction }),
          shared: sharedCredential(accounts, settings.apiKey, { connector, endpoints, credential }),
          ...(secret === undefined ? {} : { secret }),
        });
        break;
      }
      case "simulated":
        addSimulated(connector, mode.module);
        break;
      case "off":
        off.set(name, offText(connector));
    }
  }
  return { instances, off, closeSimulators: () => closeAll(simulators) };
}

/**
 * A simulator that starts with the first call to its platform: most processes call few of them. Each call begins with its credential, so
 * that the addresses, which only the simulator knows, are there when they are read.
 */
function whenCalled(connector: Connector, start: () => Promise<Simulator>): Pick<ConnectOptions, "endpoints" | "credential"> {
  let started: Simulator | undefined;
  const running = madeOnce(async () => {
    started = await start();
    return singleCredential(connector.platform.auth.kinds, started.token);
  });
  const endpoints = {
    ...endpointsOf(connector, {}),
    get rest() {
      return started?.rest;
    },
    get graphql() {
      return started?.graphql;
    },
  };
  return { endpoints, credential: running };
}

/** Ends simulators, also those that are still starting; a start that failed has nothing to close. */
async function closeAll(simulators: readonly Promise<Simulator>[]): Promise<void> {
  const closed = simulators.map((simulator) =>
    simulator.then(
      (started) => started.close(),
      () => undefined,
    ),
  );
  await Promise.all(closed);
}
