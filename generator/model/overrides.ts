import { isDeepStrictEqual } from "node:util";
import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import type { DiagnosticCode, Facts } from "../diagnostic/diagnostic.ts";
import { isJsonObject, isList, type Json, type JsonSchema, type OpenApi, pointerKeys } from "./open-api.ts";

// Checks of `overrides`: places of a description, and merge patches (RFC 7396) of what is there.

/** What is wrong with a part of an override. `keys` lead to it inside the patch. */
export interface OverrideFault {
  readonly keys: readonly string[];
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly facts?: Facts;
}

/** The objects of OpenAPI, and what their keys hold: another object, a list or a map of such, or anything. */
const objects: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  description: {
    ...anything("openapi info servers tags security externalDocs webhooks jsonSchemaDialect"),
    paths: "map of path",
    components: "components",
  },
  components: {
    ...anything("examples securitySchemes links callbacks pathItems"),
    schemas: "map of schema",
    responses: "map of response",
    parameters: "map of parameter",
    requestBodies: "map of body",
    headers: "map of parameter",
  },
  path: {
    ...anything("summary description servers"),
    parameters: "list of parameter",
    ...Object.fromEntries(["get", "put", "post", "delete", "options", "head", "patch", "trace"].map((key) => [key, "operation"])),
  },
  operation: {
    ...anything("tags summary description externalDocs operationId callbacks deprecated security servers"),
    parameters: "list of parameter",
    requestBody: "body",
    responses: "map of response",
  },
  parameter: {
    ...anything("name in description required deprecated allowEmptyValue style explode allowReserved example examples"),
    schema: "schema",
    content: "map of media type",
  },
  body: { ...anything("description required"), content: "map of media type" },
  response: { ...anything("description links"), headers: "map of parameter", content: "map of media type" },
  "media type": { ...anything("example examples encoding"), schema: "schema" },
  schema: {
    ...anything(
      "type format enum const default title description nullable required example examples deprecated readOnly writeOnly",
    ),
    ...anything("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems"),
    ...anything("uniqueItems contains minContains maxContains minProperties maxProperties propertyNames dependentRequired"),
    ...anything("dependentSchemas if then else contentEncoding contentMediaType contentSchema prefixItems unevaluatedItems"),
    ...anything("unevaluatedProperties discriminator xml externalDocs"),
    properties: "map of schema",
    patternProperties: "map of schema",
    additionalProperties: "schema",
    items: "schema",
    not: "schema",
    allOf: "list of schema",
    anyOf: "list of schema",
    oneOf: "list of schema",
  },
};

function anything(keys: string): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.split(" ").map((key) => [key, "anything"]));
}

/** What a key of an object of this kind holds; undefined when it has no such key. */
function kindAt(kind: string, key: string): string | undefined {
  if (kind === "anything") return kind;
  const [, inner] = /^(?:map|list) of (.*)$/.exec(kind) ?? [];
  if (inner !== undefined) return inner;
  if (key.startsWith("$") || key.startsWith("x-")) return "anything";
  const known = objects[kind] ?? {};
  return Object.hasOwn(known, key) ? known[key] : undefined;
}

/**
 * What is wrong with the patch of a place that the description has: keys that OpenAPI does not have, and parts without an effect.
 *
 * @param keys lead from the description to the place
 */
export function overrideFaults(api: OpenApi, keys: readonly string[], patch: JsonSchema): readonly OverrideFault[] {
  const kind = keys.reduce((here: string | undefined, key) => kindAt(here ?? "anything", key), "description");
  return faultsOf(api.at(keys), patch, kind ?? "anything", [], api);
}

function faultsOf(value: Json | undefined, patch: Json, kind: string, at: readonly string[], api: OpenApi): OverrideFault[] {
  const form = kind.startsWith("list of ") ? "a list" : "a mapping";
  const isSchema = kind === "schema" && typeof patch === "boolean";
  if (kind !== "anything" && !isSchema && !(form === "a list" ? isList(patch) : isJsonObject(patch)))
    return [{ keys: at, code: "SPEC016", message: `"${at.at(-1)}" is ${form} in OpenAPI` }];
  const here = isJsonObject(value) ? api.resolve(value) : value;
  if (!isJsonObject(patch)) {
    if (!isDeepStrictEqual(here, patch)) return isList(patch) ? inList(patch, kind, at, api) : [];
    return [
      {
        keys: at,
        code: "SPEC016",
        message: "the platform's description already says this, so the override has no effect",
        facts: { needless: true },
      },
    ];
  }
  const known = isJsonObject(here) ? here : {};
  if (Object.keys(patch).length === 0 && isJsonObject(here))
    return [{ keys: at, code: "SPEC016", message: "this override changes nothing" }];
  return Object.entries(patch).flatMap(([key, change]): OverrideFault[] => {
    const keys = [...at, key];
    const inner = kindAt(kind, key);
    const isThere = Object.hasOwn(known, key);
    if (inner === undefined && !isThere)
      return [
        {
          keys,
          code: "SPEC003",
          message: `"${key}" is not a key of ${article(kind)}`,
          hint: suggestion(key, Object.keys(objects[kind] ?? {})),
        },
      ];
    if (change === null && !isThere)
      return [{ keys, code: "SPEC014", message: `there is no "${key}" to remove`, hint: suggestion(key, Object.keys(known)) }];
    const near = isThere || inner !== "media type" ? undefined : nearest(key, Object.keys(known));
    if (near !== undefined)
      return [
        { keys, code: "SPEC014", message: `the platform's description has no "${key}" here`, hint: `did you mean "${near}"?` },
      ];
    return change === null ? [] : faultsOf(isThere ? known[key] : undefined, change, inner ?? "anything", keys, api);
  });
}

/** A list is replaced, so nothing in it can be what the description already has. */
function inList(patch: readonly Json[], kind: string, at: readonly string[], api: OpenApi): OverrideFault[] {
  const inner = kindAt(kind, "");
  return patch.flatMap((one, index) =>
    isJsonObject(one) && inner !== undefined ? faultsOf(undefined, one, inner, [...at, String(index)], api) : [],
  );
}

const article = (kind: string) => `${/^[aeo]/.test(kind) ? "an" : "a"} ${kind} in OpenAPI`;

/** Whether a place is a part of what the description says of calls, or what they refer to. Places that say nothing of calls are none. */
export function isReached(api: OpenApi, place: string, calls: readonly string[]): boolean {
  const [first, second] = pointerKeys(place);
  if (first !== "paths" && (first !== "components" || second === "securitySchemes")) return true;
  const reached = new Set<string>();
  const visit = (pointer: string) => {
    if (reached.has(pointer)) return;
    reached.add(pointer);
    JSON.stringify(api.at(pointerKeys(pointer)), (key, one: unknown) => {
      if (key === "$ref" && typeof one === "string") visit(one.replace(/^#?\/?/, ""));
      return one;
    });
  };
  for (const call of calls) {
    const [method = "", path = ""] = call.split(" ");
    const item = `paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    visit(`${item}/${method.toLowerCase()}`);
    visit(`${item}/parameters`);
  }
  const bare = place.replace(/^#?\/?/, "");
  return [...reached].some((one) => one === bare || one.startsWith(`${bare}/`) || bare.startsWith(`${one}/`));
}
