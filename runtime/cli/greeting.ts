import type { Connector } from "../contract/index.ts";
import { offTexts, simulatedText } from "../main/mode.ts";
import type { Service } from "../main/service.ts";
import type { Settings } from "../main/settings/settings.ts";
import { workspace } from "../main/workspace.ts";

type Greeted = Pick<Service, "url" | "instances" | "madeKey" | "trial" | "docs">;

/**
 * What a person needs to know once the service is ready. It goes to standard error, because the log has standard output.
 *
 * @param isOwn whether a connector is of the user's own project, and not of this package
 */
export function greeting(
  service: Greeted,
  settings: Pick<Settings, "apiKey" | "dataDir">,
  isOwn: (connector: Connector) => boolean = () => false,
): string {
  const { instances, madeKey, docs } = service;
  const url = reachable(service.url);
  const on = instances.filter(({ mode }) => mode !== "off");
  const lines = [
    ...simulatedLines(instances),
    `Tenon is ready at ${url} (workspace ${workspace}; connectors: ${on.map(({ id }) => id).join(", ")}).`,
    ...(docs ? [`The documentation is at ${url}/docs.`] : []),
    ...offTexts(instances.flatMap(({ connector, mode }) => (mode === "off" ? [connector] : []))),
    keyText(service, settings),
  ];
  // The user's own connector, or else the one with the most to show.
  const size = ({ connector }: (typeof on)[number]) => Object.keys(connector.entities).length;
  const first = on.find(({ connector }) => isOwn(connector)) ?? on.toSorted((a, b) => size(b) - size(a))[0];
  return first === undefined
    ? lines.join("\n")
    : [
        ...lines,
        "",
        // The samples of README and docs take the key from this variable.
        ...(madeKey === undefined ? [] : [`export TENON_API_KEY=${madeKey}`]),
        curl(`${url}/api/v1/integrations/connectors/${first.id}/execute`, first.connector.example),
        "",
      ].join("\n");
}

/** The address at which programs on this machine reach the service, where it listens on all addresses. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/** The same for a process that only syncs and embeds. */
export function workerGreeting({ url: address, instances }: Pick<Greeted, "url" | "instances">): string {
  const url = reachable(address);
  return [...simulatedLines(instances), `The worker syncs and embeds; its probes are ${url}/healthz and ${url}/readyz.`].join(
    "\n",
  );
}

/** The first line, where some connectors do not talk to their platforms. */
function simulatedLines(instances: Greeted["instances"]): string[] {
  const simulated = instances.filter(({ mode }) => mode === "simulated").map(({ connector }) => connector);
  return simulated.length === 0 ? [] : [simulatedText(simulated)];
}

function keyText({ madeKey, trial }: Greeted, { apiKey, dataDir }: Pick<Settings, "apiKey" | "dataDir">): string {
  if (madeKey !== undefined)
    return trial ? "An API key was made for this run. Try:" : "An API key was made. It is shown this once; keep it. Try:";
  if (apiKey !== "") return "The API key is the one in TENON_API_KEY. Try:";
  return `The API key that was made and shown earlier is still valid (lost? remove api-key.json in ${dataDir} and start again). Try, with the key in TENON_API_KEY:`;
}

/** A command that works when it is pasted into a shell. */
function curl(address: string, example: object): string {
  const authorization = '"Authorization: Bearer $TENON_API_KEY"';
  const body = JSON.stringify(example).replaceAll("'", "'\\''");
  return `curl -s ${address} \\\n  -H ${authorization} -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}
