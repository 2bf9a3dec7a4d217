import { isObject } from "../../runtime/base/is-object.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonSchema = { readonly [key: string]: Json };

const methods = ["get", "post", "put", "patch", "delete"];

/** How many references in a row are followed: a description may have references that form a circle. */
const longestChain = 50;

/** An OpenAPI description, 3.0 or 3.1. Nothing in it is trusted to have the form that it should have. */
export class OpenApi {
  readonly root: Json;
  /** What references lead to: the checks of a spec ask for the same ones again and again. */
  readonly #found = new Map<string, Json | undefined>();

  constructor(root: Json) {
    this.root = root;
  }

  /** Every operation: `GET /books/{id}`. */
  get calls(): readonly string[] {
    const paths = isJsonObject(this.root) && isJsonObject(this.root["paths"]) ? this.root["paths"] : {};
    return Object.entries(paths).flatMap(([path, item]) => {
      const here = isJsonObject(item) ? this.resolve(item) : {};
      return methods.filter((method) => isJsonObject(here[method])).map((method) => `${method.toUpperCase()} ${path}`);
    });
  }

  /** An operation, and its parameters together with those of its path. */
  operation(
    method: string,
    path: string,
  ): { readonly operation: JsonSchema; readonly parameters: readonly JsonSchema[] } | undefined {
    const item = this.at(["paths", path]);
    const here = isJsonObject(item) ? this.resolve(item) : {};
    const operation = here[method.toLowerCase()];
    if (!isJsonObject(operation)) return undefined;
    const own = this.#parameters(operation["parameters"]);
    const shared = this.#parameters(here["parameters"]).filter(
      (one) => !own.some((other) => other["name"] === one["name"] && other["in"] === one["in"]),
    );
    return { operation, parameters: [...own, ...shared] };
  }

  /** The value that a reference leads to, or the value itself. A reference that leads nowhere is an empty schema. */
  resolve(schema: JsonSchema): JsonSchema {
    let here = schema;
    for (let depth = 0; depth < longestChain; depth++) {
      const reference = here["$ref"];
      if (typeof reference !== "string") return here;
      const found = this.#found.has(reference) ? this.#found.get(reference) : this.at(pointerKeys(reference));
      this.#found.set(reference, found);
      if (!isJsonObject(found)) return {};
      here = found;
    }
    return {};
  }

  /** The value at a path of keys; references on the way are followed. */
  at(keys: readonly string[]): Json | undefined {
    let here: Json | undefined = this.root;
    for (const key of keys) {
      if (isJsonObject(here) && typeof here["$ref"] === "string") here = this.resolve(here);
      if (isList(here)) here = here[Number(key)];
      else if (isJsonObject(here) && Object.hasOwn(here, key)) here = here[key];
      else return undefined;
    }
    return here;
  }

  #parameters(value: Json | undefined): JsonSchema[] {
    return isList(value) ? value.filter(isJsonObject).map((one) => this.resolve(one)) : [];
  }
}

/** The version that a description names in its key `openapi`. It has to be text, but `openapi: 3.1` is a number in YAML, and `3.0` is 3. */
export function openApiVersion(root: Json): string | undefined {
  const version = isJsonObject(root) ? root["openapi"] : undefined;
  if (typeof version === "number") return Number.isInteger(version) ? version.toFixed(1) : String(version);
  return typeof version === "string" ? version : undefined;
}

/** Whether descriptions of a version can be read. */
export function isReadable(version: string | undefined): boolean {
  return /^3\.[01](?!\d)/.test(version ?? "");
}

/** The keys of a JSON Pointer in a reference (RFC 6901, 6): `#/paths/~1books/get/parameters/0`. */
export function pointerKeys(reference: string): string[] {
  return reference
    .replace(/^#?\/?/, "")
    .split("/")
    .map((key) => decode(key).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

export function isJsonObject(value: Json | undefined): value is JsonSchema {
  return isObject(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Changes a place in a description by a merge patch (RFC 7396). What references share is copied on the way, so that only this place
 * changes.
 *
 * @returns undefined when there is no such place
 */
export function overridden(api: OpenApi, keys: readonly string[], patch: JsonSchema): OpenApi | undefined {
  const change = (value: Json | undefined, rest: readonly string[]): Json | undefined => {
    const here = isJsonObject(value) ? api.resolve(value) : value;
    const [key, ...more] = rest;
    if (key === undefined) return here === undefined ? undefined : merged(here, patch, api);
    if (isList(here)) {
      const inner = change(here[Number(key)], more);
      return inner === undefined ? undefined : here.map((one, index) => (index === Number(key) ? inner : one));
    }
    if (!isJsonObject(here) || !Object.hasOwn(here, key)) return undefined;
    const inner = change(here[key], more);
    return inner === undefined ? undefined : { ...here, [key]: inner };
  };
  const root = change(api.root, keys);
  return root === undefined ? undefined : new OpenApi(root);
}

function merged(value: Json, patch: Json, api: OpenApi): Json {
  if (!isJsonObject(patch)) return patch;
  const here = isJsonObject(value) ? api.resolve(value) : {};
  const result: Record<string, Json> = { ...here };
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key];
    else result[key] = merged(result[key] ?? {}, change, api);
  }
  return result;
}
