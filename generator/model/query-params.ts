import { pathKeys } from "../../runtime/contract/index.ts";
import { alternatives, jsonTypes, propertyNames, propertySchema, schemaAt } from "./json-schema.ts";
import type { JsonSchema, PlatformDescription, RestCall, RestParam } from "./platform-description.ts";
import { wrongPath } from "./wrong-path.ts";

/** The query parameters of a call. A `deepObject` is followed by its members: `page`, `page[size]`, `page[after]`. */
export function queryParams(call: RestCall, platform: PlatformDescription): RestParam[] {
  return call.params
    .filter((one) => one.in === "query")
    .flatMap((one) => [one, ...(one.join === "brackets" ? membersOf(one, platform) : [])]);
}

function membersOf({ name, schema }: RestParam, platform: PlatformDescription): RestParam[] {
  if (!alternatives(schema, platform).flatMap(jsonTypes).includes("object")) return [];
  return propertyNames(schema, platform).map((member) => ({
    name: `${name}[${member}]`,
    in: "query",
    required: false,
    schema: platform.resolve(propertySchema(schema, member, platform) ?? {}),
    join: "brackets",
  }));
}

/** Schema of the place in a body where something is sent. Undefined for a name that is not a path, such as that of a query parameter. */
export function bodyPlace(body: JsonSchema | undefined, path: string, platform: PlatformDescription): JsonSchema | undefined {
  if (body === undefined || wrongPath(path) !== undefined) return undefined;
  return schemaAt(body, pathKeys(path), platform);
}
