import { authorized, type Tenon } from "./service.ts";

/** Sends messages of revision 2026-07-28 as a client with these capabilities would. */
export function mcpCaller(capabilities: object, headers: Readonly<Record<string, string>> = authorized) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  return async (tenon: Pick<Tenon, "send">, method: string, params: Readonly<Record<string, unknown>>) => {
    const all = {
      ...headers,
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": String(params["name"] ?? params["taskId"] ?? ""),
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta: meta, ...params } });
    const { result, error } = JSON.parse((await tenon.send("POST", "/mcp", body, all)).text);
    return { result, error };
  };
}

/** Capabilities of a client that takes tasks. */
export const withTasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };

/** The text of the result of a tool. */
export function textOf(result: { readonly content: readonly { readonly text: string }[] }): string {
  return result.content.map(({ text }) => text).join("");
}
