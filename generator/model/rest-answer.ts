import { suggestion } from "../../runtime/base/suggestion.ts";
import { pathKeys } from "../../runtime/contract/index.ts";
import type { Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import { alternatives, elementSchema, isNullable, jsonTypeOf, jsonTypes, propertyNames, schemaAt } from "./json-schema.ts";
import type { JsonSchema, PlatformDescription } from "./platform-description.ts";
import { typeText } from "./type-reference.ts";
import type { FieldModel, TypeLookup, TypeModel } from "./types.ts";

/** What is needed to check the answer of a REST call. */
export interface AnswerContext {
  readonly platform: PlatformDescription;
  readonly diagnostics: Diagnostics;
  readonly typeOf: TypeLookup;
  /** Method and path of the call. */
  readonly call: string;
  /** What has been reported of answers: several calls may answer the same type, and its faults are reported for the first. */
  readonly reported: Set<string>;
  /** Where a field of a type is written. */
  readonly fieldAt: (type: TypeModel, field: string, key?: string) => SourcePosition;
}

/**
 * Checks every field of a type, and of the types inside it, against the description of an answer. A fault is reported at the
 * field that is wrong.
 */
export function checkAnswer(
  answer: JsonSchema,
  type: TypeModel,
  context: AnswerContext,
  around: readonly TypeModel[] = [],
): void {
  for (const field of type.fields) {
    // Its value comes from the call.
    if (field.plan.param !== undefined) continue;
    const schema = checkField(answer, type, field, context);
    const inner = field.type.kind === "type" ? context.typeOf(field.type.name) : undefined;
    // A type may contain itself: its fields are checked only where it comes first.
    if (schema === undefined || inner === undefined || inner === type || around.includes(inner)) continue;
    const value = field.type.list ? elementSchema(schema, context.platform) : schema;
    // Where the description says nothing of an object's properties, there is nothing to check against.
    if (value !== undefined && propertyNames(value, context.platform).length > 0)
      checkAnswer(value, inner, context, [...around, type]);
  }
}

/** The schema of a field's value; undefined, and reported, when the answer does not have the field. */
function checkField(answer: JsonSchema, type: TypeModel, field: FieldModel, context: AnswerContext): JsonSchema | undefined {
  const { platform, diagnostics } = context;
  const wrong = (code: "SPEC006" | "SPEC007", message: string, key?: string, hint?: string) => {
    const fault = [code, type.name, field.name, key].join();
    if (!context.reported.has(fault)) diagnostics.error(context.fieldAt(type, field.name, key), code, message, hint);
    context.reported.add(fault);
  };
  const answerOf = `the answer of ${context.call}`;
  const { cut } = field.plan;
  const flag = cut === undefined ? undefined : schemaAt(answer, pathKeys(cut), platform);
  if (cut !== undefined && (flag === undefined || !alternatives(flag, platform).flatMap(jsonTypes).includes("boolean")))
    wrong("SPEC007", `${answerOf} has no boolean "${cut}", which \`cut\` of field "${field.name}" of ${type.name} names`, "cut");
  const path = typeof field.plan.read === "string" ? field.plan.read : field.name;
  const schema = schemaAt(answer, pathKeys(path.replaceAll("[]", "[0]")), platform);
  if (schema === undefined) {
    const hint = path.includes(".") ? undefined : suggestion(path, propertyNames(answer, platform));
    wrong("SPEC007", `${answerOf} has no "${path}", which field "${field.name}" of ${type.name} reads`, undefined, hint);
    return undefined;
  }
  const options = alternatives(schema, platform);
  if (isNullable(options) && !field.type.nullable && !field.type.list)
    wrong(
      "SPEC006",
      `field "${field.name}" of ${type.name} may be null in ${answerOf}`,
      "type",
      `write ${typeText({ ...field.type, nullable: true })}`,
    );
  const wanted = wantedTypes(path.includes("[]") ? { ...field, type: { ...field.type, list: false } } : field);
  const given = [...new Set(options.flatMap(jsonTypes))].filter((one) => one !== "null");
  const fits = given.some((one) => wanted.includes(one));
  if (given.length === 0 || fits) return schema;
  const hint =
    wanted.includes("string") && given.some((one) => one === "integer" || one === "number") ? numberHint(field) : undefined;
  wrong(
    "SPEC006",
    `field "${field.name}" of ${type.name} is ${given.join(" or ")} in ${answerOf}, not ${wanted[0]}`,
    "type",
    hint,
  );
  return undefined;
}

/** JSON types that the platform may give for a field; the first is the one that the field declares. */
function wantedTypes({ type, plan }: FieldModel): readonly string[] {
  if (type.list) return ["array"];
  if (plan.as?.kind === "id") return ["string", "integer", "number", "object"];
  if (plan.as?.kind === "text") return ["string", "object", "array"];
  if (plan.as?.kind === "integer") return ["integer", "number", "string"];
  if (plan.as?.kind === "string") return ["string", "integer", "number", "boolean"];
  if (plan.as?.kind === "seconds" || plan.as?.kind === "milliseconds") return ["number", "integer", "string"];
  switch (type.kind) {
    case "type":
      return ["object"];
    case "enum":
      return plan.as === undefined ? ["string"] : ["string", "boolean", "integer"];
    case "scalar": {
      const wanted = jsonTypeOf(type.name);
      return wanted === "number" ? ["number", "integer"] : [wanted];
    }
  }
}

/** How a number on the platform becomes what the field declares. */
function numberHint({ type }: FieldModel): string {
  return type.name === "timestamp"
    ? "`as: seconds` or `as: milliseconds` makes a timestamp of it"
    : "`as: string` makes a text of it";
}
