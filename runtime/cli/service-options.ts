import type { HostedOptions } from "../client/index.ts";
import { callerOf } from "../main/access.ts";
import { connectors } from "../main/connectors.ts";
import { readSettings } from "../main/settings/settings.ts";
import { CommandError } from "./command-error.ts";
import { exitStatus } from "./exit-status.ts";

/**
 * How a command reaches the service of the settings, where only a service knows what it asks for.
 *
 * @param key what the key has to be, in words @throws CommandError where the settings name no service
 */
export function serviceOptions(config: string | undefined, key: string): HostedOptions {
  const { settings } = readSettings(process.env, connectors, config);
  if (settings.url === "") throw new CommandError(`set TENON_URL to the service, and TENON_API_KEY to ${key}`, exitStatus.usage);
  return callerOf(settings);
}
