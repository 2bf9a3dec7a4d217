import type { Settings } from "../../main/settings/settings.ts";
import type { Flags } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";

/** Flags that say where a service looks a connector up. */
export const placeFlags = {
  workspace: { kind: "text", value: "NAME", help: "workspace in which the service looks the connector up (with TENON_URL)" },
  organization: { kind: "text", value: "ID", help: "organization that the workspace belongs to (with TENON_URL)" },
} as const satisfies Flags;

/**
 * Without a service there are no workspaces, and a call must not go to another connector than the one that was meant.
 *
 * @throws CommandError
 */
export function requireService(
  { url }: Settings,
  given: { readonly workspace: string | undefined; readonly organization: string | undefined },
): void {
  if (url === "" && (given.workspace !== undefined || given.organization !== undefined))
    throw new CommandError("--workspace and --organization are for a service: set TENON_URL to its address", exitStatus.usage);
}
