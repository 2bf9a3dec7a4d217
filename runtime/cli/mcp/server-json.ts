import packageFile from "../../../package.json" with { type: "json" };
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { out } from "../output/standard-output.ts";

/**
 * `tenon mcp server-json`: prints how a registry of MCP servers describes the service at an address. It names no package, because the
 * service is what clients connect to.
 *
 * @throws CommandError
 */
export async function run([given = ""]: readonly string[]): Promise<number> {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== "https:" || !/^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z][a-z\d-]*$/.test(url.hostname))
    throw new CommandError(`"${given}" is no public address: give one such as https://tenon.example.com`, exitStatus.usage);
  const path = url.pathname.replace(/\/$/, "");
  const server = {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: `${url.hostname.split(".").reverse().join(".")}/tenon`,
    title: "Tenon",
    description: "Reads, searches and changes data of platforms: live, from a cache, or with SQL.",
    version: packageFile.version,
    remotes: [
      {
        type: "streamable-http",
        url: `${url.origin}${path}/mcp`,
        headers: [
          {
            name: "Authorization",
            description: "Needed where no authorization server is set up for the service.",
            value: "Bearer {key}",
            isSecret: true,
            variables: { key: { description: "A key of the service, made with tenon key create", isSecret: true } },
          },
        ],
      },
    ],
  };
  out.write(`${JSON.stringify(server, null, 2)}\n`);
  return 0;
}
