import { elementSchema, propertyNames, propertySchema } from "../model/json-schema.ts";
import type { JsonSchema, OpenApi } from "../model/open-api.ts";
import type { PlatformDescription } from "../model/platform-description.ts";
import { searchText, snake } from "./draft.ts";
import { placesOf } from "./open-api-places.ts";
import { kindsOf, type Resource, resourceAt } from "./open-api-resources.ts";

/** What a call without a name of its own does. */
const verbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "update", DELETE: "delete" };

type Extra = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * The calls that belong to an entity beside its list and its records' own path, by the names of their actions: what is done with one
 * record (`POST /pulls/{id}/merge`), a search, and the methods of platforms whose paths have no places (`/chat.postMessage`).
 */
export function extraCalls(found: readonly Resource[], platform: PlatformDescription, api: OpenApi): Extra {
  const extra = new Map<string, Map<string, string>>(found.map(({ name }) => [name, new Map()]));
  const lists = new Set(found.map(({ method, path }) => `${method} ${path}`));
  const paths = new Set(found.filter((one) => one.isList).map(({ path }) => path));
  const owners = new Map<JsonSchema, Resource>();
  for (const one of [...found].reverse()) if (one.record !== undefined) owners.set(platform.resolve(one.record), one);
  const prefixes = new Map<string, Resource>();
  for (const one of found) if (!one.isList && one.record === undefined) prefixes.set(prefixOf(one.path), one);
  const add = (owner: Resource | undefined, name: string | undefined, call: string) => {
    const own = owner === undefined ? undefined : extra.get(owner.name);
    if (own !== undefined && name !== undefined && !own.has(name)) own.set(name, call);
  };
  for (const one of prefixes.values())
    add(one, isMethod(one.path) ? verbOf(one.path, one.method, false) : verbs[one.method], `${one.method} ${one.path}`);
  for (const { name, method, path, call, isList } of found)
    if (
      isList &&
      method === "POST" &&
      call.body !== undefined &&
      propertyNames(call.body, platform).some((one) => searchText.test(one))
    )
      extra.get(name)?.set("api_search", `${method} ${path}`);
  const open = api.calls.filter((call) => !lists.has(call));
  const left: string[] = [];
  for (const text of open) {
    const [method = "", path = ""] = text.split(" ");
    const call = platform.rest(method, path);
    if (call === undefined || call.deprecated) continue;
    const listed = ["GET", "POST"].includes(method) ? resourceAt({ name: "", method, path }, platform, api) : undefined;
    // Of a list of several kinds of records, the first kind that an entity has counts.
    const ofList = kindsOf(listed?.isList ? listed.record : undefined, platform).flatMap((one) => owners.get(one) ?? [])[0];
    const item = method === "GET" ? undefined : found.find((one) => one.item !== undefined && path.startsWith(`${one.item}/`));
    const verb = item?.item === undefined ? "" : path.slice(item.item.length + 1);
    if (item !== undefined && (ofList ?? item) === item && /^[\w-]+$/.test(verb) && !paths.has(path))
      add(item, snake(verb), text);
    else if (call.answer !== undefined) {
      const names = [
        ...call.params.map((one) => one.name),
        ...(call.body === undefined ? [] : propertyNames(call.body, platform)),
      ];
      const searches = names.some((name) => searchText.test(name));
      const owner = ofList === undefined ? ownerOf(call.answer, method, owners, platform) : undefined;
      if (ofList !== undefined && searches && placesOf(path).length === 0) add(ofList, "api_search", text);
      else if (ofList !== undefined && method === "POST" && /\/\w+$/.test(path))
        add(ofList, snake(path.split("/").at(-1) ?? ""), text);
      else if (owner !== undefined && isMethod(path)) {
        add(owner, verbOf(path, method, true), text);
        if (!prefixes.has(prefixOf(path))) prefixes.set(prefixOf(path), owner);
      } else if (owner !== undefined && method === "GET" && owner.item === undefined) add(owner, "get", text);
      else if (owner !== undefined && method !== "GET" && lastPart(path) === lastPart(owner.path))
        add(owner, verbs[method], text);
      else left.push(text);
    } else left.push(text);
  }
  for (const text of left) {
    const [method = "", path = ""] = text.split(" ");
    const owner = isMethod(path) && method !== "GET" ? prefixes.get(prefixOf(path)) : undefined;
    add(owner, verbOf(path, method, owner?.record !== undefined), text);
  }
  return extra;
}

const lastPart = (path: string) => path.slice(path.lastIndexOf("/"));

/** The entity whose record an answer has: as itself, as one of its members, or, of a write, in a list that is one of them. */
function ownerOf(
  answer: JsonSchema,
  method: string,
  owners: ReadonlyMap<JsonSchema, Resource>,
  platform: PlatformDescription,
): Resource | undefined {
  const own = owners.get(platform.resolve(answer));
  if (own !== undefined) return own;
  for (const name of propertyNames(answer, platform)) {
    const member = propertySchema(answer, name, platform) ?? {};
    const one = method === "GET" ? member : (elementSchema(member, platform) ?? member);
    const found = owners.get(platform.resolve(one));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a path is the name of a method: `/chat.postMessage`. */
function isMethod(path: string): boolean {
  return /\/[a-z][A-Za-z]*\.[A-Za-z]+$/.test(path);
}

/** `/chat.postMessage` → `/chat.` */
function prefixOf(path: string): string {
  return path.slice(0, path.lastIndexOf(".") + 1) || path;
}

/** The name of an action after the method that it calls. */
function verbOf(path: string, method: string, ofRecord: boolean): string {
  const verb = snake(path.slice(path.lastIndexOf(".") + 1));
  if (!ofRecord) return verb;
  if (method === "GET" && /^(info|get|retrieve|show|read)/.test(verb)) return "get";
  if (/^(create|post|send|new)(_|$)/.test(verb)) return "create";
  if (/^(update|edit|modify)(_|$)/.test(verb)) return "update";
  return /^(delete|remove|destroy)$/.test(verb) ? "delete" : verb;
}
