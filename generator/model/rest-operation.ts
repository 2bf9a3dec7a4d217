import type { Diagnostics, Position } from "../diagnostic.ts";
import type { ActionSpec } from "../load/spec.ts";
import { pageOf, paging, sizeParamOf } from "./page.ts";
import { isObject, type JsonSchema, type PlatformDescription, type RestCall } from "./platform-description.ts";
import type { EnumModel, OperationModel, ParamModel, TypeModel } from "./types.ts";

export interface RestContext {
  readonly platform: PlatformDescription;
  readonly at: (...keys: string[]) => Position;
  readonly diagnostics: Diagnostics;
  readonly params: readonly ParamModel[];
  readonly returns: TypeModel;
  readonly enumOf: (name: string) => EnumModel | undefined;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Binds parameters to path, query and body by their names, and checks them and the answer against the description. */
export function buildRestOperation(spec: ActionSpec, isList: boolean, context: RestContext): OperationModel | undefined {
  const { at, diagnostics, params } = context;
  const [method = "GET", path = ""] = (spec.rest ?? "").split(" ");
  const call = context.platform.rest(method, path);
  if (call === undefined) {
    diagnostics.error(at("rest"), "SPEC014", `the platform's description has no "${method} ${path}"`);
    return undefined;
  }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  for (const name of inPath) {
    const param = params.find((one) => one.name === name);
    if (param === undefined)
      diagnostics.error(at("rest"), "SPEC003", `the path names "{${name}}", which is no parameter of the action`);
    else if (!param.required && param.default === undefined)
      diagnostics.error(at("rest"), "SPEC015", `"{${name}}" stands in the path, but the parameter is optional`);
  }
  const page = pageOf(spec, isList);
  const cursor: readonly string[] = isList && page.by === "link" ? [paging.cursorParam] : [];
  const others = params.map((one) => one.name).filter((name) => !inPath.includes(name) && !cursor.includes(name));
  if (method === "GET") checkQuery(others, call, context);
  else checkBody(others, call, context);
  if (call.answer !== undefined) checkAnswer(isList ? element(call.answer, page.items, context) : call.answer, context);
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
            size: sizeParamOf(page),
            ...(page.items === undefined ? {} : { items: page.items }),
          },
        }
      : {}),
  };
}

function element(answer: JsonSchema, items: string | undefined, context: RestContext): JsonSchema {
  const { resolve } = context.platform;
  const holder = items === undefined ? answer : property(answer, items, context);
  const inner = holder === undefined ? undefined : resolve(holder)["items"];
  return isObject(inner ?? null) ? resolve(inner as JsonSchema) : {};
}

function checkQuery(names: readonly string[], call: RestCall, context: RestContext): void {
  for (const name of names)
    if (!call.queryParams.includes(name))
      context.diagnostics.error(context.at("params", name), "SPEC015", `the call takes no query parameter "${name}"`);
}

function checkBody(names: readonly string[], call: RestCall, context: RestContext): void {
  const { diagnostics, at, params } = context;
  for (const name of names) {
    const schema = call.body === undefined ? undefined : property(call.body, name, context);
    if (schema === undefined) diagnostics.error(at("params", name), "SPEC015", `the call's body has no "${name}"`);
    else {
      const param = params.find((one) => one.name === name);
      const problem = param === undefined ? undefined : misfit(param, schema, context);
      if (problem !== undefined) diagnostics.error(at("params", name), "SPEC015", `parameter "${name}" ${problem}`);
    }
  }
  const required = call.body?.["required"];
  for (const name of Array.isArray(required) ? required : [])
    if (!params.some((one) => one.name === name && one.required))
      diagnostics.error(at("params"), "SPEC015", `the call's body requires "${String(name)}"`);
}

