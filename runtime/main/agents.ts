// What users of the library import as `tenon/agents`.

import { type Toolbox, toolboxOf } from "../mcp/agents.ts";
import { connectors } from "./assembly.ts";
import { openAccess } from "./open-access.ts";
import { readSettings } from "./settings/settings.ts";
import { toolHost } from "./tool-host.ts";

export { aiSdkTools, anthropicTools, openaiTools, type Toolbox } from "../mcp/agents.ts";

export interface ToolboxOptions {
  /** Whether there is a tool that creates and changes records. Default: false. */
  readonly writes?: boolean;
  /** Id of the one connector that the tools may use. Default: all. */
  readonly connector?: string;
  /** Where settings come from, such as TENON_URL. Default: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens the tools that `tenon mcp` serves, for use in this process: on the service that TENON_URL names, or without one in the process
 * itself. Close them when they are no longer needed.
 *
 * @throws SettingsError
 */
export async function openToolbox({
  writes = false,
  connector,
  environment = process.env,
}: ToolboxOptions = {}): Promise<Toolbox & { close(): Promise<void> }> {
  const { settings } = readSettings(environment, connectors);
  const access = await openAccess(settings, {}, { write: () => undefined }, connectors);
  return { ...(await toolboxOf(toolHost(access, connectors, { only: connector, writes }))), close: access.close };
}
