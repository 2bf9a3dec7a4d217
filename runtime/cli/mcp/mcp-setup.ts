import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { connectors } from "../../main/connectors.ts";
import { readSettings } from "../../main/settings/settings.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { out } from "../output/standard-output.ts";
import { type LocalServer, type McpClient, mcpClients } from "./mcp-clients.ts";
import { type Addition, withJson, withToml } from "./mcp-config.ts";

interface SetupFlags {
  readonly apply: boolean;
  readonly write: boolean;
  readonly connector: string | undefined;
  readonly url: string | undefined;
  readonly config: string | undefined;
}

/** The name of the server in a client. */
const name = "tenon";
const exampleUrl = "http://127.0.0.1:8787";

/**
 * `tenon mcp setup`: prints the configuration of a client, or writes it with `--apply`.
 *
 * @throws SettingsError, CommandError
 */
export async function run([given = ""]: readonly string[], flags: SetupFlags): Promise<number> {
  const names = Object.keys(mcpClients);
  const client: McpClient | undefined = Object.entries<McpClient>(mcpClients).find(([one]) => one === given)?.[1];
  if (client === undefined)
    throw new CommandError(`there is no configuration for "${given}"; there is ${names.join(", ")}`, exitStatus.usage);
  const file = client.file(process.env, process.platform);
  const local = localServer(flags);
  const additions = [
    addition(client, client.local(local), local.secrets),
    addition(client, client.service(flags.url ?? exampleUrl, "TENON_API_KEY", local), ["TENON_API_KEY"]),
  ] as const;
  const [command, service] = additions;
  if (flags.apply) return apply(client, file, flags.url === undefined ? command : service);
  out.line(`In ${file}:\n`);
  if (flags.url === undefined) {
    out.line(`${localConfiguration(client, local)}\nOr, for a service that runs at ${exampleUrl} (--url names another):\n`);
  }
  out.write(merged(client, "", service) ?? "");
  return 0;
}

/** How a client starts this program. All paths are absolute, because a client starts it in any folder. */
function localServer({ write, connector, config }: SetupFlags): LocalServer {
  const { settings } = readSettings(process.env, connectors, config);
  const wanted = connectors.filter((one) => connector === undefined || one.name === connector);
  // Of several kinds of credentials, the first is the one that a person has at hand.
  const secrets = wanted.flatMap(({ platform }) => Object.values(platform.auth.kinds[0]?.values ?? {}));
  const flags = [...(write ? ["--write"] : []), ...(connector === undefined ? [] : ["--connector", connector])];
  const file = config === undefined ? [] : ["--config", resolve(config)];
  return {
    command: process.execPath,
    args: [realpathSync(process.argv[1] ?? ""), "mcp", ...flags, ...file],
    env: { TENON_DATA_DIR: resolve(settings.dataDir) },
    secrets,
  };
}

/** The text that a client without any configuration needs to start this program. */
export function localConfiguration(client: McpClient, server: LocalServer): string {
  return merged(client, "", addition(client, client.local(server), server.secrets)) ?? "";
}

function addition({ servers, inputs }: McpClient, entry: Addition["entry"], secrets: readonly string[]): Addition {
  return { servers, name, entry, inputs: inputs?.(secrets) ?? [] };
}

function merged({ format }: McpClient, text: string, added: Addition): string | undefined {
  return format === "json" ? withJson(text, added) : withToml(text, added);
}

/** Adds the server to the file of the client, of which a copy is kept. */
function apply(client: McpClient, file: string, added: Addition): number {
  const isThere = existsSync(file);
  // The file may be a link into a folder that its user keeps elsewhere.
  const target = isThere ? realpathSync(file) : file;
  const before = isThere ? readFileSync(target, "utf8") : "";
  const after = merged(client, before, added);
  if (after === undefined)
    throw new CommandError(
      `${file} cannot be changed by this command, for example because it has comments; add by hand:\n${merged(client, "", added)}`,
      exitStatus.badConfiguration,
    );
  if (after === before) {
    console.error(`${file} has this configuration already.`);
    return 0;
  }
  mkdirSync(dirname(target), { recursive: true });
  if (isThere) {
    const backup = `${target}.${new Date().toISOString().replaceAll(/[:.]/g, "-")}.bak`;
    copyFileSync(target, backup);
    console.error(`The former file is ${backup}.`);
  }
  // The file may hold tokens. It is replaced in one step, so that a killed process leaves no half of it.
  writeFileSync(`${target}.part`, after, { mode: isThere ? statSync(target).mode & 0o777 : 0o600 });
  renameSync(`${target}.part`, target);
  console.error(
    `Start ${clientName(client)} again. Where a value is empty, fill it in; a platform without one is simulated or off.`,
  );
  out.line(file);
  return 0;
}

function clientName(client: McpClient): string {
  return Object.entries<McpClient>(mcpClients).find(([, one]) => one === client)?.[0] ?? "the client";
}
