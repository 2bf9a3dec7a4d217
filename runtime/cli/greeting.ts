import { offText, type Service, workspace } from "../main/index.ts";
import { credentialEnv } from "../main/platform-settings.ts";
import type { Settings } from "../main/settings.ts";

type Greeted = Pick<Service, "url" | "instances" | "madeKey" | "trial">;

/** What a person needs to know once the service is ready. It goes to standard error, because the log has standard output. */
export function greeting(service: Greeted, settings: Pick<Settings, "apiKey" | "dataDir">): string {
  const { instances, madeKey, url } = service;
  const lines = [
    `Tenon is ready at ${url} (workspace ${workspace}; connectors: ${instances.map((instance) => instance.id).join(", ")}).`,
    ...simulatedText(instances.filter(({ mode }) => mode === "simulated")),
    ...instances.flatMap(({ connector, mode }) => (mode === "off" ? [offText(connector)] : [])),
    keyText(service, settings),
  ];
  // The connector with the most to show.
  const [first] = instances
    .filter(({ mode }) => mode !== "off")
    .sort((a, b) => Object.keys(b.connector.entities).length - Object.keys(a.connector.entities).length);
  return first === undefined
    ? lines.join("\n")
    : [
        ...lines,
        "",
        curl(`${url}/api/v1/integrations/connectors/${first.id}/execute`, madeKey, first.connector.example),
        "",
      ].join("\n");
}

/** The same for a process that only syncs and embeds. */
export function workerGreeting({ url }: Pick<Greeted, "url">): string {
  return `The worker syncs and embeds; its probes are ${url}/healthz and ${url}/readyz.`;
}

/** What is said of the connectors that do not talk to their platforms. */
function simulatedText(simulated: Greeted["instances"]): string[] {
  if (simulated.length === 0) return [];
  const titles = simulated.map(({ connector }) => connector.title).join(", ");
  const settings = simulated.map(({ connector: { title, platform } }) => `  ${title}: ${credentialEnv(platform)}`);
  return [
    `SIMULATED: ${titles}. Their data is invented on this machine, and nothing leaves it. To use a platform itself, set its credential:`,
    ...settings,
  ];
}

function keyText({ madeKey, trial }: Greeted, { apiKey, dataDir }: Pick<Settings, "apiKey" | "dataDir">): string {
  if (madeKey !== undefined)
    return trial ? "An API key was made for this run. Try:" : "An API key was made. It is shown this once; keep it. Try:";
  if (apiKey !== "") return "The API key is the one in TENON_API_KEY. Try:";
  return `The API key that was made and shown earlier is still valid (lost? remove api-key.json in ${dataDir} and start again). Try, with the key in TENON_API_KEY:`;
}

/** A command that works when it is pasted into a shell. */
function curl(address: string, key: string | undefined, example: object): string {
  const authorization = key === undefined ? '"Authorization: Bearer $TENON_API_KEY"' : `'Authorization: Bearer ${key}'`;
  const body = JSON.stringify(example).replaceAll("'", "'\\''");
  return `curl -s ${address} \\\n  -H ${authorization} -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}
