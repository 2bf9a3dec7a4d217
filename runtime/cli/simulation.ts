import { visibleLine } from "../base/visible-text.ts";
import { connectors } from "../main/connectors.ts";
import { simulatedConnectors, simulatedText } from "../main/mode.ts";
import type { Settings } from "../main/settings/settings.ts";

/**
 * Writes to standard error which connectors of this process are simulated, before anything else is written there.
 *
 * @param only the one connector that a command uses; all when absent
 * @returns whether something was written
 */
export function tellSimulated(settings: Settings, only?: string): boolean {
  const simulated = simulatedConnectors(connectors, settings).filter(({ name }) => only === undefined || name === only);
  if (simulated.length > 0) console.error(simulatedText(simulated));
  return simulated.length > 0;
}

/** The same for connectors of a service elsewhere. */
export function tellSimulatedThere({ url }: Settings, ids: readonly string[]): void {
  if (ids.length > 0) console.error(visibleLine(`SIMULATED: ${ids.join(", ")}. The data is invented by the service at ${url}.`));
}
