import { writeFileSync } from "node:fs";
import packageFile from "../../../package.json" with { type: "json" };
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { out } from "../output/standard-output.ts";
import type { LocalServer } from "./mcp-clients.ts";
import { localServer } from "./mcp-server.ts";
import { zipOf } from "./zip.ts";

interface BundleFlags {
  readonly write: boolean;
  readonly connector: string | undefined;
  readonly url: string | undefined;
  readonly config: string | undefined;
}

/**
 * `tenon mcp bundle`: makes a file that Claude Desktop and other clients install with a double click. It starts this installation, and asks
 * for the secrets.
 *
 * @throws as `localServer`; CommandError for another ending of the file
 */
export async function run([file = "tenon.mcpb"]: readonly string[], { url, ...flags }: BundleFlags): Promise<number> {
  if (!file.endsWith(".mcpb"))
    throw new CommandError(`the name of the file must end with .mcpb, and "${file}" does not`, exitStatus.usage);
  const local = await localServer({ ...flags, url });
  const server: LocalServer = url === undefined ? local : { ...local, env: { TENON_URL: url }, secrets: ["TENON_API_KEY"] };
  writeFileSync(file, zipOf({ "manifest.json": manifestOf(server), "server/start.js": startOf(server) }));
  out.line(file);
  console.error(
    "Open it with Claude Desktop. It starts the Tenon of this machine: make it again where Tenon moves, and on other machines.",
  );
  if (url === undefined && local.emptyCache !== undefined) console.error(local.emptyCache);
  if (url === undefined) for (const note of local.notes) console.error(note);
  return 0;
}

/** What the client reads of the bundle. Format: version 0.3 of the manifest of MCP bundles. */
function manifestOf({ env, secrets }: LocalServer): string {
  const id = (name: string) => name.toLowerCase();
  const asked = secrets.map((name) => [name, `\${user_config.${id(name)}}`] as const);
  const config = secrets.map(
    (name) =>
      [
        id(name),
        {
          type: "string",
          title: name,
          description: `The value of ${name}. Without it, leave this empty.`,
          sensitive: true,
          required: false,
          default: "",
        },
      ] as const,
  );
  return JSON.stringify(
    {
      manifest_version: "0.3",
      name: "tenon",
      display_name: "Tenon",
      version: packageFile.version,
      description: "Reads, searches and changes data of platforms through the Tenon of this machine.",
      author: { name: "Tenon" },
      server: {
        type: "node",
        entry_point: "server/start.js",
        mcp_config: { command: "node", args: [`\${__dirname}/server/start.js`], env: { ...env, ...Object.fromEntries(asked) } },
      },
      tools_generated: true,
      prompts_generated: true,
      license: "MIT",
      compatibility: { platforms: [process.platform] },
      user_config: Object.fromEntries(config),
    },
    null,
    2,
  );
}

/** The program of the bundle: the client may bring another version of Node than Tenon needs. */
function startOf({ command, args }: LocalServer): string {
  return `"use strict";
const { spawn } = require("node:child_process");
const server = spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
server.on("error", (error) => {
  console.error(\`Tenon does not start: \${error.message}. Make the bundle again with "tenon mcp bundle".\`);
  process.exit(1);
});
server.on("exit", (code) => process.exit(code ?? 1));
`;
}
