import type { Connector } from "../contract/index.ts";
import type { Credential } from "../platform/credential.ts";
import { credentialEnv } from "./settings/platform-settings.ts";
import type { Settings } from "./settings/settings.ts";

/** Where the answers of a connector come from: the platform itself, a simulator on this machine, or nowhere. */
export type Mode =
  | { readonly kind: "real"; readonly credential: Credential }
  | { readonly kind: "simulated"; readonly module: URL }
  | { readonly kind: "off" };

/**
 * The mode of every connector, by its name. A connector with a credential is real. Without any credential the service is on trial,
 * and every connector that has a simulator is simulated. Once a connector has a credential, invented data of another one could be taken
 * for real: a connector without a credential is then simulated only when the settings name it, and is off otherwise.
 *
 * @param settings read with these connectors, so that `simulate` names only connectors with a simulator and without a credential
 */
export function modeOf(
  connectors: readonly Pick<Connector, "name" | "simulator">[],
  { platforms, simulate }: Pick<Settings, "platforms" | "simulate">,
): ReadonlyMap<string, Mode> {
  const trial = connectors.every(({ name }) => platforms[name]?.credential === undefined);
  const mode = ({ name, simulator }: (typeof connectors)[number]): Mode => {
    const credential = platforms[name]?.credential;
    if (credential !== undefined) return { kind: "real", credential };
    const isSimulated = trial || simulate.includes(name);
    return isSimulated && simulator !== undefined ? { kind: "simulated", module: simulator } : { kind: "off" };
  };
  return new Map(connectors.map((connector) => [connector.name, mode(connector)]));
}

/** Why a connector is off, and how it is turned on. */
export function offText({ name, title, platform, simulator }: Connector): string {
  const simulated = simulator === undefined ? "" : `, or TENON_SIMULATE=${name} to have it simulated with invented data`;
  return `The connector "${name}" is off, because there is no credential for ${title}: set ${credentialEnv(platform)}${simulated}, and start the service again.`;
}

/** The same for several connectors, in one line; nothing for none. */
export function offTexts(off: readonly Connector[]): string[] {
  if (off.length < 2) return off.map(offText);
  const settings = off.map(({ title, platform }) => `${credentialEnv(platform)} (${title})`).join(", ");
  return [
    `These connectors are off, because there is no credential for them: ${off.map(({ name }) => name).join(", ")}. To use one, set ${settings}, and start the service again.`,
  ];
}

/** Says that the data of these connectors is invented, and how to get real data; a text of one line. */
export function simulatedText(simulated: readonly Connector[]): string {
  const titles = simulated.map(({ title }) => title).join(", ");
  const settings = simulated.map(({ title, platform }) => `${credentialEnv(platform)} (${title})`).join(", ");
  return `SIMULATED: ${titles}. The data is invented on this machine, and nothing leaves it. For real data set ${settings}.`;
}

/** The connectors that are simulated with these settings. None is where the setting `url` names a service: that one decides itself. */
export function simulatedConnectors(connectors: readonly Connector[], settings: Settings): readonly Connector[] {
  if (settings.url !== "") return [];
  const modes = modeOf(connectors, settings);
  return connectors.filter(({ name }) => modes.get(name)?.kind === "simulated");
}
