import type { LogSink } from "../base/log.ts";
import { actionOf, actionTraits, type Connector, isStoreAction } from "../contract/index.ts";
import { type AccessOptions, type ActionAccess, hostedAccess } from "./access.ts";
import type { Settings } from "./settings/settings.ts";

/**
 * Opens the way to run actions: hosted where the setting `url` names a service, otherwise in this process, with the same settings, data
 * folder and simulated platforms as `tenon serve`.
 */
export async function openAccess(
  settings: Settings,
  options: AccessOptions,
  sink: LogSink,
  connectors: readonly Connector[],
): Promise<ActionAccess> {
  const writes: ActionAccess["writes"] = (connectorId, entity, action) => {
    if (isStoreAction(action)) return false;
    const connector = connectors.find(({ name }) => name === connectorId);
    const own = connector && actionOf(connector, entity, action);
    const traits = Object.entries<{ readonly writes: boolean }>(actionTraits).find(([name]) => name === action)?.[1];
    return own?.traits.writes ?? traits?.writes ?? true;
  };
  const timeout = settings.timeoutMs;
  if (settings.url !== "") return hostedAccess(settings, options, timeout, writes);
  // Loaded only here: a call of a service needs neither a store nor a platform.
  const { localAccess } = await import("./local-access.ts");
  return localAccess(settings, sink, connectors, timeout, writes);
}
