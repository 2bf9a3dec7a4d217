import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { connectors, openAccess, toolHost } from "../main/index.ts";
import { readSettings } from "../main/settings.ts";
import { mcpServer } from "../mcp/server.ts";
import { requireService } from "./place-flags.ts";

interface McpFlags {
  readonly write: boolean;
  readonly connector: string | undefined;
  readonly workspace: string | undefined;
  readonly organization: string | undefined;
  readonly config: string | undefined;
}

/**
 * `tenon mcp`: a server of the Model Context Protocol on standard input and output, until its client closes them or it gets a signal.
 *
 * @throws SettingsError
 */
export async function run(_args: readonly string[], flags: McpFlags): Promise<number> {
  const { settings } = readSettings(process.env, connectors, flags.config);
  requireService(settings, flags);
  // Standard output is the protocol's, so that the log has nowhere to go but standard error.
  const access = openAccess(
    settings,
    flags,
    { write: (line) => void (/"level":(?:50|60)/.test(line) && process.stderr.write(line)) },
    connectors,
  );
  const server = mcpServer(toolHost(access, connectors, { only: flags.connector, writes: flags.write }));
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once("end", resolve);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
  await access.close();
  return 0;
}
