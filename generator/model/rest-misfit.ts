import { suggestion } from "../../runtime/base/suggestion.ts";
import { type Facts, paramType } from "../diagnostic/diagnostic.ts";
import { alternatives, elementJsonType, isNullable, jsonTypeIn, jsonTypes, propertyNames, schemaAt } from "./json-schema.ts";
import { hasPlace, type LiteralFault, literalFaults } from "./literal.ts";
import type { JsonSchema } from "./platform-description.ts";
import { otherDate } from "./rest-answer.ts";
import type { RestContext } from "./rest-context.ts";
import { enumValuesOf } from "./type-reference.ts";
import type { ParamModel } from "./types.ts";

// Parameters of a REST call whose values the platform would not take.

/** The name under which a parameter is sent. */
export const wireName = ({ name, sentAs }: ParamModel): string => sentAs ?? name;

/** Reports a parameter, or one of its members, whose values do not fit the schema of what the call takes. */
export function checkMisfit(param: ParamModel, schema: JsonSchema, context: RestContext, around: readonly string[] = []): void {
  const { at, diagnostics, platform } = context;
  const place = at("params", ...around, param.name);
  const date = param.as === undefined ? otherDate(param.type, alternatives(schema, platform)) : undefined;
  const [problem, hint, facts] = misfit(param, schema, context) ?? date ?? [];
  if (problem !== undefined)
    diagnostics.error(place, "SPEC015", `parameter "${param.name}" ${problem}`, hint, { ...facts, entry: place });
  else
    for (const [key, fault] of writtenFaults(param, schema, context))
      diagnostics.error(at("params", ...around, param.name, key, ...fault.keys), "SPEC015", fault.message, fault.hint, {
        loses: [{ kind: "value", name: param.name }],
      });
  const inside = param.type.list ? schemaAt(schema, ["0"], platform) : schema;
  // Where the description says nothing of an object's properties, there is nothing to check against.
  if (inside === undefined || propertyNames(inside, platform).length === 0) return;
  const within = [...around, param.name, "members"];
  for (const member of param.members ?? []) {
    const known = schemaAt(inside, [wireName(member)], platform);
    if (known !== undefined) checkMisfit(member, known, context, within);
    else {
      const message = `parameter "${param.name}" has no "${wireName(member)}" in this call`;
      diagnostics.error(
        at("params", ...within, member.name),
        "SPEC015",
        message,
        suggestion(wireName(member), propertyNames(inside, platform)),
        { loses: [{ kind: "value", name: around[0] ?? param.name }] },
      );
    }
  }
}

/** What the call would not take of a default, and of what stands around the text in `as`. */
function writtenFaults(
  { as, default: fallback, type }: ParamModel,
  schema: JsonSchema,
  { platform }: RestContext,
): readonly (readonly ["as" | "default", LiteralFault])[] {
  // One without a place for the text is reported where the parameter is built.
  if (as !== undefined) return hasPlace(as) ? literalFaults(as, schema, platform).map((fault) => ["as", fault]) : [];
  // In a query, a list and a number may be written as a text.
  const isText = type.name === "string" || type.name === "id";
  if (fallback === undefined || !isText || type.list) return [];
  return literalFaults(fallback, schema, platform).map((fault) => ["default", fault]);
}

/** Says why values of a parameter would not fit a schema, with a hint; undefined when they fit. */
function misfit(
  param: ParamModel,
  schema: JsonSchema,
  context: RestContext,
): [problem: string, hint?: string | undefined, facts?: Facts] | undefined {
  const options = alternatives(schema, context.platform);
  if (param.type.nullable && options.flatMap(jsonTypes).length > 0 && !isNullable(options))
    return ["may be null, but the call does not take null"];
  const { as } = param;
  const value = [{ kind: "value", name: param.name }] as const;
  const loses: Facts = { loses: [...value, paramType(param.name)], ...(as === undefined ? {} : { lacks: value }) };
  const wanted = as === undefined ? (param.type.list ? "array" : elementJsonType(param.type)) : jsonTypeIn(as);
  const fitting = options.filter((one) => {
    const types = jsonTypes(one);
    return types.length === 0 || types.includes(wanted) || (wanted === "integer" && types.includes("number"));
  });
  // In a query, a list may be written as a text, and a number too.
  const asText = param.type.list && options.some((one) => jsonTypes(one).includes("string"));
  if (fitting.length === 0 && !asText)
    return [`is ${wanted}, but the call takes ${[...new Set(options.flatMap(jsonTypes))].join(" or ")}`, undefined, loses];
  const bound = boundMisfit(param, fitting);
  if (bound !== undefined) return [bound, undefined, loses];
  const allowed = fitting.flatMap((one) => (Array.isArray(one["enum"]) ? (one["enum"] as unknown[]).map(String) : []));
  const values = context.enumOf(param.type.name)?.values.map((one) => one.value) ?? [];
  const refused = values.filter((value) => allowed.length > 0 && !allowed.includes(value));
  if (refused.length === 0) return undefined;
  return [
    `can be ${refused.join(", ")}, which the call does not take`,
    suggestion(refused[0] ?? "", allowed),
    {
      ...loses,
      loses: [
        ...value,
        paramType(param.name),
        ...enumValuesOf(
          param.type.name,
          allowed.filter((one) => !values.includes(one)),
        ),
      ],
      strange: refused,
    },
  ];
}

/** Says which bound of a parameter is wider than the one of the call. */
function boundMisfit(param: ParamModel, fitting: readonly JsonSchema[]): string | undefined {
  const bounds = [
    [param.range, "maximum", ""],
    [param.length, "maxLength", " characters"],
    [param.items, "maxItems", " elements"],
  ] as const;
  for (const [own, most, what] of param.as === undefined ? bounds : []) {
    const largest = fitting.map((one) => one[most]);
    if (own === undefined || (param.type.list && most === "maxLength")) continue;
    if (!largest.every((one) => typeof one === "number")) continue;
    const limit = Math.max(...largest);
    // The bounds of a param are whole: up to 0.9, that is 1.
    if (largest.length > 0 && own[1] > (param.type.name === "number" ? Math.ceil(limit) : limit))
      return `may have ${own[1]}${what}, but the call takes at most ${limit}`;
  }
  return undefined;
}
