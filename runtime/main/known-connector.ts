import { TenonError } from "../base/errors.ts";
import { nearest } from "../base/text.ts";
import type { Connector } from "../contract/index.ts";
import type { Settings } from "./settings/settings.ts";

/** The error for an id that no connector has: it names the nearest connector, or else all. */
export function unknownConnector(id: string, connectors: readonly Connector[]): TenonError {
  const names = connectors.map(({ name }) => name);
  const near = nearest(id, names);
  const hint = near === undefined ? `there is ${names.join(", ")}` : `did you mean "${near}"?`;
  return new TenonError("unknown_connector", `There is no connector "${id}"; ${hint}${near === undefined ? "." : ""}`);
}

/**
 * Refuses an id that no connector has: neither one of the settings, nor one that was added.
 *
 * @throws TenonError `unknown_connector`, SettingsError when the data folder cannot be used
 */
export async function requireConnector(settings: Settings, id: string, connectors: readonly Connector[]): Promise<void> {
  if (connectors.some(({ name }) => name === id)) return;
  // Loaded only here: most ids are names of connectors, which need no look into the accounts.
  const { openAccounts } = await import("./accounts.ts");
  const accounts = await openAccounts(settings);
  try {
    if (accounts.secured === undefined || (await accounts.store.instance(id)) === undefined)
      throw unknownConnector(id, connectors);
  } finally {
    await accounts.close();
  }
}
