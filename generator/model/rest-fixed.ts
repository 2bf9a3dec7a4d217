import { suggestion } from "../../runtime/base/suggestion.ts";
import { pathKeys, type RestOperation } from "../../runtime/contract/index.ts";
import type { ActionSpec } from "../load/spec.ts";
import { jsonTypeIn, propertyNames, schemaAt } from "./json-schema.ts";
import { literalFaults } from "./literal.ts";
import type { JsonSchema, RestCall } from "./platform-description.ts";
import { bodyPlace, queryParams } from "./query-params.ts";
import type { RestContext } from "./rest-context.ts";

/** What every call of an action sends beside its parameters, each value where the description has it. Undefined for nothing. */
export function restFixed(
  { body: bodyAt, fixed, page }: ActionSpec,
  method: string,
  call: RestCall,
  context: RestContext,
): RestOperation["fixed"] {
  if (fixed === undefined) return undefined;
  const { at, diagnostics, params, platform } = context;
  const bodySchema = call.body === undefined ? undefined : schemaAt(call.body, pathKeys(bodyAt ?? ""), platform);
  const queries = queryParams(call, platform);
  const query: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fixed)) {
    const wrong = (code: "SPEC015" | "SPEC016", message: string, hint?: string) =>
      diagnostics.error(at("fixed", name), code, message, hint);
    const check = (value: unknown, schema: JsonSchema) => {
      for (const { keys, message, hint } of literalFaults(value, schema, platform))
        diagnostics.error(at("fixed", name, ...keys), "SPEC015", message, hint);
    };
    if (params.some((one) => (one.sentAs ?? one.name) === name))
      wrong("SPEC016", `"${name}" is sent by a parameter, so it cannot be fixed`);
    if (typeof page === "object" && page.param === name)
      wrong("SPEC016", `"${name}" leads to the pages of the list, so it cannot be fixed`);
    const texts = [value].flat().filter((one) => typeof one === "string");
    const twice = texts.find((one, index) => texts.indexOf(one) < index);
    if (twice !== undefined) wrong("SPEC016", `"${name}" has "${twice}" twice`);
    const inBody = bodyPlace(bodySchema, name, platform);
    const before = diagnostics.reported;
    const known = queries.find((one) => one.name === name);
    if (inBody !== undefined && (method !== "GET" || known === undefined)) {
      check(value, inBody);
      body[name] = value;
    } else if (known !== undefined) {
      if (typeof value === "object") wrong("SPEC015", `"${name}" is ${jsonTypeIn(value)}, which a query has no way to send`);
      else check(value, known.schema);
      query[name] = String(value);
    } else {
      const names = queries.map((one) => one.name);
      const hint = suggestion(name, [...(bodySchema === undefined ? [] : propertyNames(bodySchema, platform)), ...names]);
      wrong("SPEC015", `the call has no "${name}" in its query${bodySchema === undefined ? "" : " or body"}`, hint);
    }
    const isEmpty = texts.includes("") && (Array.isArray(value) || inBody === undefined);
    if (isEmpty && diagnostics.reported === before) wrong("SPEC016", `"${name}" has an empty text`);
  }
  return { ...(Object.keys(query).length === 0 ? {} : { query }), ...(Object.keys(body).length === 0 ? {} : { body }) };
}
