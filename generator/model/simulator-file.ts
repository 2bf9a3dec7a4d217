import { isObject } from "../../runtime/base/is-object.ts";
import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { pathKeys, templatePaths } from "../../runtime/contract/index.ts";
import type { Results } from "../cache/results.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import { isAllowed } from "../load/accept.ts";
import type { LoadedConnector } from "../load/load.ts";
import { readSource, type Source } from "../load/source.ts";
import { propertyNames } from "./json-schema.ts";
import type { PlatformDescription } from "./platform-description.ts";
import { bodyPlace } from "./query-params.ts";

type Names = Readonly<Record<string, unknown>>;

/** What is checked of a route beyond the form of its keys. */
interface Route {
  readonly list?: string;
  readonly get?: string;
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
  readonly within?: readonly [string, string, string];
  readonly links?: Readonly<Record<string, readonly [string, string, string?]>>;
  readonly expand?: Readonly<Record<string, string>>;
  readonly from?: string;
  readonly set?: Names;
  readonly turns?: Names;
  readonly with?: unknown;
  readonly defaults?: Names;
}

interface SimulatedPlatform {
  readonly records: Readonly<Record<string, readonly Names[]>>;
  readonly routes?: Readonly<Record<string, Route>>;
  readonly graphql?: { readonly defaults?: Readonly<Record<string, unknown>> };
  readonly errors: Names;
}

const verbs = ["list", "get", "create", "update", "delete"] as const;
/** Placeholders in the templates of a route, besides the parameters of the call, and those in records with `repeat`. */
const ofRoutes = ["serial", "count", "now", "seconds", "viewer"];
const ofRecords = ["n", "nn", "day", "minute"];
/** Placeholders in the defaults of new records of a GraphQL API. */
const ofGraphql = ["serial", "now", "viewer"];

/** Checks the file of a simulated platform: its keys, and that its routes are calls of the platform with collections that there are. */
export function checkSimulator(
  folder: { readonly path: string; readonly read: (reference: string) => string | undefined },
  connector: Pick<LoadedConnector, "spec" | "source" | "entities">,
  platform: PlatformDescription,
  diagnostics: Diagnostics,
  results: Results,
): void {
  const { simulator = "" } = connector.spec;
  if (!/\.ya?ml$/.test(simulator)) return;
  const text = folder.read(simulator);
  if (text === undefined) return;
  const source = readSource({ path: `${folder.path}/${simulator}`, text }, diagnostics, results, true);
  if (source === undefined || !isAllowed("simulator", source, diagnostics, results)) return;
  const { records, routes = {}, errors, graphql } = source.value as SimulatedPlatform;
  checkPlaces(graphql?.defaults, ["graphql", "defaults"], ofGraphql, source, diagnostics);
  checkPlaces(errors, ["errors"], ["message", "param"], source, diagnostics);
  for (const [name, written] of Object.entries(records))
    for (const [index, one] of written.entries())
      if (one["repeat"] !== undefined) checkPlaces(one, ["records", name, index], ofRecords, source, diagnostics);
  for (const [call, route] of Object.entries(routes)) checkRoute(call, route, records, source, platform, diagnostics);
  checkBodies(connector.entities, { records, routes }, source, platform, diagnostics);
  checkErrorPlaces(connector, errors, diagnostics);
}

/** Reports a write whose params the spec puts into a part of the body that the simulated platform would take for a member of the record. */
function checkBodies(
  entities: LoadedConnector["entities"],
  { records, routes = {} }: Pick<SimulatedPlatform, "records" | "routes">,
  source: Source,
  platform: PlatformDescription,
  diagnostics: Diagnostics,
): void {
  for (const { spec } of entities)
    for (const [name, { rest = "", body }] of Object.entries(spec.actions)) {
      const { create, update, from } = routes[rest] ?? {};
      const collection = create ?? update;
      const [part = ""] = pathKeys(body ?? "");
      if (part === "" || collection === undefined || from !== undefined) continue;
      const [method = "", path = ""] = rest.split(" ");
      // A part that no body of the call has is a fault of the spec.
      const isPart = bodyPlace(platform.rest(method, path)?.body, part, platform) !== undefined;
      if (!isPart || (records[collection] ?? []).some((one) => Object.hasOwn(one, part))) continue;
      const message = `the params of ${spec.entity}.${name} are in "${body}" of the body, which no record of "${collection}" has`;
      diagnostics.error(source.at(["routes", rest]), "SPEC016", message, `\`from: ${body}\` takes them from there`);
    }
}

/**
 * Reports a place of errors that no error of the simulated platform has: one that is spelled almost like one that it has, or the only
 * one of its kind.
 */
