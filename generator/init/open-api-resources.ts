import { elementSchema, propertyNames, propertySchema, schemaAt } from "../model/json-schema.ts";
import type { JsonSchema, OpenApi } from "../model/open-api.ts";
import type { PlatformDescription, RestCall } from "../model/platform-description.ts";
import { singular, snake } from "./draft.ts";

/** A list of an OpenAPI description that becomes an entity. */
export interface Resource {
  readonly name: string;
  readonly path: string;
  readonly list: RestCall;
  /** Place of the list in the answer; undefined where the answer is the list. */
  readonly at: string | undefined;
  readonly record: JsonSchema;
  /** The path of one record, if there is one: `/books/{id}`. */
  readonly item: string | undefined;
}

/** The names of the places in a path: `id` of `/books/{id}`. */
export const placesOf = (path: string) => [...path.matchAll(/\{([\w-]+)\}/g)].map((match) => match[1] ?? "");

/** The scope of a list: what the last place in its path is the id of, or the account. */
export function scopeOf(path: string): string {
  const parts = path.split("/");
  const last = parts.findLastIndex((part) => part.startsWith("{"));
  return last < 1 ? "account" : snake(singular(parts[last - 1] ?? "account"));
}

/** Every GET whose answer is a list of objects. Of several with one name, the one with the shortest path counts. */
export function resourcesOf(platform: PlatformDescription, api: OpenApi): Resource[] {
  const found = new Map<string, Resource>();
  const paths = platform.calls.filter((call) => call.startsWith("GET ")).map((call) => call.slice("GET ".length));
  for (const path of paths.sort((a, b) => a.length - b.length)) {
    const list = platform.rest("GET", path);
    if (list?.answer === undefined || list.deprecated || /\}$/.test(path)) continue;
    const place = listPlace(list.answer, platform);
    if (place === undefined) continue;
    const record =
      place.at === undefined
        ? elementSchema(list.answer, platform)
        : schemaAt(list.answer, [...place.at.split("."), "0"], platform);
    if (record === undefined || propertyNames(record, platform).length === 0) continue;
    const name = snake(
      path
        .split("/")
        .filter((part) => part !== "" && !part.startsWith("{"))
        .at(-1) ?? "",
    );
    const last = path.split("/").at(-1) ?? "";
    const item =
      paths.find((one) => one.startsWith(`${path}/{`) && one.split("/").length === path.split("/").length + 1) ??
      paths.find((one) => new RegExp(`/${last}/\\{[\\w-]+\\}$`).test(one)) ??
      itemOf(path, api);
    if (!found.has(name)) found.set(name, { name, path, list, at: place.at, record, item });
  }
  return [...found.values()];
}

/** The path of one record where it can only be changed or removed. */
function itemOf(path: string, api: OpenApi): string | undefined {
  const start = `${path}/{`;
  return api.calls.map((call) => call.slice(call.indexOf(" ") + 1)).find((one) => one.startsWith(start) && one.endsWith("}"));
}

/** Where the list is: in the answer itself, in its only list of objects, or in one of an object in it. */
function listPlace(answer: JsonSchema, platform: PlatformDescription): { readonly at: string | undefined } | undefined {
  if (elementSchema(answer, platform) !== undefined) return { at: undefined };
  const lists = (schema: JsonSchema) =>
    propertyNames(schema, platform).filter((name) => {
      const element = schemaAt(schema, [name, "0"], platform);
      return element !== undefined && propertyNames(element, platform).length > 0 && !/^(errors|warnings|links)$/.test(name);
    });
  const own = lists(answer);
  if (own.length === 1) return { at: own[0] };
  for (const name of own.length === 0 ? propertyNames(answer, platform) : []) {
    const inner = propertySchema(answer, name, platform);
    const below = inner === undefined ? [] : lists(inner);
    if (below.length === 1) return { at: `${name}.${below[0]}` };
  }
  return undefined;
}
