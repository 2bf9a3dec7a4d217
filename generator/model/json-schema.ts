import { nearest } from "../../runtime/base/nearest.ts";
import type { Json } from "./open-api.ts";
import { isJsonObject, type JsonSchema, type PlatformDescription } from "./platform-description.ts";
import type { TypeReference } from "./types.ts";

// Questions about a schema of the platform's REST description. `oneOf`, `anyOf` and `allOf` are read as "any of these".

/**
 * The schema itself and what `oneOf`, `anyOf` and `allOf` put beside it, references resolved. Each is there once: a description may have
 * schemas that contain themselves, or others again and again.
 */
export function alternatives(
  schema: JsonSchema,
  platform: Pick<PlatformDescription, "resolve">,
  keywords: readonly string[] = ["oneOf", "anyOf", "allOf"],
): JsonSchema[] {
  const found = new Set<JsonSchema>();
  const add = (one: JsonSchema, depth: number) => {
    const here = platform.resolve(one);
    if (depth > deepest || found.has(here)) return;
    found.add(here);
    for (const inner of keywords.flatMap((key) => (Array.isArray(here[key]) ? (here[key] as readonly Json[]) : [])))
      if (isJsonObject(inner)) add(inner, depth + 1);
  };
  add(schema, 0);
  return [...found];
}

const deepest = 20;

/** JSON types that a schema names; none when it allows every type. */
export function jsonTypes(schema: JsonSchema): string[] {
  const type = schema["type"];
  if (Array.isArray(type)) return type.map(String);
  if (typeof type === "string") return [type];
  return isJsonObject(schema["properties"]) ? ["object"] : [];
}

/** JSON type of a value. */
export function jsonTypeIn(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : Number.isInteger(value) ? "integer" : typeof value;
}

/** JSON type of the values of a scalar of the spec language. */
export function jsonTypeOf(scalar: string): string {
  return ["integer", "number", "boolean", "object"].includes(scalar) ? scalar : "string";
}

/** The JSON type of one value of a type: of a list, that of its elements. */
export function elementJsonType({ kind, name }: TypeReference): string {
  if (kind === "type") return "object";
  return kind === "enum" ? "string" : jsonTypeOf(name);
}

export function isNullable(options: readonly JsonSchema[]): boolean {
  return options.some((one) => one["nullable"] === true || jsonTypes(one).includes("null"));
}

/** Schema of a property; undefined when no alternative has it. */
export function propertySchema(schema: JsonSchema, name: string, platform: PlatformDescription): JsonSchema | undefined {
  for (const one of alternatives(schema, platform)) {
    const properties = one["properties"];
    const found = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    // In JSON Schema, `true` allows every value.
    if (found !== undefined) return isJsonObject(found) ? found : {};
  }
  return undefined;
}

/** Names of all properties of a schema. */
export function propertyNames(schema: JsonSchema, platform: PlatformDescription): string[] {
  const names = alternatives(schema, platform).flatMap((one) =>
    isJsonObject(one["properties"]) ? Object.keys(one["properties"]) : [],
  );
  return [...new Set(names)];
}

/**
 * Names of the properties that every object of a schema has: of several kinds of objects (`oneOf`, `anyOf`), those that each requires.
 * Undefined where the description says of no property that it is required.
 */
export function requiredNames(schema: JsonSchema, platform: PlatformDescription): ReadonlySet<string> | undefined {
  const lists = alternatives(schema, platform, ["allOf"]).map((one) => one["required"]);
  const own = lists.flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
  const kinds = alternatives(schema, platform, ["allOf"]).flatMap((one) =>
    ["oneOf", "anyOf"].map((key) =>
      (Array.isArray(one[key]) ? (one[key] as readonly Json[]) : [])
        .filter(isJsonObject)
        .filter((kind) => propertyNames(kind, platform).length > 0)
        .map((kind) => requiredNames(kind, platform)),
    ),
  );
  const shared = kinds.flatMap(([first, ...others]) =>
    [...(first ?? [])].filter((name) => others.every((other) => other?.has(name) === true)),
  );
  const isSaid = own.length > 0 || kinds.flat().some((one) => one !== undefined);
  return isSaid ? new Set([...own, ...shared]) : undefined;
}

/** Schema of a list's elements; undefined when the description does not say it. */
export function elementSchema(schema: JsonSchema, platform: PlatformDescription): JsonSchema | undefined {
  for (const one of alternatives(schema, platform)) if (isJsonObject(one["items"])) return platform.resolve(one["items"]);
  return undefined;
}

/**
 * Schema of the value at a path of keys, where a number leads to the elements of a list; undefined when the description has no such place.
 */
export function schemaAt(schema: JsonSchema, keys: readonly string[], platform: PlatformDescription): JsonSchema | undefined {
  let here: JsonSchema | undefined = schema;
  for (const key of keys) {
    if (here === undefined) return undefined;
    here = (/^(\d+|-1)$/.test(key) ? elementSchema(here, platform) : undefined) ?? propertySchema(here, key, platform);
  }
  return here;
}

/**
 * Schema of a member that an object may have although the description does not name it: free-form objects, such as those of custom fields,
 * name none. A name that is spelled almost like that of a property is misspelled.
 */
function unnamedSchema(schema: JsonSchema, name: string, platform: PlatformDescription): JsonSchema | undefined {
  const options = alternatives(schema, platform);
  const types = options.flatMap(jsonTypes);
  const more = options.map((one) => one["additionalProperties"]).filter((one) => one !== undefined);
  const named = propertyNames(schema, platform);
  if ((types.length > 0 && !types.includes("object")) || nearest(name, named) !== undefined) return undefined;
  const found = more.find(isJsonObject);
  if (found !== undefined) return platform.resolve(found);
  return more.includes(true) || (named.length === 0 && !more.includes(false)) ? {} : undefined;
}

/** As `schemaAt`, with the members that objects may have beside their named properties, any of which may be missing. */
export function openSchemaAt(
  schema: JsonSchema,
  keys: readonly string[],
  platform: PlatformDescription,
): { readonly schema: JsonSchema; readonly named: boolean } | undefined {
  let found: { schema: JsonSchema; named: boolean } | undefined = { schema, named: true };
  for (const key of keys) {
    const named: JsonSchema | undefined = schemaAt(found.schema, [key], platform);
    const next: JsonSchema | undefined = named ?? unnamedSchema(found.schema, key, platform);
    if (next === undefined) return undefined;
    found = { schema: next, named: found.named && named !== undefined };
  }
  return found;
}
