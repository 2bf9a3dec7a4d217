import type { Json } from "./platform-file.ts";
import { keysOf, valueAt } from "./template.ts";

/** Says what is wrong with the query of a call; undefined where nothing is. */
export type QueryCheck = (query: URLSearchParams) => { readonly message: string; readonly param: string } | undefined;

type Parameter = Readonly<Record<string, Json>>;

/** Checks queries by the description of an operation: a platform refuses unknown parameters, and misses those that it needs. */
export function queryCheck(description: Json, method: string, path: string): QueryCheck {
  const item = ["paths", path];
  const written = [...parametersAt([...item, "parameters"]), ...parametersAt([...item, method.toLowerCase(), "parameters"])];
  const known = written.filter((one) => one["in"] === "query");
  const ofCredential = Object.values((valueAt(description, ["components", "securitySchemes"]) ?? {}) as object)
    .filter((one: Parameter) => one["in"] === "query")
    .map((one: Parameter) => one["name"]);
  const names = new Set([...known.map(({ name }) => name), ...ofCredential]);
  return (query) => {
    for (const key of query.keys())
      if (!names.has(key) && !names.has(key.split("[")[0] ?? ""))
        return { message: `Received unknown parameter: ${key}`, param: key };
    for (const { name, schema } of known) {
      const value = query.get(String(name));
      if (value !== null && !fits(value, schema))
        return { message: `${String(name)} does not have a valid value`, param: String(name) };
    }
    const missing = known.find(({ name, required }) => required === true && !query.has(String(name)));
    return missing === undefined
      ? undefined
      : { message: `Missing required param: ${String(missing["name"])}`, param: String(missing["name"]) };
  };

  function parametersAt(keys: readonly string[]): Parameter[] {
    const found = valueAt(description, keys);
    return (Array.isArray(found) ? (found as Parameter[]) : []).map((one) =>
      typeof one["$ref"] === "string"
        ? (valueAt(description, keysOf(one["$ref"].replace("#/", "").replaceAll("/", "."))) as Parameter)
        : one,
    );
  }
}

/** Whether a text of a query is one of the values that the description allows, or a number or a boolean where it wants one. */
function fits(text: string, schema: Json | undefined): boolean {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return true;
  const { enum: allowed, type, minimum, maximum } = schema;
  if (Array.isArray(allowed) && !allowed.map(String).includes(text)) return false;
  if (type === "boolean") return text === "true" || text === "false";
  if (type !== "integer") return true;
  return /^-?\d+$/.test(text) && Number(text) >= Number(minimum ?? text) && Number(text) <= Number(maximum ?? text);
}
