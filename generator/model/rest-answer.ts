import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { pathKeys } from "../../runtime/contract/index.ts";
import { type DiagnosticCode, type Diagnostics, type Facts, fieldType, type SourcePosition } from "../diagnostic/diagnostic.ts";
import { compareEnum, convertedBy } from "./field-type.ts";
import {
  alternatives,
  elementSchema,
  isNullable,
  jsonTypeOf,
  jsonTypes,
  openSchemaAt,
  propertyNames,
  requiredNames,
  schemaAt,
} from "./json-schema.ts";
import type { JsonSchema, PlatformDescription } from "./platform-description.ts";
import { typeText } from "./type-reference.ts";
import type { EnumModel, FieldModel, TypeLookup, TypeModel, TypeReference } from "./types.ts";

/** What is needed to check the answer of a REST call. */
export interface AnswerContext {
  readonly platform: PlatformDescription;
  readonly diagnostics: Diagnostics;
  readonly typeOf: TypeLookup;
  readonly enumOf: (name: string) => EnumModel | undefined;
  /** Method and path of the call. */
  readonly call: string;
  /** What has been reported of answers: several calls may answer the same type, and its faults are reported for the first. */
  readonly reported: Set<string>;
  /** Position of the action. */
  readonly at: () => SourcePosition;
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
  const wrong = (
    code: DiagnosticCode,
    message: (answer: string, type: string) => string,
    key?: string,
    hint?: string,
    facts?: Facts,
  ) => {
    const fault = [code, type.name, field.name, key].join();
    const text = message(`the response of ${context.call}`, type.name);
    const says = message("a response", "a type");
    if (!context.reported.has(fault))
      diagnostics.error(context.fieldAt(type, field.name, key), code, text, hint, {
        says,
        ...facts,
        ...(key === "type" || key === "as" ? { entry: context.fieldAt(type, field.name) } : {}),
        loses: [...(key === "type" ? [fieldType(field.name)] : []), ...(facts?.loses ?? [])],
      });
    context.reported.add(fault);
  };
  const { cut } = field.plan;
  const flag = cut === undefined ? undefined : schemaAt(answer, pathKeys(cut), platform);
  if (cut !== undefined && (flag === undefined || !alternatives(flag, platform).flatMap(jsonTypes).includes("boolean")))
    wrong(
      "SPEC007",
      (answer, of) => `${answer} has no boolean "${cut}", which \`cut\` of field "${field.name}" of ${of} names`,
      "cut",
    );
  const path = typeof field.plan.read === "string" ? field.plan.read : field.name;
  const found = openSchemaAt(answer, pathKeys(path.replaceAll("[]", "[0]")), platform);
  if (found === undefined) {
    const hint = path.includes(".") ? undefined : suggestion(path, propertyNames(answer, platform));
    wrong("SPEC007", (answer, of) => `${answer} has no "${path}", which field "${field.name}" of ${of} reads`, undefined, hint, {
      lacks: [{ kind: "path", name: path }],
      // Several that are not misspelled are missing because the record is of another type.
      ...(nearest(path, propertyNames(answer, platform)) === undefined ? { partOf: context.at() } : {}),
    });
    return undefined;
  }
  const { schema, named } = found;
  const options = alternatives(schema, platform);
  if (isNullable(options) && !field.type.nullable && !field.type.list)
    wrong(
      "SPEC006",
      (answer, of) => `field "${field.name}" of ${of} may be null in ${answer}`,
      "type",
      `write ${typeText({ ...field.type, nullable: true })}`,
    );
  else if (
    !field.type.nullable &&
    !field.type.list &&
    !path.includes("[]") &&
    (!named || mayBeMissing(answer, pathKeys(path), platform))
  )
    wrong(
      "SPEC006",
      (answer, of) => `field "${field.name}" of ${of} may be missing in ${answer}`,
      "type",
      `write ${typeText({ ...field.type, nullable: true })}`,
    );
  const { as } = field.plan;
  if ((as?.kind === "seconds" || as?.kind === "milliseconds") && field.type.name !== "timestamp")
    wrong(
      "SPEC006",
      (_, of) => `\`as: ${as.kind}\` makes a timestamp, which field "${field.name}" of ${of} is not`,
      "type",
      "write timestamp",
    );
  const wanted = wantedTypes(path.includes("[]") ? { ...field, type: { ...field.type, list: false } } : field);
  const given = [...new Set(options.flatMap(jsonTypes))].filter((one) => one !== "null");
  const fits = given.some((one) => wanted.includes(one));
  if (given.length === 0 || fits) {
    const others = given.filter((one) => !wanted.includes(one));
    if (as === undefined && others.includes("object") && !wanted.includes("object"))
      wrong(
        "SPEC006",
        (answer, of) => `field "${field.name}" of ${of} may be an object in ${answer}`,
        "type",
        "`as: id` gives the id of the object, and `as: expanded` the object",
      );
    const problem = finer(field, schema, platform);
    if (problem !== undefined)
      wrong("SPEC006", (answer, of) => `field "${field.name}" of ${of} ${problem[0]}, in ${answer}`, "type", problem[1]);
    const values = field.type.kind === "enum" ? valuesOf(field, schema, platform) : undefined;
    if (values !== undefined)
      compareEnum(values, context.enumOf(field.type.name), (problem, hint, code, facts) =>
        wrong(code ?? "SPEC006", (_, of) => `field "${field.name}" of ${of} ${problem}`, "type", hint, facts),
      );
    return schema;
  }
  const hint =
    wanted.includes("string") && given.some((one) => one === "integer" || one === "number") ? numberHint(field) : undefined;
  wrong(
    "SPEC006",
    (answer, of) => `field "${field.name}" of ${of} is ${given.join(" or ")} in ${answer}, not ${wanted[0]}`,
    "type",
    hint,
  );
  return undefined;
}

