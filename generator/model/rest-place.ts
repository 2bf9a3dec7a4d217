import { suggestion } from "../../runtime/base/suggestion.ts";
import { isSamePlace, pathKeys, type SentParam } from "../../runtime/contract/index.ts";
import { paramType, type SourcePosition } from "../diagnostic/diagnostic.ts";
import type { ActionSpec } from "../load/spec.ts";
import { alternatives, elementJsonType, jsonTypes, propertyNames, schemaAt } from "./json-schema.ts";
import { paging } from "./page.ts";
import type { JsonSchema, RestCall, RestParam } from "./platform-description.ts";
import { bodyPlace, queryParams } from "./query-params.ts";
import type { RestContext } from "./rest-context.ts";
import { checkMisfit, wireName } from "./rest-misfit.ts";
import type { ParamModel } from "./types.ts";

// Where a REST call takes the parameters of an action: in its query, its headers or its body.

/** Whether a call takes nothing of a name: neither in its path nor in its query, headers and body. */
export function isStray(
  name: string,
  path: string,
  call: RestCall,
  bodyAt: string | undefined,
  { platform }: RestContext,
): boolean {
  const open = [...queryParams(call, platform), ...call.params.filter((one) => one.in === "header")];
  if (path.includes(`{${name}}`) || open.some((one) => one.name === name)) return false;
  const body = call.body === undefined ? undefined : schemaAt(call.body, pathKeys(bodyAt ?? ""), platform);
  return bodyPlace(body, name, platform) === undefined;
}

interface Placed {
  readonly query: SentParam[];
  readonly headers: SentParam[];
  readonly body: SentParam[];
}

/** Puts each parameter where the description has it, and reports those that it does not have. */
export function placeParams(
  params: readonly ParamModel[],
  spec: ActionSpec,
  method: string,
  call: RestCall,
  context: RestContext,
): Placed {
  const { at, diagnostics, platform } = context;
  const placed: Placed = { query: [], headers: [], body: [] };
  const open = [...queryParams(call, platform), ...call.params.filter((one) => one.in === "header")];
  refuseTwice(params, context);
  refuseLast(spec.body, at("body"), context);
  const bodySchema =
    call.body === undefined || spec.body === undefined ? call.body : schemaAt(call.body, pathKeys(spec.body), platform);
  if (spec.body !== undefined && bodySchema === undefined) {
    const hint = call.body === undefined ? undefined : suggestion(spec.body, propertyNames(call.body, platform));
    diagnostics.error(at("body"), "SPEC015", `the call's body has no "${spec.body}"`, hint);
    return placed;
  }
  const unknown: ParamModel[] = [];
  for (const param of params) {
    const name = wireName(param);
    refuseLast(name, at("params", param.name, "name"), context);
    const known = open.find((one) => one.name === name);
    const inBody = bodyPlace(bodySchema, name, platform);
    if (known !== undefined && (method === "GET" || inBody === undefined)) {
      const before = diagnostics.reported;
      // A document has no place there, so nothing else needs to be said of it.
      if (param.as !== undefined && typeof param.as !== "string")
        diagnostics.error(at("params", param.name), "SPEC016", `\`as\` has no effect in a ${known.in}`);
      else checkMisfit(param, known.schema, context);
      const isObject = elementJsonType(param.type) === "object";
      if (diagnostics.reported === before && !takesObject(known, param.type.list, context))
        refuseObject(param, known.in, context);
      const join = param.type.list ? listJoin(known.schema, known.join, context) : isObject ? known.join : undefined;
      const kind = known.in === "header" ? placed.headers : placed.query;
      kind.push(sentAs(param, join));
    } else if (inBody !== undefined) {
      if (param.file !== true) checkMisfit(param, inBody, context);
      else if (!call.multipart)
        diagnostics.error(
          at("params", param.name, "type"),
          "SPEC015",
          `parameter "${param.name}" is a file, but the call takes no body of parts`,
          "the description needs `multipart/form-data`",
        );
      const join = pathKeys(name).length === 1 && spec.body === undefined ? call.formJoins[name] : undefined;
      placed.body.push(sentAs(param, join));
    } else unknown.push(param);
  }
  const ofPages = spec.page === undefined ? [] : [paging.sizeParam, paging.cursorParam];
  if (!areElsewhere(unknown, spec.body, call, context))
    for (const param of unknown) reportUnknown(param, method, call, bodySchema, ofPages, context);
  return placed;
}

