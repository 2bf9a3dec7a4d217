import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { withDeadline } from "../../base/deadline.ts";
import { connectors } from "../../main/connectors.ts";
import { requireConnector } from "../../main/known-connector.ts";
import { openAccess } from "../../main/open-access.ts";
import { withoutPlaceholders } from "../../main/settings/placeholder.ts";
import { readSettings, type Settings } from "../../main/settings/settings.ts";
import { toolHost } from "../../main/tool-host.ts";
import type { ToolHost } from "../../mcp/host.ts";
import { instructionsFor, mcpServer } from "../../mcp/server.ts";
import { out, outputGone, outputRead, watchOutput } from "../output/standard-output.ts";
import { requireService } from "../request/place-flags.ts";
import { tellSimulated, tellSimulatedThere } from "../simulation.ts";
import { LineTransport } from "./line-transport.ts";
import { readMessages } from "./mcp-input.ts";

interface McpFlags {
  readonly write: boolean;
  readonly connector: string | undefined;
  readonly workspace: string | undefined;
  readonly organization: string | undefined;
  readonly config: string | undefined;
}

/**
 * `tenon mcp`: a server of the Model Context Protocol on standard input and output, until its client closes them and has every
 * response, or it gets a signal.
 *
 * @throws SettingsError, TenonError `unknown_connector`
 */
export async function run(_args: readonly string[], flags: McpFlags): Promise<number> {
  const { environment, text: placeholders } = withoutPlaceholders(process.env, connectors);
  const { settings } = readSettings(environment, connectors, flags.config);
  requireService(settings, flags);
  if (settings.url === "" && flags.connector !== undefined) await requireConnector(settings, flags.connector, connectors);
  // Standard output is the protocol's, so that the log has nowhere to go but standard error.
  const access = await openAccess(
    settings,
    flags,
    { write: (line) => void (/"level":(?:50|60)/.test(line) && process.stderr.write(line)) },
    connectors,
  );
  if (placeholders !== "") console.error(placeholders);
  tellSimulated(settings, flags.connector);
  const host = toolHost(access, connectors, { only: flags.connector, writes: flags.write });
  const known = await instructionsOf(host, settings, flags.connector);
  const instructions = placeholders === "" ? known : `${known} Tell the user: ${placeholders}`;
  const messages = readMessages(process.stdin, (response) => void out.write(response));
  const transport = new LineTransport(messages, async (line) => {
    if (!out.write(line)) await outputRead();
  });
  const ended = new Promise<void>((resolve) => {
    watchOutput();
    for (const gone of [transport.closed, outputGone]) gone.addEventListener("abort", () => resolve(), { once: true });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  const server = serveStdio(() => mcpServer(host, instructions), { transport });
  await ended;
  process.stdin.destroy();
  await server.close();
  await access.close();
  return 0;
}

/** Milliseconds to wait for a service. A client gives up when the server does not greet it soon. */
const patience = 3_000;

/** The instructions for the model. Where a service does not say what it has, a call of a tool will report why. */
async function instructionsOf(host: ToolHost, settings: Settings, only: string | undefined): Promise<string> {
  if (settings.url === "") return instructionsFor(await host.instances());
  const found = await withDeadline(patience, host.instances(), () => undefined).catch(() => undefined);
  // The server starts all the same: the operator may add the connector, or give access to it, at any time.
  if (only !== undefined && found?.length === 0)
    console.error(`The service at ${settings.url} has no connector "${only}" that this key may use.`);
  const there = found ?? [];
  tellSimulatedThere(
    settings,
    there.flatMap(({ id, simulated }) => (simulated === true ? [id] : [])),
  );
  return instructionsFor(there);
}
