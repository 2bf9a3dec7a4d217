// Serves, or syncs once, with the connectors of a folder of its own: `tutorial-driver.ts ROOT [serve | sync SCOPE]`.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Connector } from "../../runtime/contract/index.ts";
import { runSync, startService } from "../../runtime/main/index.ts";
import { readSettings } from "../../runtime/main/settings/settings.ts";

const [root = "", command = "", scope = ""] = process.argv.slice(2);
const { connectors } = (await import(pathToFileURL(join(root, "generated/index.ts")).href)) as { connectors: Connector[] };
const environment = {
  PORT: "0",
  TENON_API_KEY: "key-of-the-tutorial",
  TENON_LOG_LEVEL: "silent",
  TENON_DATA_DIR: join(root, "data"),
};
const { settings } = readSettings(environment, connectors);
const sink = { write: () => undefined };
if (command === "sync") {
  const request = { scopes: [scope], entities: [], full: false, massDelete: false };
  const signal = new AbortController().signal;
  const connectorId = connectors[0]?.name ?? "";
  const { outcome } = await runSync(settings, { ...request, connectorId, signal, onProgress: () => undefined }, sink, connectors);
  console.log(outcome);
} else {
  const service = await startService(settings, { connectors });
  await service.ready;
  console.log(service.url);
  process.on("SIGTERM", () => void service.close());
}
