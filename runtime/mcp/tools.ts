import { idempotencyKeyRule, isIdempotencyKey } from "../base/idempotency-key.ts";
import { requestLimits } from "../base/request-limits.ts";
import { dedups, storeAction } from "../contract/index.ts";
import { marked } from "../manual/manual.ts";
import { act, type Places } from "./act.ts";
import { compact, fieldDocs } from "./describe.ts";
import type { ToolHost } from "./host.ts";
import { listing } from "./listing.ts";
import { searchPaging } from "./page.ts";
import { readTool } from "./read-tool.ts";
import { jsonResult, resultOf, type ToolResult } from "./result.ts";
import { runChecked } from "./run.ts";
import { sqlTool } from "./sql-tool.ts";
import { syncTool } from "./sync-tool.ts";
import { ofHits } from "./table.ts";
import {
  type Arguments,
  checkDescribed,
  checkSemantic,
  checkWrites,
  namedInstance,
  offered,
  refuseFaults,
  targetOf,
} from "./target.ts";
import {
  actionIn,
  connector,
  cursor,
  cursorIn,
  entity,
  fields,
  filter,
  format,
  object,
  ofParams,
  params,
  pick,
  respond,
  type Tool,
  tableFor,
} from "./tool.ts";

// The one table of tools. MCP and the definitions for other frameworks come from it.

/** Map places in the request of a search to the tool's arguments. */
const ofSearch: Places = [
  ["/params/query", ""],
  ["/params", ""],
];
const ofSemantic: Places = [
  ["/params/semantic", ""],
  ["/params", ""],
];
/** Characters of text around a hit, unless the arguments say how many: enough to judge it. */
const contextSize = 400;

