import { connectors, runSemanticStatus } from "../main/index.ts";
import { readSettings } from "../main/settings.ts";
import { printRows } from "./output.ts";

/** `tenon semantic status`: how far the texts of a connector are embedded for search by meaning. @throws SettingsError, TenonError */
export async function run([connectorId = ""]: readonly string[], { config }: { readonly config: string | undefined }) {
  const end = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => end.abort());
  const { settings } = readSettings(process.env, connectors, config);
  const all = await runSemanticStatus(settings, { connectorId, signal: end.signal }, { write: () => undefined });
  printRows(
    all.map((one) => ({ ...one })),
    "Nothing is embedded for search by meaning, because nothing was synced yet.",
  );
  return 0;
}
