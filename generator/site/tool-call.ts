import { actionTraits, storeAction } from "../../runtime/contract/index.ts";
import { tools } from "../../runtime/mcp/tools.ts";
import type { Request } from "./request.ts";

/** The `params` of a `tools/call` of the Model Context Protocol. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The call of a tool for models that asks the same as a request. Undefined where no tool takes everything that the request has. */
export function toolCall(connector: string, request: Request): ToolCall | undefined {
  const { entity, params = {} } = request;
  const { name, rest } = wanted(request.action, params);
  const call: ToolCall = {
    name,
    arguments: { connector, entity, ...(name === "read" || name === "write" ? { action: request.action, params } : rest) },
  };
  const taken = tools.find((tool) => tool.name === name)?.input["properties"] ?? {};
  return Object.keys(call.arguments).every((argument) => Object.hasOwn(taken, argument)) ? call : undefined;
}

/** Which tool runs an action, and the arguments that a search has: the members of `query` and `semantic` are arguments of their own. */
function wanted(action: string, params: Readonly<Record<string, unknown>>): { readonly name: string; readonly rest: object } {
  if (action !== storeAction) return { name: isRead(action) ? "read" : "write", rest: {} };
  const { query = {}, semantic, ...rest } = params as { query?: object; semantic?: { field?: unknown } };
  if (semantic === undefined) return { name: "search", rest: { ...query, ...rest } };
  // The tool searches the field that the entity has for it.
  const { field: _, ...prompt } = semantic;
  return { name: "semantic_search", rest: { ...prompt, ...rest } };
}

/** An action that only one spec has changes something. */
function isRead(action: string): boolean {
  return Object.hasOwn(actionTraits, action) && !actionTraits[action as keyof typeof actionTraits].writes;
}