/** Reports several unknown parameters as one fault of `body`, where another part of the call's body has all of them. */
function areElsewhere(
  unknown: readonly ParamModel[],
  bodyAt: string | undefined,
  { body }: RestCall,
  { at, diagnostics, platform }: RestContext,
): boolean {
  const [first, ...others] = unknown.map(wireName);
  if (first === undefined || others.length === 0 || body === undefined) return false;
  const hasAll = (schema: JsonSchema) => {
    const names = propertyNames(schema, platform);
    return [first, ...others].every((one) => names.includes(String(pathKeys(one)[0])));
  };
  const wrong = (key: "body" | "rest", message: string, hint: string) =>
    diagnostics.error(at(key), "SPEC015", message, hint, {
      loses: unknown.map(({ name }) => ({ kind: "parameter", name })),
    });
  const all = `"${first}" and ${others.length} more`;
  if (bodyAt !== undefined && hasAll(body)) {
    wrong(
      "body",
      `"${bodyAt}" of the call's body has no ${all}, which the body itself has`,
      "without `body`, parameters go there",
    );
    return true;
  }
  const isPlace = (path: string) => path !== bodyAt && hasAll(schemaAt(body, pathKeys(path), platform) ?? {});
  const place = propertyNames(body, platform)
    .flatMap((name) => [name, `${name}[0]`])
    .find(isPlace);
  if (place === undefined) return false;
  const message = `the call's body has no ${all}, which its "${place}" has`;
  wrong(bodyAt === undefined ? "rest" : "body", message, `with \`body: ${place}\`, parameters go there`);
  return true;
}

/** Of two parameters for one place a call can have one, so neither may be in every call. */
function refuseTwice(params: readonly ParamModel[], { at, diagnostics }: RestContext): void {
  const isAlways = ({ required, default: fallback }: ParamModel) => required || fallback !== undefined;
  for (const [index, param] of params.entries()) {
    const first = params.slice(0, index).find((one) => isSamePlace(wireName(one), wireName(param)));
    if (first === undefined || !(isAlways(first) || isAlways(param))) continue;
    const [always, never] = isAlways(first) ? [first, param] : [param, first];
    diagnostics.error(
      at("params", never.name),
      "SPEC016",
      `parameter "${never.name}" is sent in the same place as "${always.name}", which every call has`,
      "of two parameters for one place, both must be optional and without a default",
    );
  }
}

/** A list that is sent has no last element before it is made. */
function refuseLast(path = "", position: SourcePosition, { diagnostics }: RestContext): void {
  if (pathKeys(path).includes("-1"))
    diagnostics.error(
      position,
      "SPEC016",
      `"${path}" names the last element of a list that is sent`,
      "`[0]` names the first one",
    );
}

function sentAs(param: ParamModel, join: string | undefined): SentParam {
  const name = wireName(param);
  const { as, members, file } = param;
  if (name === param.name && join === undefined && members === undefined && as === undefined) return name;
  if (file === true) return { param: param.name, name, file };
  return {
    param: param.name,
    name,
    ...(join === undefined ? {} : { join }),
    ...(members === undefined ? {} : { members: members.map((one) => sentAs(one, undefined)) }),
    ...(as === undefined ? {} : { as }),
  };
}

/** Whether the description says how to serialize an object, or a list of objects, in a query. A header cannot carry one. */
function takesObject({ in: place, join, schema }: RestParam, list: boolean, { platform }: RestContext): boolean {
  if (place === "header") return false;
  return (
    join === "brackets" || join === "json" || (!list && alternatives(schema, platform).flatMap(jsonTypes).includes("object"))
  );
}

/** How a query serializes a list. Where the description says that the parameter is a text, commas join the elements. */
function listJoin(schema: JsonSchema, join: string, { platform }: RestContext): string {
  const types = alternatives(schema, platform).flatMap(jsonTypes);
  return types.length > 0 && !types.includes("array") ? "," : join;
}

function reportUnknown(
  param: ParamModel,
  method: string,
  call: RestCall,
  body: JsonSchema | undefined,
  ofPages: readonly string[],
  context: RestContext,
): void {
  const { at, diagnostics, params, platform } = context;
  const name = wireName(param);
  const queries = queryParams(call, platform).map((one) => one.name);
  const inBody = body === undefined ? [] : propertyNames(body, platform);
  // The name of a place of the path may be misspelled.
  const places = [...context.call.matchAll(/\{([\w-]+)\}/g)].map(([, one = ""]) => one);
  const unfilled = places.filter((one) => !params.some((other) => wireName(other) === one));
  // So may that of a parameter for pages.
  const lacking = ofPages.filter((one) => !params.some((other) => other.name === one));
  const hint = suggestion(name, [...inBody, ...queries, ...unfilled, ...lacking]);
  const place = param.sentAs === undefined ? at("params", param.name) : at("params", param.name, "name");
  const message =
    method === "GET" || body === undefined ? `the call takes no query parameter "${name}"` : `the call's body has no "${name}"`;
  diagnostics.error(place, "SPEC015", message, hint, {
    says: `the call takes no "${name}"`,
    loses: [{ kind: "parameter", name: param.name }],
    // A list that is read at once takes no parameters for pages.
    ...(ofPages.includes(param.name) ? { ofPage: { at: at("page") } } : {}),
  });
}

/** A path, a query and a header take texts and numbers, and no object. */
export function refuseObject(param: ParamModel, place: string, { at, diagnostics }: RestContext): void {
  if (elementJsonType(param.type) !== "object") return;
  diagnostics.error(
    at("params", param.name),
    "SPEC015",
    `parameter "${param.name}" is an object, which a ${place} has no way to send`,
    undefined,
    { loses: [paramType(param.name)], entry: at("params", param.name) },
  );
}
