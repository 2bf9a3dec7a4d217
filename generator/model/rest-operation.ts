import { suggestion } from "../../runtime/base/suggestion.ts";
import type { Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { ActionSpec, PageSpec } from "../load/spec.ts";
import { alternatives, elementSchema, isNullable, jsonTypeOf, jsonTypes, propertyNames, propertySchema } from "./json-schema.ts";
import { pageOf, paging, pagingOf } from "./page.ts";
import type { JsonSchema, RestCall } from "./platform-description.ts";
import { type AnswerContext, checkAnswer } from "./rest-answer.ts";
import type { EnumModel, OperationModel, ParamModel, TypeModel } from "./types.ts";

export interface RestContext extends AnswerContext {
  readonly at: (...keys: string[]) => SourcePosition;
  readonly diagnostics: Diagnostics;
  readonly params: readonly ParamModel[];
  readonly returns: TypeModel;
  readonly enumOf: (name: string) => EnumModel | undefined;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Binds parameters to path, query and body by their names, and checks them and the answer against the platform's description. */
export function buildRestOperation(spec: ActionSpec, isList: boolean, context: RestContext): OperationModel | undefined {
  const { at, diagnostics, params, platform } = context;
  const [method = "GET", path = ""] = (spec.rest ?? "").split(" ");
  const call = platform.rest(method, path);
  if (call === undefined) {
    diagnostics.error(at("rest"), "SPEC014", `the platform's description has no "${method} ${path}"`);
    return undefined;
  }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  for (const name of inPath) checkPathParam(name, context);
  const page = pageOf(spec, isList);
  const cursor: readonly string[] = isList && page.by === "link" ? [paging.cursorParam] : [];
  const others = params.map((one) => one.name).filter((name) => !inPath.includes(name) && !cursor.includes(name));
  if (method === "GET") checkQuery(others, call, context);
  else checkBody(others, call, context);
  if (call.answer !== undefined) checkAnswerOf(call.answer, isList, page, context);
  return {
    kind: "rest",
    method: method as Method,
    path,
    query: method === "GET" ? others : [],
    body: method === "GET" ? [] : others,
    ...(isList
      ? {
          list: {
            by: "link" as const,
            page: pagingOf(page),
            ...(page.items === undefined ? {} : { items: page.items }),
          },
        }
      : {}),
  };
}

/** Checks one record of the answer: the answer itself, or an element of the list that it is or holds. */
function checkAnswerOf(answer: JsonSchema, isList: boolean, { items }: PageSpec, context: RestContext): void {
  const { at, call, diagnostics, platform, returns } = context;
  const list = items === undefined ? answer : propertySchema(answer, items, platform);
  const record = !isList ? answer : list === undefined ? undefined : elementSchema(list, platform);
  if (record !== undefined) checkAnswer(record, returns, context);
  else if (items === undefined) diagnostics.error(at("page"), "SPEC007", `the answer of ${call} is not a list`);
  else {
    const hint = suggestion(items, propertyNames(answer, platform));
    diagnostics.error(at("page", "items"), "SPEC007", `the answer of ${call} has no list "${items}"`, hint);
  }
}

function checkPathParam(name: string, { at, diagnostics, params }: RestContext): void {
  const param = params.find((one) => one.name === name);
  if (param === undefined) {
    const names = params.map((one) => one.name);
    diagnostics.error(
      at("rest"),
      "SPEC003",
      `the path names "{${name}}", but the action has no such parameter`,
      suggestion(name, names),
    );
  } else if (!param.required && param.default === undefined)
    diagnostics.error(at("rest"), "SPEC015", `the path needs "{${name}}", but the parameter may be left out`);
}

function checkQuery(names: readonly string[], call: RestCall, context: RestContext): void {
  for (const name of names)
    if (!call.queryParams.includes(name))
      context.diagnostics.error(
        context.at("params", name),
        "SPEC015",
        `the call takes no query parameter "${name}"`,
        suggestion(name, call.queryParams),
      );
}

function checkBody(names: readonly string[], call: RestCall, context: RestContext): void {
  const { diagnostics, at, params, platform } = context;
  for (const name of names) {
    const schema = call.body === undefined ? undefined : propertySchema(call.body, name, platform);
    if (schema === undefined) {
      const hint = call.body === undefined ? undefined : suggestion(name, propertyNames(call.body, platform));
      diagnostics.error(at("params", name), "SPEC015", `the call's body has no "${name}"`, hint);
      continue;
    }
    const param = params.find((one) => one.name === name);
    const [problem, hint] = (param === undefined ? undefined : misfit(param, schema, context)) ?? [];
    if (problem !== undefined) diagnostics.error(at("params", name), "SPEC015", `parameter "${name}" ${problem}`, hint);
  }
  const required = call.body?.["required"];
  for (const name of Array.isArray(required) ? required : [])
    if (!params.some((one) => one.name === name && one.required))
      diagnostics.error(
        at("params"),
        "SPEC015",
        `the call's body requires "${String(name)}", but the action has no required parameter of this name`,
      );
}

/** Says why values of a parameter would not fit a schema, with a hint; undefined when they fit. */
function misfit(param: ParamModel, schema: JsonSchema, context: RestContext): [problem: string, hint?: string] | undefined {
  const options = alternatives(schema, context.platform);
  if (param.type.nullable && !isNullable(options)) return ["may be null, but the call does not take null"];
  const wanted = param.type.list ? "array" : param.type.kind === "enum" ? "string" : jsonTypeOf(param.type.name);
  const fitting = options.filter((one) => {
    const types = jsonTypes(one);
    return types.length === 0 || types.includes(wanted) || (wanted === "integer" && types.includes("number"));
  });
  if (fitting.length === 0) return [`is ${wanted}, but the call takes ${[...new Set(options.flatMap(jsonTypes))].join(" or ")}`];
  const allowed = fitting.flatMap((one) => (Array.isArray(one["enum"]) ? (one["enum"] as unknown[]).map(String) : []));
  const values = context.enumOf(param.type.name)?.values.map((one) => one.value) ?? [];
  const refused = values.filter((value) => allowed.length > 0 && !allowed.includes(value));
  if (refused.length === 0) return undefined;
  return [`can be ${refused.join(", ")}, which the call does not take`, `allowed: ${allowed.join(", ")}`];
}
