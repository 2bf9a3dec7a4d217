import type { Connector } from "../../contract/index.ts";
import { agentKey } from "../../main/settings/settings-check.ts";
import type { LocalServer, McpClient } from "./mcp-clients.ts";

/** What the user of a client has to do after its file was changed, so that it sees the data that is meant. */
export function localAdvice(
  { title, secretsFrom: { local } }: McpClient,
  file: string,
  { secrets, connectors }: LocalServer & { readonly connectors: readonly Connector[] },
): string {
  // The credential of a connector that was added is stored already.
  if (connectors.length === 0) return `Restart ${title}.`;
  const names = secrets.join(", ");
  const [only] = connectors;
  const without =
    connectors.length === 1 && only?.simulator !== undefined
      ? `Without ${secrets.length === 1 ? "it" : "them"}, ${only.title} is simulated: its data is invented.`
      : "Without any of them, all platforms are simulated: their data is invented. With some, the others are off.";
  switch (local) {
    case "environment": {
      const unset = secrets.filter((name) => !process.env[name]);
      const here = unset.length > 0 && connectors.length === 1 ? ` (not set in this shell: ${unset.join(", ")})` : "";
      return `Restart ${title} from a shell in which ${names} is set${here}. ${without}`;
    }
    case "question":
      return `Restart ${title}, and enter ${names} when it asks. ${without}`;
    case "file":
      return `Fill in ${names} in ${file}, where it stays as plain text, and restart ${title}. ${without}`;
  }
}

/** The same for a client that uses a service. */
export function serviceAdvice({ title, secretsFrom: { service } }: McpClient, file: string): string {
  const key = "a key of the agent (tenon key create agent --right read)";
  switch (service) {
    case "environment":
      return `Restart ${title} from a shell in which ${agentKey} is ${key}.`;
    case "question":
      return `Restart ${title}, and enter ${key} when it requests ${agentKey}.`;
    case "file":
      return `Fill in TENON_API_KEY in ${file} with ${key}, which stays there as plain text, and restart ${title}.`;
  }
}
