import { invalidRequest } from "../base/errors.ts";
import { fieldOperators } from "../contract/index.ts";
import type { ActionManual, EntityManual } from "../manual/manual.ts";
import { act, type Deed, type Places } from "./act.ts";
import { clean } from "./clean.ts";
import { listText } from "./list-text.ts";
import type { GivenCursor } from "./page.ts";
import { jsonResult, type ToolResult } from "./result.ts";
import type { TextTable } from "./table.ts";
import type { Arguments, ToolRun, ToolTarget } from "./target.ts";

// What a tool is, and what the tools share.

export type Schema = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Schema;
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** It is there only where writes were requested. */
  readonly writes?: true;
  /** It is there only where the caller may sync. */
  readonly syncs?: true;
  /** It is there only where an entity has search by meaning. */
  readonly semantic?: true;
  /** @throws TenonError about the arguments, and what the action throws */
  run(call: ToolRun): Promise<ToolResult>;
}

export const connector = { type: "string", description: "Connector id; needed only where there are several." };
export const entity = { type: "string", description: "Such as issues." };
export const params = { type: "object", description: "As describe_entity lists them." };
export const fields = { type: "array", items: { type: "string" }, description: "Fields to return." };
export const filter = {
  type: "object",
  description: `Operator, field, value: {"eq":{"state":"open"},"keyword":{"title":"crash"}}. Operators: ${Object.keys(fieldOperators).join(" ")}, joined by and, or, not.`,
};
export const cursor = { type: "string", description: "From the previous response." };
export const formats = ["table", "json"] as const;
export const format = { enum: formats, description: "table (default) is short; json has all fields." };

export function object(properties: Schema, required: readonly string[]): Schema {
  return { type: "object", properties, required, additionalProperties: false };
}

/** Maps places in the request of an action to the tool's arguments. */
export function ofParams({ fields }: Arguments): Places {
  return fields === undefined ? [] : [["/params/fields", "/fields"]];
}

/** The action that the arguments name, which was checked, and its params. */
export function actionIn(
  { actions }: EntityManual,
  args: Arguments,
): { readonly action: ActionManual; readonly params: Arguments } {
  const action = actions.find(({ name }) => name === args["action"]);
  if (action === undefined) throw invalidRequest([]);
  return { action, params: (args["params"] ?? {}) as Arguments };
}

export function cursorIn({ cursor: given }: Arguments): GivenCursor | undefined {
  return typeof given === "string" && given !== "" ? { value: given, argument: "/cursor" } : undefined;
}

/** The arguments of these names that were given. */
export function pick(args: Arguments, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]));
}

/**
 * The columns of a list: the fields of the call, or those that tell what a record is. Undefined where the list is given as JSON, as it is
 * where a field is a list of keys, which may have dots.
 */
export function tableFor({ brief }: EntityManual, args: Arguments, params: Arguments): TextTable | undefined {
  if (args["format"] === "json") return undefined;
  const given = args["fields"] ?? params["fields"];
  if (given === undefined) return brief === undefined ? undefined : { columns: brief, isBrief: true };
  if (!Array.isArray(given) || given.length === 0 || !given.every((one) => typeof one === "string")) return undefined;
  return { columns: given, isBrief: false };
}

/** Runs an action, whose list becomes a table where the deed has one. @throws TenonError */
export async function respond(tool: string, call: ToolRun, target: ToolTarget, deed: Deed): Promise<ToolResult> {
  const response = await act(call, target, deed);
  const { table, paging } = deed;
  if (table === undefined || paging === undefined || !Array.isArray(response.data)) return jsonResult(response);
  const content = clean({ data: response.data, meta: response.meta }) as typeof response;
  const list = { tool, entity: target.entity.name, table, paging, goesOn: deed.cursor !== undefined };
  return { text: listText(content, list), content: () => ({ ...content }) };
}
