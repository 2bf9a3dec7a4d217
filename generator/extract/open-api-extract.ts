import { isJsonObject, isList, type Json, type JsonSchema, OpenApi, openApiVersion, pointerKeys } from "../model/open-api.ts";

type JsonObject = { [key: string]: Json };

/** Keys that are for readers of the platform's own site. They would make up most of an extract. */
const prose = new Set([
  "description",
  "summary",
  "title",
  "examples",
  "example",
  "externalDocs",
  "tags",
  "operationId",
  "callbacks",
  "links",
]);

/** Keys whose members have names of the platform's own, so that `title` among them is a property and no prose. */
const named = new Set([
  // Objects of OpenAPI. The names of responses are status codes and `default`.
  "schemas",
  "responses",
  "headers",
  "content",
  "encoding",
  "mapping",
  "variables",
  // JSON Schema.
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependentRequired",
  "dependencies",
]);

/** Keys of a schema whose values are values of the platform, so that nothing in them is prose or a reference. */
const values = new Set(["default", "enum", "const"]);

/** An object whose members have names of the platform's own, such as `constructor`, and so no prototype. */
const withoutPrototype = <T>() => Object.create(null) as Record<string, T>;

/**
 * Cuts operations out of a whole OpenAPI description, with every component that they reach, so that the repository holds kilobytes where
 * the published description holds megabytes.
 *
 * @param calls such as `GET /books/{id}`
 * @param source what the extract says of its origin
 * @throws Error when the description has no such operation
 */
export function extractOpenApi(root: Json, calls: readonly string[], source: string): JsonObject {
  const api = new OpenApi(root);
  const components = withoutPrototype<JsonObject>();
  const take = (reference: string): string => {
    const keys = pointerKeys(reference);
    const [, kind = "", ...name] = keys[0] === "components" ? keys : ["components", "schemas", keys.join(".")];
    const key = name.join("/");
    const ofKind = components[kind] ?? withoutPrototype<Json>();
    components[kind] = ofKind;
    if (!Object.hasOwn(ofKind, key)) {
      // A component may refer to itself.
      ofKind[key] = null;
      ofKind[key] = copy(api.at(keys) ?? {});
    }
    return `#/components/${kind}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  };
  const copy = (value: Json, names = false): Json => {
    if (isList(value)) return value.map((one) => copy(one));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).filter(([key]) => names || !(prose.has(key) || key.startsWith("x-")));
    const copied = (key: string, inner: Json): Json => {
      if (names) return copy(inner);
      if (key === "$ref" && typeof inner === "string") return take(inner);
      return values.has(key) ? inner : copy(inner, named.has(key));
    };
    return Object.fromEntries(entries.map(([key, inner]) => [key, copied(key, inner)]));
  };
  const paths: Record<string, JsonObject> = {};
  const schemes = new Set<string>();
  for (const call of [...new Set(calls)].sort()) {
    const [method = "", path = ""] = call.split(" ");
    const found = api.operation(method, path);
    if (found === undefined) throw new Error(`the description has no operation "${call}"`);
    const { operation, parameters } = found;
    const security = operation["security"] ?? (isJsonObject(root) ? root["security"] : undefined);
    for (const name of schemeNames(security)) schemes.add(name);
    const copied = copy({ ...operation, parameters }) as JsonObject;
    paths[path] = { ...paths[path], [method.toLowerCase()]: security === undefined ? copied : { ...copied, security } };
  }
  for (const name of schemes) {
    const scheme = api.at(["components", "securitySchemes", name]);
    if (isJsonObject(scheme)) components["securitySchemes"] = { ...components["securitySchemes"], [name]: withoutScopes(scheme) };
  }
  const info = api.at(["info"]);
  return {
    openapi: openApiVersion(root) ?? "3.0.0",
    info: {
      title: (isJsonObject(info) ? info["title"] : undefined) ?? "",
      version: (isJsonObject(info) ? info["version"] : undefined) ?? "",
      "x-extracted-from": source,
    },
    ...(isJsonObject(root) && isList(root["servers"]) ? { servers: copy(root["servers"]) } : {}),
    paths,
    components: sorted(components),
  };
}

function schemeNames(security: Json | undefined): string[] {
  return isList(security) ? security.filter(isJsonObject).flatMap((one) => Object.keys(one)) : [];
}

/** What a scheme's scopes mean is prose; their names stay in the operations. */
function withoutScopes(scheme: JsonSchema): Json {
  const { type, name, in: place, scheme: kind } = scheme;
  return Object.fromEntries(
    Object.entries({ type, name, in: place, scheme: kind }).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}

function sorted(components: Readonly<Record<string, JsonObject>>): JsonObject {
  const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);
  return Object.fromEntries(
    Object.entries(components)
      .sort(byKey)
      .map(([kind, ofKind]) => [kind, Object.fromEntries(Object.entries(ofKind).sort(byKey))]),
  );
}
