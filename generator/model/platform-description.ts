import type { GraphQLSchema } from "graphql";
import { isJsonObject, type Json, type JsonSchema, OpenApi } from "./open-api.ts";
import { isReached } from "./overrides.ts";

export { isJsonObject, type JsonSchema } from "./open-api.ts";

/** A parameter of an operation, as the description has it. */
export interface RestParam {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  /** How a list or an object stands in a query, as a `SentParam` has it. */
  readonly join: string;
}

/** An operation of an OpenAPI description. References in it are resolved when they are read. */
export interface RestCall {
  readonly params: readonly RestParam[];
  readonly body: JsonSchema | undefined;
  /** The body is a form. */
  readonly form: boolean;
  /** The body has parts of which each has a type of its own (RFC 7578). */
  readonly multipart: boolean;
  /** How lists and objects stand in the form, by the names of its members. Default: in brackets. */
  readonly formJoins: Readonly<Record<string, string>>;
  /** Schema of a good answer; undefined where the description does not say it. */
  readonly answer: JsonSchema | undefined;
  /** Every response with a body. */
  readonly responses: readonly { readonly schema: JsonSchema; readonly refusal: boolean }[];
  /** A good answer has the header `Link`, which leads to the next page. */
  readonly links: boolean;
  /** A response redirects to an address of something else, which is 302 or 303. */
  readonly redirects: boolean;
  readonly deprecated: boolean;
}

/** The platform as its public schemas describe it. The spec of each connector names its own. */
export interface PlatformDescription {
  /** Hash of both schemas. */
  readonly key: string;
  readonly graphql: GraphQLSchema | undefined;
  /** What the spec says of the platform's own scalars. */
  readonly scalars: Readonly<Record<string, string>>;
  rest(method: string, path: string): RestCall | undefined;
  /** Every operation of the REST API: `GET /books/{id}`. */
  readonly calls: readonly string[];
  resolve(schema: JsonSchema): JsonSchema;
  /** Whether a place of the REST description, a call or a JSON Pointer, says something of one of these calls. */
  describes(place: string, calls: readonly string[]): boolean;
}

/** What a description is made of. */
export interface DescribedApis {
  readonly key: string;
  readonly graphql: GraphQLSchema | undefined;
  readonly scalars: Readonly<Record<string, string>>;
  readonly rest: OpenApi | undefined;
}

export function describePlatform({ key, graphql, scalars, rest = new OpenApi({}) }: DescribedApis): PlatformDescription {
  const known = new Map<string, RestCall | undefined>();
  return {
    key,
    graphql,
    scalars,
    calls: rest.calls,
    resolve: (schema) => rest.resolve(schema),
    describes: (place, calls) => (place.includes(" /") ? calls.includes(place) : isReached(rest, place, calls)),
    rest: (method, path) => {
      const call = `${method} ${path}`;
      if (known.has(call)) return known.get(call);
      const found = rest.operation(method, path);
      const read = found === undefined ? undefined : readCall(found.operation, found.parameters, rest);
      known.set(call, read);
      return read;
    },
  };
}

const jsonTypes = ["application/json", "application/vnd.api+json", "application/hal+json", "text/json"];
const formType = "application/x-www-form-urlencoded";

function readCall(call: JsonSchema, parameters: readonly JsonSchema[], api: OpenApi): RestCall {
  const body = content(call["requestBody"], api);
  const form = body === undefined ? content(call["requestBody"], api, [formType]) : undefined;
  const parts = body === undefined && form === undefined ? content(call["requestBody"], api, ["multipart/form-data"]) : undefined;
  return {
    params: parameters.map((one) => readParam(one, api)).filter((one) => !isOfHttp(one)),
    body: body ?? form ?? parts,
    form: form !== undefined,
    multipart: parts !== undefined,
    formJoins: form === undefined ? {} : formJoins(call["requestBody"], api),
    answer: goodAnswer(call, api),
    responses: responsesOf(call, api),
    links: goodResponses(call, api).some(({ headers }) => isJsonObject(headers) && Object.keys(headers).some(isLink)),
    redirects: isJsonObject(call["responses"]) && Object.keys(call["responses"]).some((status) => /^30[23]$/.test(status)),
    deprecated: call["deprecated"] === true,
  };
}