/** The values of an enum, as their conversion gives them. Undefined where the description allows others. */
function valuesOf(
  { type, plan: { as } }: FieldModel,
  schema: JsonSchema,
  platform: PlatformDescription,
): readonly string[] | undefined {
  const element = type.list ? elementSchema(schema, platform) : schema;
  const options = element === undefined ? [] : alternatives(element, platform);
  const lists = options.map((one) => (one["const"] === undefined ? one["enum"] : [one["const"]]));
  const isOpen = options.some((one, index) => jsonTypes(one).some((name) => name !== "null") && !Array.isArray(lists[index]));
  const values = lists.flatMap((one) => (Array.isArray(one) ? (one as unknown[]) : [])).filter((one) => one !== null);
  if (isOpen || values.length === 0) return undefined;
  return [...new Set(values.map(String))].map((value) =>
    convertedBy(value, as?.kind, as?.kind === "map" ? as.values : undefined),
  );
}

/**
 * Whether a response may leave out what a path leads to. Many descriptions say of no member that it is required; only one that says it of
 * others is taken at its word.
 */
function mayBeMissing(answer: JsonSchema, keys: readonly string[], platform: PlatformDescription): boolean {
  let here: JsonSchema | undefined = answer;
  for (const key of keys) {
    if (here === undefined) return false;
    if (requiredNames(here, platform)?.has(key) === false && propertyNames(here, platform).includes(key)) return true;
    here = schemaAt(here, [key], platform);
  }
  return false;
}

/** What is wrong with a field whose JSON type is right: the elements of a list, or a date in the place of a time. */
function finer(
  { type, plan }: FieldModel,
  schema: JsonSchema,
  platform: PlatformDescription,
): readonly [problem: string, hint?: string] | undefined {
  if (plan.as !== undefined) return undefined;
  const element = type.list ? elementSchema(schema, platform) : undefined;
  const options = element === undefined ? (type.list ? [] : alternatives(schema, platform)) : alternatives(element, platform);
  if (element !== undefined) {
    const given = [...new Set(options.flatMap(jsonTypes))].filter((one) => one !== "null");
    const wanted = wantedTypes({ type: { ...type, list: false }, plan } as FieldModel);
    if (given.length > 0 && !given.some((one) => wanted.includes(one)))
      return [`is a list of ${given.join(" or ")}`, `declared as ${typeText(type)}`];
  }
  return otherDate(type, options);
}

/** A date where a date with a time is declared, or the other way round. */
export function otherDate(
  type: TypeReference,
  options: readonly JsonSchema[],
): readonly [problem: string, hint: string] | undefined {
  const formats = options.map((one) => one["format"]);
  if (type.name === "timestamp" && formats.includes("date") && !formats.includes("date-time"))
    return ["is a date without a time on the platform", `write ${typeText({ ...type, name: "date" })}`];
  if (type.name === "date" && formats.includes("date-time") && !formats.includes("date"))
    return ["is a date with a time on the platform", `write ${typeText({ ...type, name: "timestamp" })}`];
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
      if (type.name === "json") return ["object", "array", "string", "number", "integer", "boolean"];
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
