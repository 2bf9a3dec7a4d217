import { invalidRequest, shown } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import { isObject } from "../base/is-object.ts";
import { requestLimits } from "../base/request-limits.ts";
import {
  type Action,
  aliasedIn,
  type Connector,
  type Entity,
  isStoreAction,
  sqlAction,
  storeAction,
  storeActionsOf,
} from "../contract/index.ts";
import { checkParams } from "./params-check.ts";
import type { CheckedRequest } from "./request.ts";
import { checkSqlParams } from "./sql-query.ts";
import { checkStoreParams } from "./store-check.ts";

const members = ["entity", "action", "params", "intent"];
/** Characters of `intent`: why the caller asks, in its own words, for the audit log. */
const longestIntent = requestLimits.intent;

/**
 * Checks a request of which nothing is known yet. All its faults are reported together.
 *
 * @throws TenonError `invalid_request`, or `forbidden_transition` when nothing else is wrong
 */
export function checkRequest(connector: Connector, request: unknown): CheckedRequest {
  const faults = new Faults();
  const checked = readRequest(connector, request, faults);
  if (checked !== undefined && !faults.any) return checked;
  const forbidden = faults.list.every((fault) => fault.code === "forbidden_transition");
  throw invalidRequest(faults.list, forbidden ? "forbidden_transition" : undefined);
}

function readRequest(connector: Connector, request: unknown, faults: Faults): CheckedRequest | undefined {
  if (!isObject(request)) return faults.add([], "wrong_type", "The request must be an object with entity, action and params.");
  faults.unknownNames([], "unknown_member", request, members, () => `A request may have only ${members.join(", ")}.`);
  const { intent } = request;
  if (intent !== undefined && (typeof intent !== "string" || intent.length > longestIntent))
    faults.add(["intent"], "wrong_type", `intent must be a string of at most ${longestIntent} characters.`);
  const found = findAction(connector, request, faults);
  if (found === undefined) return undefined;
  const given = request["params"] === undefined ? {} : request["params"];
  if (found.action === sqlAction) return checkSqlParams(given, faults);
  return found.action === storeAction
    ? checkStoreParams(found.name, found.entity, given, faults)
    : checkParams(found.action, given, faults);
}

interface NamedAction {
  readonly name: string;
  readonly entity: Entity;
  readonly action: Action | typeof storeAction | typeof sqlAction;
}

function findAction(connector: Connector, request: Readonly<Record<string, unknown>>, faults: Faults): NamedAction | undefined {
  const { entity: name, action } = request;
  const entity = typeof name === "string" && Object.hasOwn(connector.entities, name) ? connector.entities[name] : undefined;
  if (entity === undefined) {
    const meant = typeof name === "string" ? aliasedIn(name, connector.entities) : undefined;
    addNameFault("entity", name, Object.keys(connector.entities), "This connector has no", faults, meant);
    const actions = new Set(Object.values(connector.entities).flatMap((one) => Object.keys(one.actions)));
    for (const own of [storeAction, sqlAction]) actions.add(own);
    if (typeof action !== "string" || !actions.has(action))
      addNameFault("action", action, [...actions], "No entity has an", faults);
    if (request["params"] !== undefined && !isObject(request["params"]))
      faults.add(["params"], "wrong_type", "params must be an object.");
    return undefined;
  }
  const found = { name: String(name), entity };
  const cached = storeActionsOf(entity);
  if (isStoreAction(action) && cached.includes(action)) return { ...found, action };
  const known = typeof action === "string" && Object.hasOwn(entity.actions, action) ? entity.actions[action] : undefined;
  if (known !== undefined) return { ...found, action: known };
  const nothing = isStoreAction(action) ? `No sync reads ${found.name}, so it has no` : `${found.name} has no`;
  return addNameFault("action", action, [...Object.keys(entity.actions), ...cached], nothing, faults);
}

function addNameFault(
  what: "entity" | "action",
  value: unknown,
  allowed: readonly string[],
  nothing: string,
  faults: Faults,
  meant?: string,
): undefined {
  if (value === undefined) return faults.add([what], `missing_${what}`, `${what} is required.`, allowed);
  if (typeof value !== "string") return faults.add([what], "wrong_type", `${what} must be a string.`, allowed);
  return faults.unknown([what], `unknown_${what}`, `${nothing} ${what} "${shown(value)}".`, value, allowed, meant);
}
