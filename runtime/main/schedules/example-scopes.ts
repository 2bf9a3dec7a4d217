import type { Connector } from "../../contract/index.ts";
import { modeOf } from "../mode.ts";
import type { Settings } from "../settings/settings.ts";

/**
 * The settings of a service that fills its cache from simulated platforms: the example of every kind of scope is synced. Where a connector
 * has a credential, or scopes are set, the settings stay as they are.
 */
export function withExampleScopes(settings: Settings, connectors: readonly Connector[]): Settings {
  const modes = modeOf(connectors, settings);
  const simulated = connectors.filter(({ name }) => modes.get(name)?.kind === "simulated");
  const isReal = connectors.some(({ name }) => modes.get(name)?.kind === "real");
  if (isReal || settings.syncScopes.length > 0) return settings;
  const examples = simulated.flatMap(({ name, scopes }) =>
    Object.entries(scopes).flatMap(([kind, { example }]) => (example === undefined ? [] : [`${name}:${kind}=${example}`])),
  );
  return { ...settings, syncScopes: examples };
}