export const tools: readonly Tool[] = [
  {
    name: "list_entities",
    title: "List entities",
    description: "Lists connectors, entities and their actions. Call it first.",
    input: object({ connector }, []),
    readOnly: true,
    run: async (call) => {
      const { host, args } = call;
      const named = args["connector"] === undefined ? undefined : await namedInstance(call);
      refuseFaults(call);
      return listing(named === undefined ? await host.instances() : [named], host);
    },
  },
  {
    name: "describe_entity",
    title: "Describe an entity",
    description: "Gives the params of actions as JSON Schema, and the fields of records.",
    input: object({ connector, entity, action: { type: "string", description: "Only this action, without fields." } }, [
      "entity",
    ]),
    readOnly: true,
    run: async (call) => {
      const { entity: found } = await targetOf(call, (target) => checkDescribed(call, target));
      const names = offered(found, call.host);
      const wanted = call.args["action"];
      const actions = found.actions.filter(({ name }) => names.includes(name) && (wanted === undefined || name === wanted));
      return resultOf({
        name: found.name,
        doc: found.doc,
        ...marked(found.addition),
        actions: actions.map(({ name, doc, addition, params }) => ({ name, doc, ...marked(addition), params: compact(params) })),
        ...(wanted === undefined ? { fields: fieldDocs(found) } : {}),
      });
    },
  },
  readTool,
  {
    name: "search",
    title: "Search the cache",
    description:
      "Searches synced records: fast, exact filters, over all repositories at once. Use read where nothing was synced.",
    input: object(
      {
        connector,
        entity,
        filter,
        sort: { type: "array", items: { type: "object" }, description: 'Such as [{"updatedAt":"desc"}].' },
        limit: { type: "integer", minimum: 1, maximum: 1000, description: "Default 20." },
        cursor,
        fields,
        format,
        count: { type: "boolean", description: "Count all that match." },
        groupBy: { type: "array", items: { type: "string" }, description: "Count by one or two fields instead." },
      },
      ["entity"],
    ),
    readOnly: true,
    run: async (call) => {
      const { args } = call;
      const target = await targetOf(call);
      const table = args["groupBy"] === undefined ? tableFor(target.entity, args, {}) : undefined;
      return respond("search", call, target, {
        action: storeAction,
        params: {
          query: pick(args, ["filter", "sort"]),
          limit: args["limit"] ?? 20,
          ...(table === undefined ? {} : { fields: table.columns }),
          ...pick(args, ["fields", "count", "groupBy"]),
        },
        paging: searchPaging(args["groupBy"] === undefined),
        table,
        cursor: cursorIn(args),
        places: ofSearch,
      });
    },
  },
  {
    name: "semantic_search",
    title: "Search by meaning",
    description: "Finds synced records whose text means something like the prompt, the most similar first.",
    input: object(
      {
        connector,
        entity,
        prompt: { type: "string" },
        filter,
        limit: { type: "integer", minimum: 1, maximum: 100, description: "Default 10." },
        cursor,
        fields,
        format,
        context_size: { type: "integer", description: "Characters of text around a hit." },
        dedup: { enum: dedups, description: "none: every passage of a record." },
        min_similarity: { type: "number", minimum: -1, maximum: 1 },
      },
      ["entity", "prompt"],
    ),
    readOnly: true,
    semantic: true,
    run: async (call) => {
      const { args } = call;
      const target = await targetOf(call, (found) => checkSemantic(call, found));
      const [field] = target.entity.semantic;
      const table = tableFor(target.entity, args, {});
      const semantic = {
        field,
        ...(table === undefined ? {} : { context_size: contextSize }),
        ...pick(args, ["prompt", "filter", "context_size", "dedup", "min_similarity"]),
      };
      return respond("semantic_search", call, target, {
        action: storeAction,
        params: { semantic, ...(table === undefined ? {} : { fields: table.columns }), ...pick(args, ["limit", "fields"]) },
        paging: searchPaging(true),
        table: table === undefined ? undefined : ofHits(table),
        cursor: cursorIn(args),
        places: ofSemantic,
      });
    },
  },
  sqlTool,
  {
    name: "write",
    title: "Create or change a record",
    description:
      "Runs an action that changes something, such as create or update. Ask the user before. After write_in_doubt, read before you try again.",
    input: object(
      {
        connector,
        entity,
        action: { type: "string" },
        params,
        fields,
        format,
        idempotency_key: {
          type: "string",
          minLength: 1,
          maxLength: requestLimits.idempotencyKey,
          description: "A new UUID for each intended write; the same one to try again.",
        },
      },
      ["entity", "action", "params"],
    ),
    readOnly: false,
    writes: true,
    run: async (call) => {
      const { idempotency_key: key, ...args } = call.args;
      // A key of another form would be refused by a service, or be no key at all.
      if (typeof key === "string" && !isIdempotencyKey(key)) {
        const message = `idempotency_key ${idempotencyKeyRule}. Give a new UUID, or leave it out. Nothing was sent.`;
        call.faults.add(["idempotency_key"], "wrong_form", message);
      }
      const target = await targetOf(call, (found) => checkWrites(call, found));
      const { action, params: own } = actionIn(target.entity, args);
      const shown = args["format"] === "json" ? undefined : action.brief;
      const response = await act(call, target, {
        action: action.name,
        params: { ...(shown === undefined ? {} : { fields: shown }), ...own, ...pick(args, ["fields"]) },
        ...(typeof key === "string" ? { idempotencyKey: key } : {}),
        places: ofParams(args),
      });
      return jsonResult(response);
    },
  },
  syncTool,
];

/** The tools that there are for a host. */
export async function toolsOf(host: ToolHost): Promise<readonly Tool[]> {
  const manuals = await Promise.all((await host.instances()).map(({ manual }) => manual()));
  const isSemantic = manuals.some(({ entities }) => entities.some(({ semantic }) => semantic.length > 0));
  const isThere = ({ writes, semantic, syncs }: Tool) =>
    (writes !== true || host.writes) && (semantic !== true || isSemantic) && (syncs !== true || host.tasks?.sync !== undefined);
  return tools.filter(isThere);
}

/** Runs a tool. @throws TenonError with all faults of the arguments, and what the action throws */
export function runTool(
  tool: Pick<Tool, "input" | "run">,
  host: ToolHost,
  args: Arguments,
  signal: AbortSignal | undefined,
): Promise<ToolResult> {
  return runChecked(tool, { host, args, signal });
}
