import type { Faults } from "../base/faults.ts";
import { isObject } from "../base/is-object.ts";
import { type Places, withArguments } from "./act.ts";
import { changesAction } from "./advice.ts";
import { fitted, responseBytes } from "./budget.ts";
import { livePaging } from "./page.ts";
import { problemResult } from "./problem.ts";
import { jsonResult, type ToolResult } from "./result.ts";
import { runChecked } from "./run.ts";
import { checkReads, refuseFaults, type ToolRun, targetOf } from "./target.ts";
import {
  actionIn,
  connector,
  cursor,
  entity,
  fields,
  format,
  object,
  ofParams,
  params,
  pick,
  respond,
  type Schema,
  type Tool,
  tableFor,
} from "./tool.ts";

/** The most reads of one call. */
const mostReads = 10;

/** The most changes of one call, where its params do not say how many. */
const usualChanges = 50;

/** Maps places in the query of the change feed to the tool's arguments. */
const ofChanges: Places = [...["/entity", "/cursor", "/fields"].map((name) => [name, name] as const), ["", "/params"]];

const one: Schema = {
  connector,
  entity,
  action: {
    type: "string",
    description:
      "get, list, api_search (the platform's own search syntax), changes (of the cache since a cursor) or another that reads.",
  },
  params,
  fields,
  cursor,
  format,
};
const required = ["entity", "action"];

export const readTool: Tool = {
  name: "read",
  title: "Read records",
  description: "Reads live from the platform: one record, a list, or up to ten of such calls at once.",
  input: object(
    {
      ...one,
      reads: {
        type: "array",
        items: { type: "object" },
        maxItems: mostReads,
        description: "Instead of all others: arguments of several reads.",
      },
    },
    [],
  ),
  readOnly: true,
  run: (call) => (call.args["reads"] === undefined ? readOne(call) : readSeveral(call)),
};

async function readOne(call: ToolRun): Promise<ToolResult> {
  for (const name of required)
    if (call.args[name] === undefined)
      call.faults.add([name], "missing_param", `${name} is required, or reads with several calls.`);
  if (call.args["action"] === changesAction) return readChanges(call);
  const target = await targetOf(call, (found) => checkReads(call, found));
  const { action, params: own } = actionIn(target.entity, call.args);
  const paging = livePaging(action);
  const argument = `/params/${paging?.cursor}`;
  const given = call.args["cursor"] ?? own[paging?.cursor ?? ""];
  const isOwn = call.args["cursor"] === undefined;
  if (!isOwn && own[paging?.cursor ?? ""] !== undefined)
    call.faults.add(["cursor"], "not_allowed", `cursor and params.${paging?.cursor} exclude each other: give one of them.`);
  if (!isOwn && paging === undefined)
    call.faults.add(["cursor"], "not_allowed", `${action.name} gives one record: leave the cursor out.`);
  refuseFaults(call);
  const table = paging === undefined ? undefined : tableFor(target.entity, call.args, own);
  return respond("read", call, target, {
    action: action.name,
    params: { ...(table === undefined ? {} : { fields: table.columns }), ...own, ...pick(call.args, ["fields"]) },
    paging,
    table,
    cursor: typeof given === "string" && given !== "" ? { value: given, argument: isOwn ? argument : "/cursor" } : undefined,
    places: [...(isOwn ? [] : [[argument, "/cursor"] as const]), ...ofParams(call.args)],
  });
}

/** Reads changes of an entity: what they were and of which records, without what only programs need. */
async function readChanges(call: ToolRun): Promise<ToolResult> {
  const { host, args, signal, most } = call;
  const given = isObject(args["params"]) ? args["params"] : {};
  for (const name of ["entity", "cursor", "fields"])
    if (given[name] !== undefined && args[name] !== undefined)
      call.faults.add(["params", name], "not_allowed", `${name} and params.${name} exclude each other: give only ${name}.`);
  const { instance, entity: found } = await targetOf(call);
  const query = { limit: usualChanges, ...given, ...pick(args, ["fields", "cursor"]), entity: found.name };
  const { data, meta } = await host
    .changes(instance.id, query, { signal })
    .catch((thrown: unknown) => Promise.reject(withArguments(thrown, ofChanges)));
  const changes = Array.isArray(data) ? data.filter(isObject) : [];
  const short = changes.map(({ sequence: _, connector_id: __, entity: ___, cursor: ____, ...rest }) => rest);
  // What is left out comes with the next call.
  const ended = (kept: number) => ({ cursor: changes[kept - 1]?.["cursor"] ?? meta["cursor"], has_more: true });
  return jsonResult(fitted({ data: short, meta }, { most, ended }).response);
}

/** Runs several reads at once. Each has its part of the room for a response, and one that fails does not stop the others. */
async function readSeveral(call: ToolRun): Promise<ToolResult> {
  const { reads, ...others } = call.args;
  const given: readonly unknown[] = Array.isArray(reads) ? reads : [];
  call.faults.unknownNames(
    [],
    "not_allowed",
    others,
    [],
    (name) => `${name} and reads exclude each other: give it in each read.`,
  );
  checkReadsList(given, call.faults);
  refuseFaults(call);
  const most = Math.floor(responseBytes / given.length);
  const input = object(one, required);
  const results = await Promise.all(
    given.map(async (args) => {
      const own = { ...(args as Readonly<Record<string, unknown>>) };
      return runChecked({ input, run: readOne }, { ...call, args: own, most }).catch((thrown: unknown) => {
        if (call.signal?.aborted === true) throw thrown;
        const problem = problemResult("read", call.host, own, thrown);
        return { ...problem, content: () => ({ error: problem.content() }) };
      });
    }),
  );
  return {
    text: results.map(({ text }, index) => `[${index + 1}] ${text}`).join("\n\n"),
    content: () => ({ results: results.map(({ content }) => content()) }),
    isError: results.every(({ isError }) => isError === true),
  };
}

function checkReadsList(given: readonly unknown[], faults: Faults): void {
  if (given.length === 0 || given.length > mostReads)
    faults.add(["reads"], "out_of_range", `reads must have from 1 to ${mostReads} elements.`);
  for (const [index, read] of given.slice(0, mostReads).entries())
    if (!isObject(read))
      faults.add(
        ["reads", index],
        "wrong_type",
        'A read must be an object, such as {"entity":"issues","action":"get","params":{…}}.',
      );
}
