import { connectors } from "../main/connectors.ts";
import { readSettings } from "../main/settings/settings.ts";
import { type StoredKind, storedPlace } from "../main/stored-place.ts";
import { CommandError } from "./command-error.ts";
import { exitStatus } from "./exit-status.ts";

/**
 * The data folder or the database on which a command works that calls no service, in words.
 *
 * @param name of the command
 * @throws CommandError where the settings name a service, because its keys and files are not those of this place; SettingsError
 */
export function ownPlace(name: string, kind: StoredKind, config: unknown): string {
  const { settings } = readSettings(process.env, connectors, typeof config === "string" ? config : undefined);
  const place = storedPlace(settings, kind);
  if (settings.url === "") return place;
  throw new CommandError(
    `\`tenon ${name}\` calls no service: it would use the ${place}, and not the service of TENON_URL. Run it where that service runs, with its settings and without TENON_URL`,
    exitStatus.usage,
  );
}
