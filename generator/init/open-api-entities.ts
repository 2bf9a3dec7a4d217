import { elementSchema, propertyNames, propertySchema, schemaAt } from "../model/json-schema.ts";
import type { JsonSchema, OpenApi } from "../model/open-api.ts";
import type { PlatformDescription, RestCall } from "../model/platform-description.ts";
import { type Draft, docOf, hitOf, keyOfFields, recordName, searchText, singular, todo, typeName } from "./draft.ts";
import { pageOf } from "./open-api-page.ts";
import { OpenApiParams } from "./open-api-params.ts";
import { kindsOf, type Resource } from "./open-api-resources.ts";
import { OpenApiTypes } from "./open-api-types.ts";

interface Answer {
  readonly place: string | undefined;
  readonly isRecord: boolean;
}

/** Drafts the entities of an OpenAPI description, and the types and enumerations that they share. */
export class OpenApiDraft {
  readonly types: OpenApiTypes;
  /** Lists whose pages the description does not explain. */
  readonly open: string[] = [];
  readonly omitted: string[] = [];
  readonly #records = new Map<string, string>();
  readonly #filters: ReadonlySet<string>;
  readonly #api: OpenApi;
  readonly #platform: PlatformDescription;

  constructor(api: OpenApi, platform: PlatformDescription) {
    this.#api = api;
    this.#platform = platform;
    this.types = new OpenApiTypes(api, platform);
    const params = platform.calls.flatMap((call) => platform.rest(...callParts(call))?.params ?? []);
    this.#filters = new Set(params.filter((one) => one.in === "query").map(({ name }) => name));
  }

