import { connectors } from "../../main/connectors.ts";
import { runSemanticStatus } from "../../main/operator/sync-run.ts";
import { readSettings } from "../../main/settings/settings.ts";
import { endSignal } from "../end-signal.ts";
import { printRows } from "../output/output.ts";
import { tellSimulated } from "../simulation.ts";

/** `tenon semantic status`: how far the texts of a connector are embedded for search by meaning. @throws SettingsError, TenonError */
export async function run([connectorId = ""]: readonly string[], { config }: { readonly config: string | undefined }) {
  const { settings } = readSettings(process.env, connectors, config);
  tellSimulated(settings, connectorId);
  const all = await runSemanticStatus(settings, { connectorId, signal: endSignal() }, { write: () => undefined });
  printRows(
    all.map((one) => ({ ...one })),
    "Nothing is embedded for search by meaning, because nothing was synced yet.",
  );
  return 0;
}
