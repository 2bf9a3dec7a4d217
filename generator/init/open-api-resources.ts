import { elementSchema, propertyNames, propertySchema, schemaAt } from "../model/json-schema.ts";
import { isJsonObject, isList, type JsonSchema, type OpenApi } from "../model/open-api.ts";
import type { PlatformDescription, RestCall } from "../model/platform-description.ts";
import { longestName, singular, snake } from "./draft.ts";
import { pageOf } from "./open-api-page.ts";

/** What becomes an entity of an OpenAPI description: mostly a list. */
export interface Resource {
  readonly name: string;
  readonly method: string;
  /** The path of the list, or of the call that the author names. */
  readonly path: string;
  readonly call: RestCall;
  readonly isList: boolean;
  /** Place of the list, or of the record, in the answer; undefined where the answer is it. */
  readonly at: string | undefined;
  /** Undefined where no call returns a record. */
  readonly record: JsonSchema | undefined;
  /** The path of one record, if there is one: `/books/{id}`. */
  readonly item: string | undefined;
}

/** An entity that the author asks for: its name, and the call of its list where the author names it. */
export interface Wanted {
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
}

/** `notes`, `notes=/notes/list` or `notes=POST /notes/query`. */
export function wantedOf(text: string): Wanted {
  const [, name = text, method = "GET", path] = /^([^=]+)=(?:([A-Z]+) )?(\/.*)$/.exec(text) ?? [];
  return path === undefined ? { name } : { name, method, path };
}

/**
 * Every GET whose answer is a list of objects. Of several with one name, the one with the shortest path counts.
 *
 * @param omitted takes a line for each other list, with the reason
 */
export function resourcesOf(platform: PlatformDescription, api: OpenApi, omitted: string[]): Resource[] {
  const found = new Map<string, Resource>();
  const paths = pathsOf(platform);
  for (const path of [...paths].sort((a, b) => a.length - b.length)) {
    const list = platform.rest("GET", path);
    if (list?.answer === undefined) continue;
    const omit = (why: string) => void omitted.push(`GET ${path}: ${why}`);
    const place = listPlace(list.answer, platform);
    if (place === undefined) continue;
    if (/\}$/.test(path)) {
      // Most such paths are those of one record, which may have a list too.
      const isRecord =
        "several" in place || place.at?.includes(".") === true || propertyNames(list.answer, platform).includes("id");
      if (!isRecord) omit(`its path ends with a parameter and names no entity: \`--only 'NAME=${path}'\` gives it a name`);
      continue;
    }
    if ("several" in place) {
      omit(`its answer has several lists: ${place.several.join(", ")}; \`answer\` names one`);
      continue;
    }
    const record = recordAt(list.answer, place.at, platform);
    if (record === undefined) {
      omit("the description does not say what the elements of its list have");
      continue;
    }
    if (list.deprecated) {
      omit("it is deprecated");
      continue;
    }
    // A search beside a list is another action of its entity.
    if (
      /\/(search|query)$/.test(path) &&
      [...found.values()].some((one) => path.startsWith(`${one.path}/`) && !path.slice(one.path.length + 1).includes("/"))
    )
      continue;
    const name = nameOf(path);
    const twin = [...found.values()].find((one) => singular(one.name) === singular(name));
    if (twin !== undefined) {
      omit(`the entity "${twin.name}" is GET ${twin.path}`);
      continue;
    }
    const item = itemOf(name, path, paths, api);
    found.set(name, { name, method: "GET", path, call: list, isList: true, at: place.at, record, item });
  }
  return [...found.values()];
}

/** The entity of a call that the author names; undefined where the description has no such call. */
export function resourceAt({ name, method = "GET", path = "" }: Wanted, platform: PlatformDescription, api: OpenApi) {
  const call = platform.rest(method, path);
  if (call === undefined) return undefined;
  const own = { name, method, path, call };
  const place = call.answer === undefined ? undefined : listPlace(call.answer, platform);
  const reads = method === "GET" || (method === "POST" && pageOf(call, platform).page !== undefined);
  if (call.answer === undefined) return { ...own, isList: false, at: undefined, record: undefined, item: undefined };
  if (reads && place !== undefined && !("several" in place)) {
    const record = ofName(name, recordAt(call.answer, place.at, platform), platform);
    return { ...own, isList: true, at: place.at, record, item: itemOf(name, path, pathsOf(platform), api) };
  }
  // Without a list, a GET has the one record, and a write may have none.
  const record = method === "GET" ? call.answer : undefined;
  return { ...own, isList: false, at: undefined, record, item: method === "GET" ? path : undefined };
}

/** What a record may be: itself, and the kinds of which it is one. */
export function kindsOf(record: JsonSchema | undefined, platform: PlatformDescription): JsonSchema[] {
  return record === undefined ? [] : [record, ...choicesOf(record)].map((one) => platform.resolve(one));
}

function choicesOf(record: JsonSchema | undefined): JsonSchema[] {
  return ["anyOf", "oneOf"].flatMap((key) => (isList(record?.[key]) ? record[key] : [])).filter(isJsonObject);
}

/** Of a list of several kinds of records, the kind that has the name of the entity. */
function ofName(name: string, record: JsonSchema | undefined, platform: PlatformDescription): JsonSchema | undefined {
  const wanted = choicesOf(record).find(
    (one) =>
      snake(
        String(one["$ref"] ?? "")
          .split("/")
          .at(-1) ?? "",
      ) === snake(singular(name)),
  );
  return wanted === undefined ? record : platform.resolve(wanted);
}

function pathsOf(platform: PlatformDescription): string[] {
  return platform.calls.filter((call) => call.startsWith("GET ")).map((call) => call.slice("GET ".length));
}

function recordAt(answer: JsonSchema, at: string | undefined, platform: PlatformDescription): JsonSchema | undefined {
  const record = at === undefined ? elementSchema(answer, platform) : schemaAt(answer, [...at.split("."), "0"], platform);
  return record === undefined || propertyNames(record, platform).length === 0 ? undefined : record;
}

/** The name that a path gives: its last part that is not a parameter, and the part before it where the last is `search` or the like. */
function nameOf(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  const own = /^(search|query|find|list|all)$/i.test(parts.at(-1) ?? "") ? parts.slice(-2) : parts.slice(-1);
  return snake(own.join("_")).slice(0, longestName);
}

/** The path of one record: below that of the list, or below the same word elsewhere. The last choice can only be changed or removed. */
function itemOf(name: string, path: string, paths: readonly string[], api: OpenApi): string | undefined {
  const parts = path.split("/");
  const listed = /^(search|list|all)$/i.test(parts.at(-1) ?? "") ? parts.slice(0, -1).join("/") : path;
  const last = listed.split("/").at(-1) ?? "";
  const isBelow = (one: string) => one.startsWith(`${listed}/{`) && one.split("/").length === listed.split("/").length + 1;
  return (
    paths.find(isBelow) ??
    paths.find((one) => one.split("/").at(-2) === last && /\/\{[\w-]+\}$/.test(one)) ??
    paths.find((one) => snake(singular(one.split("/").at(-2) ?? "")) === singular(name) && /\/\{[\w-]+\}$/.test(one)) ??
    api.calls.map((call) => call.slice(call.indexOf(" ") + 1)).find((one) => isBelow(one) && one.endsWith("}"))
  );
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