  /** Gives the records their names, before objects inside of others take them. */
  nameRecords(resources: readonly Resource[]): void {
    const firstOf = ({ record }: Resource) => resources.findIndex((one) => one.record === record);
    const isShared = ({ record }: Resource) => resources.filter((one) => one.record === record).length > 1;
    for (const [index, one] of resources.entries()) {
      // Records of several lists are called after what they are. Where the lists differ, the others get their own name.
      const kind =
        one.record !== undefined && isShared(one) && firstOf(one) === index ? this.types.referenceOf(one.record) : undefined;
      const name = recordName(kind ?? typeName(singular(one.name)));
      this.#records.set(
        one.name,
        one.record === undefined ? name : this.types.record(name, firstOf(one) === index ? one.record : one),
      );
    }
  }

  /** @param extra calls beside those of a list and its records, by the names of their actions */
  entity(resource: Resource, extra: ReadonlyMap<string, string>): Draft {
    const { name, record } = resource;
    const type = this.#records.get(name) ?? "";
    const fields = record === undefined ? undefined : this.types.fields(record, type, true);
    const key = fields === undefined ? "id" : (keyOfFields(fields) ?? "id");
    const params = new OpenApiParams(this.types, this.#platform, type, this.#filters);
    const actions = this.#actions(resource, extra, params, type);
    const requested = fields === undefined ? [] : addRequested(fields, actions, key);
    const identity = fields?.[key] as Draft | undefined;
    if (identity !== undefined && identity["type"] === "string") Object.assign(identity, { type: "id", search: "exact" });
    // Short keys are unique within what the list is read for.
    const keys = ["id", "key", "uuid", "gid"].includes(key) ? [key] : [...requested, key];
    for (const line of new Set(params.omitted)) this.omitted.push(`${name}.yaml: ${line}`);
    return {
      entity: name,
      title: name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase()),
      ...(fields === undefined ? {} : { record: type, ...(keys.join() === "id" ? {} : { key: keys.length === 1 ? key : keys }) }),
      doc: docOf(record === undefined ? undefined : this.#platform.resolve(record)["description"]),
      ...(fields === undefined ? {} : { fields, ...hitOf(fields, keys) }),
      actions,
    };
  }

  #actions(resource: Resource, extra: ReadonlyMap<string, string>, params: OpenApiParams, type: string): Draft {
    const { path, item, record, isList } = resource;
    const actions: Draft = isList ? { list: this.#list(resource, params) } : {};
    const listed = isList ? `${resource.method} ${path}` : undefined;
    const rows: [name: string, method: string, path: string | undefined][] = [
      ["get", "GET", item],
      ["create", "POST", isList ? path : undefined],
      ["create", "POST", item?.replace(/\/\{[\w-]+\}$/, "")],
      ["create", "POST", isList ? path.replace(/[^/]+$/, singular) : undefined],
      ["update", "PATCH", item],
      ["update", "PUT", item],
      ["update", "POST", item],
      ["delete", "DELETE", item],
    ];
    for (const [name, method, place] of rows)
      if (place !== undefined && `${method} ${place}` !== listed && !Object.hasOwn(actions, name)) {
        const action = this.#action(name, method, place, record, params, type);
        if (action !== undefined) actions[name] = action;
      }
    for (const [name, text] of extra) {
      const [method, place] = callParts(text);
      const call = this.#platform.rest(method, place);
      if (call === undefined || call.deprecated || Object.hasOwn(actions, name)) continue;
      const searches = name === "api_search";
      const list = this.#list({ ...resource, method, path: place, call }, params);
      if (searches) requireText(list["params"] as Draft);
      const action =
        searches || (!/^(create|update)$/.test(name) && this.#listsRecords(call, method, record))
          ? { ...list, ...(searches ? {} : { list: true }) }
          : this.#action(name, method, place, record, params, type);
      if (action !== undefined) actions[name] = action;
    }
    return actions;
  }

  /** Whether a search by POST returns a list of the entity's records. */
  #listsRecords({ answer }: RestCall, method: string, record: JsonSchema | undefined): boolean {
    if (method !== "POST" || answer === undefined || record === undefined) return false;
    return propertyNames(answer, this.#platform).some((name) =>
      kindsOf(schemaAt(answer, [name, "0"], this.#platform), this.#platform).includes(record),
    );
  }

  #list({ name, method, path, call, at }: Resource, params: OpenApiParams): Draft {
    const { page, params: paging, signs } = pageOf(call, this.#platform);
    if (page === todo) this.open.push(`${name}.yaml actions.list.page: the description does not explain the pages. ${signs}`);
    const own = params.of(call, path, paging.taken);
    return {
      doc: this.#doc(method, path),
      params: { ...own.params, ...paging.own },
      rest: `${method} ${path}`,
      ...fixedOf(own.fixed),
      ...(method === "POST" ? { effect: "none" } : {}),
      ...(at === undefined ? {} : { answer: at }),
      ...(page === undefined ? {} : { page }),
    };
  }

  /** A read of one record or a write; undefined for a read that returns something else. */
  #action(
    name: string,
    method: string,
    path: string,
    record: JsonSchema | undefined,
    params: OpenApiParams,
    type: string,
  ): Draft | undefined {
    const call = this.#platform.rest(method, path);
    if (call === undefined || call.deprecated) return undefined;
    const { place, isRecord } = this.#answer(call, record, method);
    if (method === "GET" && !isRecord) return undefined;
    const { params: own, body, fixed } = params.of(call, path);
    // A write that returns a list of what it made returns the first.
    const element = isRecord || call.answer === undefined ? undefined : elementSchema(call.answer, this.#platform);
    const returned = element ?? call.answer;
    const effect = effectOf(name, method);
    return {
      doc: this.#doc(method, path),
      params: own,
      rest: `${method} ${path}`,
      ...(body === undefined ? {} : { body }),
      ...fixedOf(fixed),
      ...(place === undefined ? (element === undefined ? {} : { answer: "[0]" }) : { answer: place }),
      ...(effect === undefined ? {} : { effect }),
      ...(isRecord || returned === undefined
        ? {}
        : { returns: this.types.type(returned, element === undefined ? `${type}${typeName(doneWord(name))}` : type) }),
    };
  }

  #doc(method: string, path: string): string {
    const operation = this.#api.operation(method, path)?.operation;
    return docOf(operation?.["summary"] ?? operation?.["description"]);
  }

  /** Where an answer has the record: it is the answer itself, or one of its members. */
  #answer({ answer }: RestCall, record: JsonSchema | undefined, method: string): Answer {
    if (answer === undefined || record === undefined) return { place: undefined, isRecord: false };
    const wanted = propertyNames(record, this.#platform);
    const fits = (schema: JsonSchema | undefined) => {
      if (schema === undefined) return false;
      if (this.#platform.resolve(schema) === this.#platform.resolve(record)) return true;
      const names = new Set(propertyNames(schema, this.#platform));
      return wanted.every((name) => names.has(name));
    };
    if (fits(answer)) return { place: undefined, isRecord: true };
    const names = propertyNames(answer, this.#platform);
    const place = names.find((name) => fits(propertySchema(answer, name, this.#platform)));
    if (place !== undefined || method === "GET") return { place, isRecord: place !== undefined };
    // A write of several gives a list of what it made, here of one.
    const list = names.find((name) => fits(schemaAt(answer, [name, "0"], this.#platform)));
    return { place: list && `${list}[0]`, isRecord: list !== undefined };
  }
}

/**
 * Adds the fields of what a list is read for, where its records do not say it: the record that their page belongs to. They come from the
 * request, which other actions may send without it.
 *
 * @returns the names of those that every record has
 */
function addRequested(fields: Draft, actions: Draft, key: string): string[] {
  const paramsOf = (action: unknown) => ((action as Draft)["params"] ?? {}) as Draft;
  const { list, ...others } = actions;
  const added: string[] = [];
  if (list === undefined) return added;
  const returning = Object.values(others).filter((action) => (action as Draft)["returns"] === undefined);
  for (const [name, entry] of Object.entries(paramsOf(list))) {
    const { required, type, name: platformName = name } = entry as Draft;
    if (required !== true || !["string", "integer"].includes(String(type))) continue;
    // What has the name of the key is another record's, such as the message that began a thread.
    const own = name === key ? "parent" : name;
    const isRead = Object.entries(fields).some(([field, entry]) =>
      [platformName, name].includes((entry as Draft)["from"] ?? field),
    );
    if (Object.hasOwn(fields, own) || (isRead && own === name)) continue;
    const always = returning.every((action) => Object.hasOwn(paramsOf(action), name));
    fields[own] = {
      type: `${type === "string" ? "id" : "integer"}${always ? "" : "?"}`,
      param: name,
      search: "exact",
      doc: todo,
    };
    if (always) added.push(own);
  }
  return added;
}

function callParts(call: string): [method: string, path: string] {
  const [method = "", path = ""] = call.split(" ");
  return [method, path];
}

/** Makes the text that a search looks for a required param. */
function requireText(params: Draft): void {
  const text = Object.entries(params).find(([name, one]) => searchText.test(String((one as Draft)["name"] ?? name)));
  if (text !== undefined) params[text[0]] = { ...(text[1] as Draft), required: true };
}

function fixedOf(fixed: Draft): Draft {
  return Object.keys(fixed).length === 0 ? {} : { fixed };
}

/** What an action of another name than `create` and `update` does. */
function effectOf(name: string, method: string): string | undefined {
  if (["get", "list", "create", "update", "api_search"].includes(name)) return undefined;
  return /^(delete|remove|archive|unarchive|add|pin|unpin|lock|unlock|cancel|close)/.test(name) || method === "PUT"
    ? "idempotent"
    : "once";
}

/** The type of what an action returns beside its record: `delete` → `Removed`. */
function doneWord(name: string): string {
  return name === "delete" || name === "remove" ? "removed" : name === "create" ? "created" : `${name}_result`;
}
