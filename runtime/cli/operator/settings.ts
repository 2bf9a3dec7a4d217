import { connectors } from "../../main/connectors.ts";
import { platformTable } from "../../main/settings/platform-settings.ts";
import { settingsTable } from "../../main/settings/settings-table.ts";
import { out } from "../output/standard-output.ts";

/** `tenon settings`: prints every setting: environment variable, key in the file, default, meaning. */
export async function run(): Promise<number> {
  for (const [name, setting] of Object.entries(settingsTable))
    out.line(`${setting.env} (${name}, default ${JSON.stringify(setting.default)}): ${setting.doc}`);
  out.line("TENON_CONFIG: YAML or JSON file with settings. A setting in the environment wins over the file.");
  out.line(
    "TENON_CONNECTORS: module that exports further connectors. Default: generated/index.ts of the project that has installed this program.",
  );
  for (const { name, title, platform, simulator } of connectors) {
    const key = `platforms.${name}`;
    const without =
      simulator === undefined
        ? "Without it the connector is off."
        : `Without it ${title} is simulated as long as no connector has a credential, or when TENON_SIMULATE names it; else the connector is off.`;
    for (const setting of platformTable(platform)) {
      const fallback = setting.default === undefined ? "" : `, default ${setting.default}`;
      out.line(
        `${setting.env} (${key}.${setting.key}${fallback}): ${setting.doc} of ${title}.${setting.secret ? ` ${without}` : ""}`,
      );
    }
  }
  return 0;
}
