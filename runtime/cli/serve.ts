import { TenonError } from "../errors.ts";
import { connectors, offText, type Service, startService, workspace } from "../main/index.ts";
import { readSettings, type Settings, SettingsError } from "../settings.ts";
import { errorText } from "./error-text.ts";

/** Exit statuses of sysexits.h: EX_CONFIG, EX_UNAVAILABLE, EX_SOFTWARE. */
const badConfiguration = 78;
const unavailable = 69;
const failed = 70;

/** `tenon serve`: runs until SIGTERM or SIGINT. Gives the exit status. */
export async function serve(flags: {
  port?: string | undefined;
  host?: string | undefined;
  config?: string | undefined;
}): Promise<number> {
  let settings: Settings;
  let warnings: string[];
  try {
    const environment = {
      ...process.env,
      ...(flags.port === undefined ? {} : { PORT: flags.port }),
      ...(flags.host === undefined ? {} : { HOST: flags.host }),
    };
    ({ settings, warnings } = readSettings(environment, connectors, flags.config));
  } catch (thrown) {
    if (!(thrown instanceof SettingsError)) throw thrown;
    console.error(`tenon: the configuration is not valid\n${thrown.message}`);
    return badConfiguration;
  }
  let service: Service;
  // A signal that comes while the service starts ends it as soon as it has started.
  const starting = Promise.withResolvers<Service>();
  const stopped = untilSignal(starting.promise);
  try {
    service = await startService(settings, warnings);
    starting.resolve(service);
  } catch (thrown) {
    console.error(`tenon: cannot start: ${startProblem(thrown, settings)}`);
    return thrown instanceof TenonError ? thrown.exit : unavailable;
  }
  try {
    await service.ready;
  } catch (thrown) {
    // A signal ends what was still starting.
    if (stopped.closing) return (await stopped.clean) ? 0 : failed;
    console.error(`tenon: cannot start: ${errorText(thrown)}`);
    await service.close();
    return thrown instanceof TenonError ? thrown.exit : failed;
  }
  if (!stopped.closing) console.error(greeting(service, settings));
  return (await stopped.clean) ? 0 : failed;
}

function startProblem(thrown: unknown, { host, port }: Settings): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  if (code === "EADDRINUSE") return `port ${port} is taken; choose another one with PORT or --port`;
  if (code === "EACCES") return `port ${port} needs more rights; choose one above 1023`;
  if (code === "EADDRNOTAVAIL") return `${host} is no address of this machine`;
  return errorText(thrown);
}

interface Stopping {
  closing: boolean;
  readonly clean: Promise<boolean>;
}

/**
 * Milliseconds within which a second signal is the same one: a terminal sends Ctrl-C to all processes of a group, and a launcher sends it
 * on to its child once more.
 */
const echo = 500;

/** The first signal ends the service in good order; a later one ends it at once. */
function untilSignal(starting: Promise<Service>): Stopping {
  const { promise: clean, resolve } = Promise.withResolvers<boolean>();
  const stopping: Stopping = { closing: false, clean };
  let first = 0;
  const close = () => {
    if (stopping.closing && performance.now() - first < echo) return;
    if (stopping.closing) process.exit(failed);
    stopping.closing = true;
    first = performance.now();
    starting.then((service) => service.close()).then(resolve, () => resolve(false));
  };
  process.on("SIGTERM", close);
  process.on("SIGINT", close);
  return stopping;
}

type Greeted = Pick<Service, "url" | "instances" | "madeKey" | "trial">;

/** What a person needs to know, once; to standard error, because the log has standard output. */
export function greeting(service: Greeted, settings: Pick<Settings, "apiKey" | "dataDir">): string {
  const { instances, madeKey, url } = service;
  const lines = [
    `Tenon is ready at ${url} (workspace ${workspace}; connectors: ${instances.map((instance) => instance.id).join(", ")}).`,
    ...instances.flatMap(modeText),
    keyText(service, settings),
  ];
  const first = instances.find(({ mode }) => mode !== "off");
  return first === undefined
    ? lines.join("\n")
    : [
        ...lines,
        "",
        curl(`${url}/api/v1/integrations/connectors/${first.id}/execute`, madeKey, first.connector.example),
        "",
      ].join("\n");
}

/** What is said of a connector that does not talk to its platform. */
function modeText({ connector, mode }: Greeted["instances"][number]): string[] {
  const { title, platform } = connector;
  switch (mode) {
    case "real":
      return [];
    case "simulated":
      return [
        `There is no ${platform.auth.env}, so ${title} is SIMULATED: invented data on this machine, nothing leaves it. Set ${platform.auth.env} to use ${title} itself.`,
      ];
    case "off":
      return [offText(connector)];
  }
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
