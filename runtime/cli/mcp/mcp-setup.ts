import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { agentKey } from "../../main/settings/settings-check.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { out } from "../output/standard-output.ts";
import { localAdvice, serviceAdvice } from "./mcp-advice.ts";
import { type LocalServer, type McpClient, mcpClients } from "./mcp-clients.ts";
import { type Addition, withJson, withToml } from "./mcp-config.ts";
import { localServer } from "./mcp-server.ts";

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
 * @throws as `localServer`; CommandError for a client that there is not, or a file that cannot be changed
 */
export async function run([given = ""]: readonly string[], flags: SetupFlags): Promise<number> {
  const names = Object.keys(mcpClients);
  const client: McpClient | undefined = Object.entries<McpClient>(mcpClients).find(([one]) => one === given)?.[1];
  if (client === undefined)
    throw new CommandError(`there is no configuration for "${given}"; there is ${names.join(", ")}`, exitStatus.usage);
  const file = client.file(process.env, process.platform);
  const local = await localServer(flags);
  const service = serviceAddition(client, flags.url ?? exampleUrl, local);
  if (flags.url !== undefined) {
    requireNoFlags(client, service.entry, flags);
    if (flags.apply) return apply(client, file, service, serviceAdvice(client, file));
    out.write(`In ${file}:\n\n${merged(client, "", service) ?? ""}`);
    return 0;
  }
  if (flags.apply) apply(client, file, addition(client, client.local(local), local.secrets), localAdvice(client, file, local));
  else {
    out.line(`In ${file}:\n`);
    out.line(`${localConfiguration(client, local)}\nOr, for a service that runs at ${exampleUrl} (--url names another):\n`);
    out.write(merged(client, "", service) ?? "");
  }
  if (local.emptyCache !== undefined) console.error(local.emptyCache);
  for (const note of local.notes) console.error(note);
  return 0;
}

/** A client that calls a service itself takes none of the flags of the command: nothing that the user set may be lost. */
function requireNoFlags({ title }: McpClient, entry: Addition["entry"], { write, connector, config }: SetupFlags): void {
  if ("command" in entry) return;
  const given = [...(write ? ["--write"] : []), ...(connector ? ["--connector"] : []), ...(config ? ["--config"] : [])];
  if (given.length > 0)
    throw new CommandError(
      `${given.join(" and ")} cannot be combined with --url, because ${title} calls the service itself. The key of the agent decides: tenon key create agent --right read --right write --instance ${connector ?? "<connector_id>"}. The service offers the tool "write" with TENON_MCP_WRITES=true.`,
      exitStatus.usage,
    );
}

function serviceAddition(client: McpClient, url: string, local: LocalServer): Addition {
  return addition(client, client.service(url, local), [client.secretsFrom.service === "file" ? "TENON_API_KEY" : agentKey]);
}

/** The text that a client without any configuration needs to start this program. */
export function localConfiguration(client: McpClient, server: LocalServer): string {
  return merged(client, "", addition(client, client.local(server), server.secrets)) ?? "";
}

function addition({ servers, inputs }: McpClient, entry: Addition["entry"], secrets: readonly string[]): Addition {
  return { servers, name, entry, inputs: inputs?.(secrets) ?? [], secrets };
}

function merged({ format }: McpClient, text: string, added: Addition): string | undefined {
  return format === "json" ? withJson(text, added) : withToml(text, added);
}

/** Why a file may be left to its user. */
const leftAsIs = { json: "it has comments", toml: "its servers are not written as tables" };

/** Adds the server to the file of the client, of which a copy is kept. @param advice what its user has to do now */
function apply(client: McpClient, file: string, added: Addition, advice: string): number {
  const isThere = existsSync(file);
  // The file may be a link into a folder that its user keeps elsewhere.
  const target = isThere ? realpathSync(file) : file;
  const before = isThere ? readFileSync(target, "utf8") : "";
  const after = merged(client, before, added);
  if (after === undefined)
    throw new CommandError(
      `${file} cannot be changed by this command, for example because ${leftAsIs[client.format]}; add by hand:\n${merged(client, "", added)}`,
      exitStatus.badConfiguration,
    );
  if (after === before) {
    console.error(`${file} has this configuration already.\n${advice}`);
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
  console.error(advice);
  out.line(file);
  return 0;
}
