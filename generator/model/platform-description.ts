import { buildSchema, type GraphQLSchema } from "graphql";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonSchema = { readonly [key: string]: Json };

/** An operation of an OpenAPI description. References in it are resolved when they are read. */
export interface RestCall {
  readonly queryParams: readonly string[];
  readonly body: JsonSchema | undefined;
  readonly answer: JsonSchema | undefined;
}

/** The platform as its public schemas describe it. The spec of each connector names its own. */
export interface PlatformDescription {
  /** Hash of both schemas. */
  readonly key: string;
  readonly graphql: GraphQLSchema | undefined;
  rest(method: string, path: string): RestCall | undefined;
  resolve(schema: JsonSchema): JsonSchema;
}

/** Builds a schema. Published schemas break rules of SDL that do not matter here (GitHub's 15.26.1 repeats two fields), hence `assumeValidSDL`. */
export function buildGraphqlSchema(sdl: string): GraphQLSchema {
  return buildSchema(sdl, { assumeValidSDL: true, noLocation: true });
}

export function describePlatform(graphql: GraphQLSchema | undefined, description: string, key: string): PlatformDescription {
  const root = JSON.parse(description) as Json;
  const resolve = (schema: JsonSchema): JsonSchema => {
    const reference = schema["$ref"];
    if (typeof reference !== "string") return schema;
    const found = walk(root, reference.replace("#/", "").split("/"));
    return isObject(found) ? resolve(found) : {};
  };
  return {
    key,
    graphql,
    resolve,
    rest: (method, path) => {
      const call = walk(root, ["paths", path, method.toLowerCase()]);
      return isObject(call) ? readCall(call, resolve) : undefined;
    },
  };
}

function readCall(call: JsonSchema, resolve: (schema: JsonSchema) => JsonSchema): RestCall {
  const parameters = Array.isArray(call["parameters"]) ? (call["parameters"] as readonly JsonSchema[]).map(resolve) : [];
  const named = (place: string) => parameters.filter((one) => one["in"] === place).map((one) => String(one["name"]));
  const responses = isObject(call["responses"]) ? call["responses"] : {};
  const success = Object.keys(responses).find((status) => status.startsWith("2"));
  return {
    queryParams: named("query"),
    body: content(call["requestBody"], resolve),
    answer: success === undefined ? undefined : content(responses[success], resolve),
  };
}

function content(holder: Json | undefined, resolve: (schema: JsonSchema) => JsonSchema): JsonSchema | undefined {
  if (!isObject(holder)) return undefined;
  const schema = walk(resolve(holder), ["content", "application/json", "schema"]);
  return isObject(schema) ? resolve(schema) : undefined;
}

export function isObject(value: Json | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function walk(value: Json, keys: readonly string[]): Json | undefined {
  let here: Json | undefined = value;
  for (const key of keys) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}
