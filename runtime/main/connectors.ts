import { pathToFileURL } from "node:url";
import { connectors as generated } from "../../generated/index.ts";
import { firstLine } from "../base/first-line.ts";
import type { Connector } from "../contract/index.ts";
import { connectorsModule, connectorsVariable } from "./connectors-module.ts";
import { SettingsError } from "./settings/settings-error.ts";

/** The connectors of this package, and those of the user's own module; one of the same name takes the place of ours. */
export const connectors: readonly Connector[] = await allConnectors(connectorsModule());

/** Whether a connector is of the user's own module. */
export const isOwn = ({ name }: Pick<Connector, "name">): boolean =>
  connectors.some((one) => one.name === name && !generated.includes(one));

/** @throws SettingsError when the module cannot be loaded or has no connectors */
async function allConnectors(module: string | undefined): Promise<readonly Connector[]> {
  if (module === undefined) return generated;
  const loaded: { readonly connectors?: unknown } = await import(pathToFileURL(module).href).catch((thrown: unknown) => {
    throw new SettingsError(`${connectorsVariable}: ${module} cannot be loaded: ${firstLine(thrown)}`);
  });
  const { connectors: own } = loaded;
  if (!Array.isArray(own) || !own.every(isConnector))
    throw new SettingsError(`${connectorsVariable}: ${module} must export \`connectors\`, as the generated index.ts does`);
  const names = own.map(({ name }) => name);
  return [...own, ...generated.filter(({ name }) => !names.includes(name))];
}

function isConnector(value: unknown): value is Connector {
  return typeof value === "object" && value !== null && "name" in value && "entities" in value && "platform" in value;
}