/** OpenAPI says that a parameter for one of these headers is to be ignored: the call has them anyway. */
const isOfHttp = (param: RestParam) => param.in === "header" && /^(accept|content-type|authorization)$/i.test(param.name);

const isLink = (header: string) => header.toLowerCase() === "link";

/** The first answer that is a success and has a body. */
function goodAnswer(call: JsonSchema, api: OpenApi): JsonSchema | undefined {
  for (const response of goodResponses(call, api)) {
    const schema = content(response, api);
    if (schema !== undefined) return schema;
  }
  return undefined;
}

function responsesOf(call: JsonSchema, api: OpenApi): RestCall["responses"] {
  const responses = isJsonObject(call["responses"]) ? call["responses"] : {};
  return Object.entries(responses).flatMap(([status, response]) => {
    const resolved = isJsonObject(response) ? api.resolve(response) : {};
    // A body without a schema may have anything.
    const schema = content(resolved, api) ?? (resolved["content"] === undefined ? undefined : {});
    return schema === undefined ? [] : [{ schema, refusal: !/^[123]/.test(status) }];
  });
}

/**
 * The responses of success, also `2XX`. `default` is for every status without a response of its own (OpenAPI 3.1, Responses Object): beside
 * one of success, that is a refusal.
 */
function goodResponses(call: JsonSchema, api: OpenApi): JsonSchema[] {
  const responses = isJsonObject(call["responses"]) ? call["responses"] : {};
  const good = Object.keys(responses).filter((status) => /^2/.test(status));
  return (good.length > 0 ? good.sort() : ["default"])
    .map((status) => responses[status])
    .filter(isJsonObject)
    .map((response) => api.resolve(response));
}

function readParam(one: JsonSchema, api: OpenApi): RestParam {
  const place = String(one["in"]);
  const json = content(one, api);
  const schema = json ?? (isJsonObject(one["schema"]) ? api.resolve(one["schema"]) : {});
  return {
    name: String(one["name"]),
    in: place === "path" || place === "header" || place === "cookie" ? place : "query",
    required: one["required"] === true,
    ...(typeof one["description"] === "string" ? { description: one["description"] } : {}),
    schema,
    join: json === undefined ? joinOf(one) : "json",
  };
}

/** How a list or an object stands in a query or a form by the keywords `style` and `explode`. */
function joinOf({ style = "form", explode = style === "form" }: JsonSchema): string {
  if (style === "deepObject") return "brackets";
  return explode === true ? "repeat" : style === "spaceDelimited" ? " " : style === "pipeDelimited" ? "|" : ",";
}

/** How the members of a form stand in it, where the description says so (`encoding`). */
function formJoins(holder: Json | undefined, api: OpenApi): Record<string, string> {
  const kinds = isJsonObject(holder) ? api.resolve(holder)["content"] : undefined;
  const form = isJsonObject(kinds) ? kinds[formType] : undefined;
  const encoding = isJsonObject(form) && isJsonObject(form["encoding"]) ? form["encoding"] : {};
  return Object.fromEntries(
    Object.entries(encoding).flatMap(([name, one]) =>
      isJsonObject(one) && (one["style"] !== undefined || one["explode"] !== undefined) ? [[name, joinOf(one)]] : [],
    ),
  );
}

/** The schema of a body in JSON, whatever the platform calls its kind of JSON. */
function content(holder: Json | undefined, api: OpenApi, types: readonly string[] = jsonTypes): JsonSchema | undefined {
  if (!isJsonObject(holder)) return undefined;
  const kinds = api.resolve(holder)["content"];
  if (!isJsonObject(kinds)) return undefined;
  const bare = (type: string) => type.split(";")[0]?.trim() ?? "";
  const name =
    Object.keys(kinds).find((type) => types.includes(bare(type))) ??
    (types === jsonTypes ? Object.keys(kinds).find((type) => /\+json$/.test(bare(type)) || type === "*/*") : undefined);
  const kind = name === undefined ? undefined : kinds[name];
  return isJsonObject(kind) && isJsonObject(kind["schema"]) ? api.resolve(kind["schema"]) : undefined;
}
