import { github } from "../../../generated/github/index.ts";
import type { Connector } from "../../../runtime/contract/index.ts";
import { manualOf } from "../../../runtime/manual/manual.ts";
import type { ToolHost } from "../../../runtime/mcp/host.ts";
import { callTool } from "../../../runtime/mcp/server.ts";
import { tools } from "../../../runtime/mcp/tools.ts";

/** Runs an action for a tool. */
export type Execute = ToolHost["execute"];

/** What tools work with. */
export const host = (execute: Execute, { writes = true, connectors = [github] }: Partial<Place> = {}): ToolHost => ({
  writes,
  redact: (text) => text.replaceAll("secret-1", "[redacted]"),
  instances: async () => connectors.map((one) => ({ id: one.name, manual: () => manualOf(one), page: async () => undefined })),
  execute,
  watch: () => Promise.reject(new Error()),
  changes: (connectorId, params, call) =>
    execute(connectorId, { entity: "", action: "changes", params }, { ...call, answerBytes: 0, withTotal: true }),
});

/** Whether writes are on, and the connectors that there are. */
export interface Place {
  readonly writes: boolean;
  readonly connectors: readonly Connector[];
}

/** Calls a tool for JSON, and gives what its text says. */
export async function call(execute: Execute, name: string, args: Record<string, unknown>, place: Partial<Place> = {}) {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const isRead = ["read", "search", "semantic_search"].includes(name);
  const given = isRead ? { format: "json", ...args } : args;
  const { content, isError, structuredContent } = await callTool(tool, host(execute, place), given, undefined, true);
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  return { isError: isError === true, text, value: JSON.parse(text), structuredContent };
}

/** A read of a list of issues. */
export const list = { entity: "issues", action: "list", params: { owner: "octocat", repo: "hello-world" } };
