import { type Action, type ActionName, type Connector, nearest } from "../contract/index.ts";
import { type Fault, invalidRequest, maxFaults, TenonError } from "../errors.ts";
import { checkParams, pointer, shown } from "./params-check.ts";
import { isObject } from "./record-reader.ts";

const members = ["entity", "action", "params"];

/** Name of the action that the context store answers; it exists for every entity. */
const storeAction = "context_store_search";

/**
 * Checks a request from outside, of which nothing is known yet. All its faults are told together.
 *
 * @returns the action and its parameters, defaults filled in
 * @throws TenonError `invalid_request`, or `forbidden_transition` when that is all that is wrong
 */
export function checkRequest(connector: Connector, request: unknown): { action: Action; params: Record<string, unknown> } {
  if (!isObject(request))
    throw invalidRequest([
      { pointer: "", code: "wrong_type", message: "The request must be an object with entity, action and params." },
    ]);
  const faults = Object.keys(request)
    .filter((name) => !members.includes(name))
    .slice(0, maxFaults)
    .map(unknownMember);
  const action = findAction(connector, request, faults);
  if (action === undefined) throw invalidRequest(faults);
  const checked = checkParams(action, request["params"] === undefined ? {} : request["params"]);
  faults.push(...checked.faults);
  if (faults.length > 0)
    throw invalidRequest(
      faults,
      faults.every((fault) => fault.code === "forbidden_transition") ? "forbidden_transition" : undefined,
    );
  return { action, params: checked.params };
}

function unknownMember(name: string): Fault {
  const suggestion = nearest(name, members);
  const message = `A request has only ${members.join(", ")}.`;
  return {
    pointer: pointer([name]),
    code: "unknown_member",
    message,
    allowed: members,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

function findAction(connector: Connector, request: Readonly<Record<string, unknown>>, faults: Fault[]): Action | undefined {
  const { entity, action } = request;
  const found = typeof entity === "string" && Object.hasOwn(connector.entities, entity) ? connector.entities[entity] : undefined;
  if (found === undefined) {
    faults.push(nameFault("entity", entity, Object.keys(connector.entities), "This connector"));
    if (typeof action !== "string") faults.push(nameFault("action", action, undefined, ""));
    if (request["params"] !== undefined && !isObject(request["params"]))
      faults.push({ pointer: "/params", code: "wrong_type", message: "params must be an object." });
    return undefined;
  }
  if (action === storeAction)
    throw new TenonError(
      "context_store_unavailable",
      "Cached search (context_store_search) is not available yet: nothing is synced in this version. Use list, get or api_search.",
    );
  const known =
    typeof action === "string" && Object.hasOwn(found.actions, action) ? found.actions[action as ActionName] : undefined;
  if (known === undefined) faults.push(nameFault("action", action, [...Object.keys(found.actions), storeAction], String(entity)));
  return known;
}

function nameFault(what: "entity" | "action", value: unknown, allowed: readonly string[] | undefined, owner: string): Fault {
  const at = { pointer: `/${what}`, ...(allowed === undefined ? {} : { allowed }) };
  if (value === undefined) return { ...at, code: `missing_${what}`, message: `${what} is required.` };
  if (typeof value !== "string") return { ...at, code: "wrong_type", message: `${what} must be a string.` };
  const suggestion = allowed === undefined ? undefined : nearest(value, allowed);
  return {
    ...at,
    code: `unknown_${what}`,
    message: `${owner} has no ${what} "${shown(value)}".`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