function checkErrorPlaces(
  { spec, source }: Pick<LoadedConnector, "spec" | "source">,
  errors: Names,
  diagnostics: Diagnostics,
): void {
  const members = [...new Set(Object.values(errors).flatMap((one) => (isObject(one) ? pathsIn(one["body"]) : [])))];
  for (const [what, written] of Object.entries(spec.errors?.places ?? {})) {
    const named = [written].flat();
    const others = members.filter((one) => !named.includes(one));
    const isKnown = members.length === 0 || members.length > others.length;
    const meant = new Set<string>();
    for (const [index, text] of named.entries()) {
      const near = nearest(text, others);
      const isNear = near !== undefined && Math.abs(near.length - text.length) <= 2 && !meant.has(near);
      if (members.includes(text) || (isKnown && !isNear)) continue;
      if (near !== undefined) meant.add(near);
      const keys = ["errors", "places", what, ...(Array.isArray(written) ? [index] : [])];
      const message = `no error of the simulated platform has "${text}"`;
      diagnostics.error(source.at(keys), "SPEC007", message, suggestion(text, others), { says: noPlace(text) });
    }
  }
}

/** What the checks of a place of errors say, against the description and the simulator alike. */
export const noPlace = (text: string): string => `no error has "${text}"`;

/** The paths to every member of a value, and to the members of its first elements: `errors[0].message`. */
function pathsIn(value: unknown, before = ""): string[] {
  const inner = Array.isArray(value) ? [[`${before}[0]`, value[0]] as const] : [];
  const members = isObject(value)
    ? Object.entries(value).map(([key, one]) => [before === "" ? key : `${before}.${key}`, one] as const)
    : [];
  return [...inner, ...members].flatMap(([path, one]) => [path, ...pathsIn(one, path)]);
}

function checkRoute(
  call: string,
  route: Route,
  records: SimulatedPlatform["records"],
  source: Source,
  platform: PlatformDescription,
  diagnostics: Diagnostics,
): void {
  const at = (...keys: (string | number)[]) => source.at(["routes", call, ...keys]);
  const collections = Object.keys(records);
  const [method = "", path = ""] = call.split(" ");
  const described = platform.rest(method, path);
  if (described === undefined)
    diagnostics.error(at(), "SPEC014", `the platform's description has no "${call}"`, suggestion(call, platform.calls));
  const given = verbs.filter((verb) => route[verb] !== undefined);
  const [, second] = given;
  if (given.length === 0) diagnostics.error(at(), "SPEC016", "the route does nothing", `it needs one of: ${verbs.join(", ")}`);
  if (second !== undefined)
    diagnostics.error(at(second), "SPEC016", `the route has \`${given.join("` and `")}\`, and can do one thing`);
  const named: readonly (readonly [string | undefined, ...string[]])[] = [
    ...given.map((verb) => [route[verb], verb] as const),
    [route.within?.[0], "within"],
    ...Object.entries(route.links ?? {}).map(([place, [, collection]]) => [collection, "links", place] as const),
    ...Object.entries(route.expand ?? {}).map(([field, collection]) => [collection, "expand", field] as const),
  ];
  for (const [collection, ...keys] of named)
    if (collection !== undefined && !collections.includes(collection))
      diagnostics.error(
        at(...keys),
        "SPEC003",
        `\`records\` has no collection "${collection}"`,
        suggestion(collection, collections),
      );
  if (described === undefined) return;
  const body = route.from === undefined ? described.body : bodyPlace(described.body, route.from, platform);
  const params = [...templatePaths(path), ...described.params.map(({ name }) => name)];
  const known = [...ofRoutes, ...params, ...(body === undefined ? [] : propertyNames(body, platform))];
  for (const key of ["set", "turns"] as const) checkPlaces(route[key], ["routes", call, key], known, source, diagnostics);
  // A response about one record may have its fields too; a list has none, and neither it nor a default replaces anything.
  const collection = given[0] === undefined ? undefined : route[given[0]];
  const members = [...(records[collection ?? ""] ?? []), route.set ?? {}, route.defaults ?? {}].flatMap((one) =>
    Object.keys(one),
  );
  const ofOne = route.list === undefined ? [...known.filter((name) => !ofRoutes.includes(name)), ...members] : [];
  checkPlaces(route.with, ["routes", call, "with"], ofOne, source, diagnostics);
  checkPlaces(route.defaults, ["routes", call, "defaults"], [], source, diagnostics);
}

/** Reports names in braces that nothing replaces. */
function checkPlaces(
  value: unknown,
  at: readonly (string | number)[],
  known: readonly string[],
  source: Source,
  diagnostics: Diagnostics,
): void {
  if (typeof value === "string")
    for (const [, name = ""] of value.matchAll(/\{(\w+)\}/g)) {
      if (!known.includes(name))
        diagnostics.error(
          source.at(at),
          "SPEC003",
          `nothing gives "{${name}}" here`,
          known.length === 0 ? "a text is sent here as it is" : suggestion(name, known),
        );
    }
  else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value))
      checkPlaces(inner, [...at, Array.isArray(value) ? Number(key) : key], known, source, diagnostics);
}
