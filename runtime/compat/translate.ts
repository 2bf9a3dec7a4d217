import { isDeepStrictEqual } from "node:util";
import { type Fault, pointer } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { type Action, type Connector, type Entity, storeAction } from "../contract/index.ts";
import { type Moved, withoutTextOperators } from "./text-operators.ts";

/** What the client asks for, of which nothing is known yet. */
export interface RequestedAction {
  readonly entity: unknown;
  readonly action: unknown;
  readonly params: unknown;
}

/** A request in our own words. */
export interface Translated extends RequestedAction {
  /** A fault of the translated request, as one of the request that the caller sent. */
  readonly faultOf: (fault: Fault) => Fault;
}

/** Says a request of the client in our words. What is wrong in it stays wrong, and is refused later. */
export function translate({ entities, compat }: Connector, { entity, action, params }: RequestedAction): Translated {
  const check = compat?.check;
  if (check !== undefined && isDeepStrictEqual({ entity, action, params }, check.asks)) return { ...check.runs, faultOf: same };
  const known = typeof entity === "string" && Object.hasOwn(entities, entity) ? entities[entity] : undefined;
  const actions: Readonly<Record<string, Action>> = known?.actions ?? {};
  const name = action === "search" && Object.hasOwn(actions, "api_search") ? "api_search" : action;
  if (name === storeAction) return translateSearch(known, { entity, action: name, params });
  const found = typeof name === "string" && Object.hasOwn(actions, name) ? actions[name] : undefined;
  return { entity, action: name, params: found === undefined ? params : withNumbers(found, params), faultOf: same };
}

const same = (fault: Fault) => fault;

/** Parameters that number a thing. The client's typed helpers send them as texts. */
const numberName = /(?:^|_)number$/;

/** Turns numbers that were sent as texts into numbers, where the action takes a whole number. */
function withNumbers(action: Action, params: unknown): unknown {
  if (!isObject(params)) return params;
  const texts = action.params.filter((name) => numberName.test(name) && /^\d{1,15}$/.test(textOf(params, name)));
  if (texts.length === 0) return params;
  // The validator writes defaults into the object that it checks.
  action.validate({ ...params });
  const wrong = (action.validate.errors ?? []).filter(
    ({ keyword, params: about }) => keyword === "type" && about["type"] === "integer",
  );
  const paths = new Set(wrong.map(({ instancePath }) => instancePath));
  const numbers = texts.filter((name) => paths.has(`/${name}`)).map((name) => [name, Number(params[name])]);
  return { ...params, ...Object.fromEntries(numbers) };
}

function textOf(params: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(params, name) ? params[name] : undefined;
  return typeof value === "string" ? value : "";
}

function translateSearch(known: Entity | undefined, { entity, action, params }: RequestedAction): Translated {
  const moved: Moved[] = [];
  const parts = isObject(params) ? Object.entries(params) : [];
  const translated = parts.map(([name, part]) => [name, withFilter(name, withDefaults(name, part, known), moved)]);
  return {
    entity,
    action,
    params: isObject(params) ? Object.fromEntries(translated) : params,
    faultOf: (fault) => movedBack(fault, moved),
  };
}

/** What the client counts on where it leaves it out: which field is searched by meaning, and how similar a hit is at least. */
function withDefaults(name: string, part: unknown, known: Entity | undefined): unknown {
  if (name !== "semantic" || !isObject(part)) return part;
  const [field] = Object.keys(known?.store.semantic?.fields ?? {});
  return { ...(field === undefined ? {} : { field }), min_similarity: 0.25, ...part };
}

/** The filter stands in `query` or in `semantic`. */
function withFilter(name: string, part: unknown, moved: Moved[]): unknown {
  if ((name !== "query" && name !== "semantic") || !isObject(part) || part["filter"] === undefined) return part;
  return { ...part, filter: withoutTextOperators(part["filter"], ["params", name, "filter"], moved) };
}

/** The same fault at the place and with the operator that the caller wrote. Inner places come first in the list. */
function movedBack(fault: Fault, moved: readonly Moved[]): Fault {
  let { pointer: place, message } = fault;
  for (const { to, from, operator } of moved) {
    const start = pointer(to);
    if (place !== start && !place.startsWith(`${start}/`)) continue;
    place = pointer(from) + place.slice(start.length);
    if (operator !== undefined) message = message.replace(/^like\b/, operator);
  }
  return { ...fault, pointer: place, message };
}
