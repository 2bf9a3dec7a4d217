import { type Action, type ActionName, type Connector, type Entity, nearest, type Warning } from "../contract/index.ts";
import { type Fault, invalidRequest, maxFaults, pointer, shown } from "../errors.ts";
import type { StoreSearch } from "../store/store.ts";
import { checkParams } from "./params-check.ts";
import { isObject } from "./record-reader.ts";
import { checkStoreParams } from "./store-check.ts";

const members = ["entity", "action", "params"];

/** Name of the action that the context store answers; it exists for every entity. */
const storeAction = "context_store_search" as const;

/** A request without faults: for the platform, with defaults filled in, or for the store. */
export type CheckedRequest =
  | { readonly kind: "platform"; readonly action: Action; readonly params: Record<string, unknown> }
  | { readonly kind: "store"; readonly entity: string; readonly search: StoreSearch; readonly warnings: readonly Warning[] };

/**
 * Checks a request from outside, of which nothing is known yet. All its faults are told together.
 *
 * @throws TenonError `invalid_request`, or `forbidden_transition` when that is all that is wrong
 */
export function checkRequest(connector: Connector, request: unknown): CheckedRequest {
  if (!isObject(request))
    throw invalidRequest([
      { pointer: "", code: "wrong_type", message: "The request must be an object with entity, action and params." },
    ]);
  const faults = Object.keys(request)
    .filter((name) => !members.includes(name))
    .slice(0, maxFaults)
    .map(unknownMember);
  const { entity, action } = findAction(connector, request, faults);
  const given = request["params"] === undefined ? {} : request["params"];
  if (entity !== undefined && action === storeAction) {
    const { faults: more, ...search } = checkStoreParams(entity.name, entity.entity, given);
    faults.push(...more);
    if (faults.length > 0) throw invalidRequest(faults);
    return { kind: "store", entity: entity.name, ...search };
  }
  if (action === undefined || action === storeAction) throw invalidRequest(faults);
  const checked = checkParams(action, given);
  faults.push(...checked.faults);
  if (faults.length > 0)
    throw invalidRequest(
      faults,
      faults.every((fault) => fault.code === "forbidden_transition") ? "forbidden_transition" : undefined,
    );
  return { kind: "platform", action, params: checked.params };
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

interface Found {
  readonly entity?: { readonly name: string; readonly entity: Entity };
  readonly action?: Action | typeof storeAction;
}

function findAction(connector: Connector, request: Readonly<Record<string, unknown>>, faults: Fault[]): Found {
  const { entity, action } = request;
  const found = typeof entity === "string" && Object.hasOwn(connector.entities, entity) ? connector.entities[entity] : undefined;
  if (found === undefined) {
    faults.push(nameFault("entity", entity, Object.keys(connector.entities), "This connector has no"));
    const actions = new Set(Object.values(connector.entities).flatMap((one) => Object.keys(one.actions)));
    actions.add(storeAction);
    if (typeof action !== "string" || !actions.has(action))
      faults.push(nameFault("action", action, [...actions], "No entity has an"));
    if (request["params"] !== undefined && !isObject(request["params"]))
      faults.push({ pointer: "/params", code: "wrong_type", message: "params must be an object." });
    return {};
  }
  const named = { name: String(entity), entity: found };
  if (action === storeAction) return { entity: named, action };
  const known =
    typeof action === "string" && Object.hasOwn(found.actions, action) ? found.actions[action as ActionName] : undefined;
  if (known === undefined)
    faults.push(nameFault("action", action, [...Object.keys(found.actions), storeAction], `${String(entity)} has no`));
  return known === undefined ? { entity: named } : { entity: named, action: known };
}

function nameFault(what: "entity" | "action", value: unknown, allowed: readonly string[], nothing: string): Fault {
  const at = { pointer: `/${what}`, allowed };
  if (value === undefined) return { ...at, code: `missing_${what}`, message: `${what} is required.` };
  if (typeof value !== "string") return { ...at, code: "wrong_type", message: `${what} must be a string.` };
  const suggestion = nearest(value, allowed);
  return {
    ...at,
    code: `unknown_${what}`,
    message: `${nothing} ${what} "${shown(value)}".`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
