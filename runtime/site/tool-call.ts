import { actionOf, isStoreAction, sqlAction, storeAction } from "../contract/index.ts";
import { connectors } from "../main/connectors.ts";
import { tools } from "../mcp/tools.ts";
import type { SampleRequest } from "./request.ts";

/** The `params` of a `tools/call` of the Model Context Protocol. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A tool that does not take everything that a request has. */
export interface NoToolCall {
  readonly tool: string;
  /** Names of the arguments that it does not have. */
  readonly unknown: readonly string[];
}

/** The call of a tool for models that asks the same as a request. */
export function toolCall(connector: string, request: SampleRequest): ToolCall | NoToolCall {
  const { entity, params = {} } = request;
  const { name, rest } = wanted(connector, request, params);
  const isLive = name === "read" || name === "write";
  const call: ToolCall = {
    name,
    arguments: {
      connector,
      ...(name === "sql" ? {} : { entity }),
      ...(isLive ? { action: request.action, params } : rest),
      // The page shows the whole response beside it, which a table would shorten.
      format: "json",
    },
  };
  const taken = tools.find((tool) => tool.name === name)?.input["properties"] ?? {};
  const unknown = Object.keys(call.arguments).filter((argument) => !Object.hasOwn(taken, argument));
  return unknown.length === 0 ? call : { tool: name, unknown };
}

/** Which tool runs an action, and the arguments that a search has: the members of `query` and `semantic` are arguments of their own. */
function wanted(
  connector: string,
  request: SampleRequest,
  params: Readonly<Record<string, unknown>>,
): { readonly name: string; readonly rest: object } {
  const { action } = request;
  if (action === sqlAction) return { name: "sql", rest: params };
  if (action !== storeAction) return { name: isRead(connector, request) ? "read" : "write", rest: {} };
  const { query = {}, semantic, ...rest } = params as { query?: object; semantic?: { field?: unknown } };
  if (semantic === undefined) return { name: "search", rest: { ...query, ...rest } };
  // The tool searches the field that the entity has for it.
  const { field: _, ...prompt } = semantic;
  return { name: "semantic_search", rest: { ...prompt, ...rest } };
}

/** Whether a request changes nothing. One that no connector has changes nothing either. */
export function isRead(connector: string, { entity, action }: SampleRequest): boolean {
  const found = connectors.find(({ name }) => name === connector);
  return isStoreAction(action) || found === undefined || actionOf(found, entity, action)?.traits.writes !== true;
}
