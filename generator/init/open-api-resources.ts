import { elementSchema, propertyNames, propertySchema, schemaAt } from "../model/json-schema.ts";
import type { JsonSchema, OpenApi } from "../model/open-api.ts";
import type { PlatformDescription, RestCall } from "../model/platform-description.ts";
import { longestName, singular, snake } from "./draft.ts";

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

/**
 * Every GET whose answer is a list of objects. Of several with one name, the one with the shortest path counts.
 *
 * @param omitted takes a line for each other list, with the reason
 */
export function resourcesOf(platform: PlatformDescription, api: OpenApi, omitted: string[]): Resource[] {
  const found = new Map<string, Resource>();
  const paths = platform.calls.filter((call) => call.startsWith("GET ")).map((call) => call.slice("GET ".length));
  for (const path of paths.sort((a, b) => a.length - b.length)) {
    const list = platform.rest("GET", path);
    if (list?.answer === undefined || /\}$/.test(path)) continue;
    const omit = (why: string) => void omitted.push(`GET ${path}: ${why}`);
    const place = listPlace(list.answer, platform);
    if (place === undefined) continue;
    if ("several" in place) {
      omit(`its answer has several lists: ${place.several.join(", ")}; \`answer\` names one`);
      continue;
    }
    const record =
      place.at === undefined
        ? elementSchema(list.answer, platform)
        : schemaAt(list.answer, [...place.at.split("."), "0"], platform);
    if (record === undefined || propertyNames(record, platform).length === 0) {
      omit("the description does not say what the elements of its list have");
      continue;
    }
    if (list.deprecated) {
      omit("it is deprecated");
      continue;
    }
    const name = nameOf(path);
    const twin = [...found.values()].find((one) => singular(one.name) === singular(name));
    if (twin !== undefined) {
      omit(`the entity "${twin.name}" is GET ${twin.path}`);
      continue;
    }
    const last = path.split("/").at(-1) ?? "";
    const item =
      paths.find((one) => one.startsWith(`${path}/{`) && one.split("/").length === path.split("/").length + 1) ??
      paths.find((one) => one.split("/").at(-2) === last && /\/\{[\w-]+\}$/.test(one)) ??
      itemOf(path, api);
    found.set(name, { name, path, list, at: place.at, record, item });
  }
  return [...found.values()];
}

/** The name that a path gives: its last part that is not a parameter, and the part before it where the last is `search` or the like. */
function nameOf(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  const own = /^(search|query|find|list|all)$/i.test(parts.at(-1) ?? "") ? parts.slice(-2) : parts.slice(-1);
  return snake(own.join("_")).slice(0, longestName);
}

/** The path of one record where it can only be changed or removed. */
function itemOf(path: string, api: OpenApi): string | undefined {
  const start = `${path}/{`;
  return api.calls.map((call) => call.slice(call.indexOf(" ") + 1)).find((one) => one.startsWith(start) && one.endsWith("}"));
}

/**
 * Where the list is: in the answer itself, in its only list of objects, or in one of an object in it. Their names, where there are several
 * and nothing tells which of them the call lists; of those of one record, most are parts of it.
 */
function listPlace(
  answer: JsonSchema,
  platform: PlatformDescription,
): { readonly at: string | undefined } | { readonly several: readonly string[] } | undefined {
  if (elementSchema(answer, platform) !== undefined) return { at: undefined };
  const lists = (schema: JsonSchema) =>
    propertyNames(schema, platform).filter((name) => {
      const element = schemaAt(schema, [name, "0"], platform);
      return element !== undefined && propertyNames(element, platform).length > 0 && !/^(errors|warnings|links)$/.test(name);
    });
  const own = lists(answer);
  if (own.length === 1) return { at: own[0] };
  const usual = own.find((name) => /^(data|items|results|values|records|entries)$/.test(name));
  if (usual !== undefined) return { at: usual };
  if (own.length > 1 && !propertyNames(answer, platform).includes("id")) return { several: own };
  for (const name of own.length === 0 ? propertyNames(answer, platform) : []) {
    const inner = propertySchema(answer, name, platform);
    const below = inner === undefined ? [] : lists(inner);
    if (below.length === 1) return { at: `${name}.${below[0]}` };
  }
  return undefined;
}