/** Says why values of the parameter would not fit the schema, or undefined when they do. */
function misfit(param: ParamModel, schema: JsonSchema, context: RestContext): string | undefined {
  const options = alternatives(schema, context);
  if (param.type.nullable && !options.some((one) => one["nullable"] === true || types(one).includes("null")))
    return "may be null, but the call does not take null";
  const wanted = param.type.list ? "array" : param.type.kind === "enum" ? "string" : jsonType(param.type.name);
  const fitting = options.filter(
    (one) => types(one).length === 0 || types(one).includes(wanted) || (wanted === "integer" && types(one).includes("number")),
  );
  if (fitting.length === 0) return `is ${wanted}, but the call takes ${[...new Set(options.flatMap(types))].join(" or ")}`;
  const allowed = fitting.flatMap((one) => (Array.isArray(one["enum"]) ? (one["enum"] as unknown[]) : []));
  const never = context.enumOf(param.type.name)?.values.filter((one) => allowed.length > 0 && !allowed.includes(one.value)) ?? [];
  return never.length > 0 ? `can be ${never.map((one) => one.value).join(", ")}, which the call does not take` : undefined;
}

function checkAnswer(answer: JsonSchema, context: RestContext): void {
  const { diagnostics, at, returns } = context;
  for (const field of returns.fields) {
    const { cut } = field.plan;
    const flag = cut === undefined ? undefined : schemaAt(answer, cut, context);
    if (cut !== undefined && (flag === undefined || !alternatives(flag, context).flatMap(types).includes("boolean")))
      diagnostics.error(
        at("returns"),
        "SPEC007",
        `the answer of this call has no boolean "${cut}" (\`cut\` of field "${field.name}" of ${returns.name})`,
      );
    const read = typeof field.plan.read === "string" ? field.plan.read : field.name;
    const schema = schemaAt(answer, read, context);
    if (schema === undefined) {
      diagnostics.error(
        at("returns"),
        "SPEC007",
        `the answer of this call has no "${read}" (field "${field.name}" of ${returns.name})`,
      );
      continue;
    }
    const options = alternatives(schema, context);
    const nullable = options.some((one) => one["nullable"] === true || types(one).includes("null"));
    if (nullable && !field.type.nullable && !field.type.list)
      diagnostics.error(at("returns"), "SPEC006", `"${field.name}" of ${returns.name} may be null in the answer of this call`);
    const wanted = field.type.list
      ? "array"
      : field.type.kind === "type"
        ? "object"
        : field.type.kind === "enum"
          ? "string"
          : jsonType(field.type.name);
    const given = [...new Set(options.flatMap(types))].filter((one) => one !== "null");
    const fits = given.length === 0 || given.includes(wanted) || (wanted === "number" && given.includes("integer"));
    if (!fits)
      diagnostics.error(
        at("returns"),
        "SPEC006",
        `"${field.name}" of ${returns.name} is ${given.join(" or ")} in the answer of this call`,
      );
  }
}

function jsonType(scalar: string): string {
  return ["integer", "number", "boolean", "object"].includes(scalar) ? scalar : "string";
}

function types(schema: JsonSchema): string[] {
  const type = schema["type"];
  if (Array.isArray(type)) return type.map(String);
  if (typeof type === "string") return [type];
  return isObject(schema["properties"]) ? ["object"] : [];
}

/** The schema itself and what `oneOf`, `anyOf` and `allOf` put beside it, references resolved. */
function alternatives(schema: JsonSchema, context: RestContext): JsonSchema[] {
  const here = context.platform.resolve(schema);
  const inner = ["oneOf", "anyOf", "allOf"].flatMap((key) =>
    Array.isArray(here[key]) ? (here[key] as readonly JsonSchema[]) : [],
  );
  return [here, ...inner.flatMap((one) => alternatives(one, context))];
}

function schemaAt(schema: JsonSchema, path: string, context: RestContext): JsonSchema | undefined {
  let here: JsonSchema | undefined = schema;
  for (const key of path.split(".")) here = here === undefined ? undefined : property(here, key, context);
  return here;
}

function property(schema: JsonSchema, name: string, context: RestContext): JsonSchema | undefined {
  for (const one of alternatives(schema, context)) {
    const properties = one["properties"];
    if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name] as JsonSchema;
  }
  return undefined;
}
