import { errorCodes } from "../base/error-codes.ts";
import type { TenonError } from "../base/errors.ts";
import { correctStatement, suggestionOf, withoutHeaders } from "../base/what-to-do.ts";
import type { Arguments } from "./target.ts";

/** The action that the tool `read` has of its own: what syncs have changed in the cache. */
export const changesAction = "changes";

/** What a model should call next after an error of a tool. */
export function nextStep(
  tool: string,
  { entity, action, reads, task }: Arguments,
  { code, faults, proposal, retryAfter }: TenonError,
): string {
  // Fields may be among the params, whose description does not list them.
  const places = faults.map(({ pointer }) => pointer.replace(/^\/params(?=\/fields)/, "").split("/")[1] ?? "");
  const has = (...names: readonly string[]) => places.some((place) => names.includes(place));
  const described = { entity: String(entity), ...(typeof action === "string" ? { action } : {}) };
  if (code === "bad_cursor")
    return `Call ${tool} again with the cursor of the previous response and the same other arguments, or without a cursor to begin again.`;
  if (has("sql")) return `${correctStatement} call sql again. Without sql it lists the tables.`;
  const meant = suggestionOf(faults);
  if (meant !== undefined) return `Call ${tool} again with ${meant.text}.`;
  // Beside these no other argument is allowed, however right it is.
  if ((reads ?? task) !== undefined && faults.some((fault) => fault.code === "not_allowed")) return correctArguments(tool);
  if (faults.some((fault) => fault.code === "not_allowed" && ["/action", "/entity"].includes(fault.pointer)))
    return "Use the tool that the message names, or one of the allowed values.";
  if (code === "unknown_connector" || has("connector", "entity"))
    return "Call list_entities: it lists the connectors, entities and actions.";
  if (has("action")) return `Call describe_entity with ${JSON.stringify({ entity })}: it lists the actions.`;
  // Its params are not those of an action of the platform, and the messages say all about them.
  if (has("params") && action !== changesAction)
    return `Call describe_entity with ${JSON.stringify(described)}: it lists the params. Then call ${tool} again.`;
  if (has("fields", "filter", "sort", "groupBy"))
    return `Call describe_entity with ${JSON.stringify({ entity })}: it lists the fields. Then call ${tool} again.`;
  if (faults.length > 0) return correctArguments(tool);
  if (code === "approval_required" && proposal !== undefined && "idempotency_key" in proposal)
    return `Tell the user that a person has to approve this, and stop. You cannot approve it. Once the user says that it is decided, call ${tool} again with the same arguments and "idempotency_key":${JSON.stringify(proposal.idempotency_key)} to get the outcome; it is not sent twice.`;
  if (code === "semantic_index_not_ready" && retryAfter === undefined)
    return "Do not wait: nothing is cached before somebody syncs it. Tell the user how, as the message says, or use the tool read.";
  if (code === "semantic_index_not_ready")
    return `Wait as long as \`retry_after\` says (seconds), and call ${tool} again; meanwhile, search with keyword finds words.`;
  if (code === "sync_running") return `Wait until it has ended, and call ${tool} again.`;
  if (code === "context_store_unavailable") return "Use the tool read.";
  return withoutHeaders(errorCodes[code].advice);
}

function correctArguments(tool: string): string {
  return `Correct the arguments that errors names, and call ${tool} again.`;
}
