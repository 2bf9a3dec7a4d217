import { type GraphQLSchema, isCompositeType } from "graphql";
import type { Conversion, FieldPlan } from "../../runtime/contract/index.ts";
import { fieldType, type SourcePosition } from "../diagnostic/diagnostic.ts";
import type { ConversionSpec, FieldSpec } from "../load/spec.ts";
import { checkType, type TypeContext } from "./field-type.ts";
import { type SelectedPath, selectPath } from "./graphql-field.ts";
import { reservedNames } from "./names.ts";
import { paramPlan } from "./param-field.ts";
import type { PlatformDescription } from "./platform-description.ts";
import { searchField } from "./search.ts";
import { parseType, typeText } from "./type-reference.ts";
import { type FieldModel, isOpen, type TypeLookup, type TypeReference } from "./types.ts";

export interface FieldContext extends TypeContext {
  readonly typeOf: TypeLookup;
  readonly platform: PlatformDescription;
}

/**
 * Builds and checks one field.
 *
 * @param spec The field's entry, with the shared entry of the same name merged in.
 * @param on Platform type of the record that the field belongs to; undefined in the answer of a REST call.
 * @returns undefined when the entry is too wrong to be used; the diagnostics say why.
 */
export function buildField(
  name: string,
  spec: FieldSpec,
  on: string | undefined,
  at: (key?: string) => SourcePosition,
  context: FieldContext,
): FieldModel | undefined {
  const { diagnostics } = context;
  if (reservedNames.includes(name))
    diagnostics.error(at(), "SPEC010", `"${name}" cannot be the name of a field, because every JavaScript object has it`);
  if (spec.type === undefined || spec.doc === undefined) {
    diagnostics.error(
      at(),
      "SPEC003",
      `field "${name}" has no \`${spec.type === undefined ? "type" : "doc"}\`, and connector.yaml has no shared field of this name`,
      undefined,
      { lacks: [{ kind: "shared field", name }], unusable: true, ...((spec.type ?? spec.doc) ? {} : { bare: true as const }) },
    );
    return undefined;
  }
  const type = parseType(spec.type, context.names, at("type"), diagnostics);
  if (type === undefined) return undefined;
  if (spec.semantic !== undefined && (type.name !== "string" || type.list))
    diagnostics.error(at("semantic"), "SPEC016", `field "${name}" is not text, so it cannot be searched by meaning`, undefined, {
      lacks: [fieldType(name)],
    });
  const isRestUrl = typeof spec.as === "object" && "restUrl" in spec.as;
  if (spec.cut !== undefined && (spec.first !== undefined || spec.param !== undefined || type.kind === "type" || isRestUrl))
    diagnostics.error(at("cut"), "SPEC016", `field "${name}" is not a single value of the platform, so \`cut\` has no effect`);
  checkConversion(name, spec.as, type, at, context);
  const before = diagnostics.reported;
  const plan = planOf(name, spec, type, on, at, context);
  if (spec.first !== undefined && !/\.(nodes|edges)\b/.test(spec.from ?? "") && diagnostics.reported === before)
    diagnostics.error(at("first"), "SPEC016", `field "${name}" does not read a connection, so \`first\` has no effect`);
  if (plan === undefined) return undefined;
  const values = type.kind === "enum" && plan.param === undefined ? context.enumOf(type.name)?.values : undefined;
  return {
    name,
    doc: spec.doc,
    type,
    search: searchField(
      { name, type, search: spec.search, example: spec.example, ofParam: spec.param !== undefined },
      context,
      at,
      diagnostics,
    ),
    ...(spec.semantic === undefined ? {} : { semantic: spec.semantic }),
    onRequest: spec.onRequest ?? false,
    ...(spec.scope === undefined ? {} : { scope: spec.scope }),
    ...(spec.example === undefined ? {} : { example: spec.example }),
    plan: {
      ...plan,
      ...valueKind(type, plan),
      ...(values === undefined ? {} : { values: values.map(({ value }) => value) }),
      ...(spec.onRequest ? { onRequest: true as const } : {}),
    },
  };
}

/** Conversions that make one text of several values. */
const textKinds: readonly string[] = ["text", "html", "markdown"];

/** Types that a conversion makes, where that does not depend on the platform. */
const converted: Readonly<Record<string, readonly string[]>> = {
  id: ["id", "string"],
  text: ["string"],
  html: ["string"],
  markdown: ["string"],
};

function checkConversion(
  name: string,
  as: ConversionSpec | undefined,
  type: TypeReference,
  at: (key?: string) => SourcePosition,
  { diagnostics }: FieldContext,
): void {
  if (typeof as !== "string") return;
  const wrong = (message: string) =>
    diagnostics.error(at("as"), "SPEC016", `field "${name}" ${message}`, undefined, { loses: [fieldType(name)], entry: at() });
  const made = converted[as];
  if (made !== undefined && !made.includes(type.name))
    wrong(`is ${typeText(type)}, but \`as: ${as}\` makes ${made.join(" or ")}`);
  if (as !== "expanded") return;
  if (type.kind !== "type" && type.name !== "object") wrong("is not an object, so the platform cannot give it expanded");
  else if (!type.nullable || type.list)
    wrong(`needs a type that allows null: with \`as: expanded\` it is null where the platform gave only the id`);
}

/** What the platform gives for a field that is neither any text nor an object. */
function valueKind({ kind, name }: TypeReference, { param }: FieldPlan): Pick<FieldPlan, "is"> {
  if (kind !== "scalar" || param !== undefined) return {};
  if (name === "timestamp" || name === "date") return { is: "timestamp" };
  return name === "integer" || name === "number" || name === "boolean" || name === "json" ? { is: name } : {};
}

function planOf(
  name: string,
  spec: FieldSpec,
  type: TypeReference,
  on: string | undefined,
  at: (key?: string) => SourcePosition,
  context: FieldContext,
): FieldPlan | undefined {
  const open = isOpen(type) ? { open: true as const } : {};
  const list = type.list ? { list: type.nullable ? ("nullable" as const) : ("empty" as const) } : {};
  if (spec.param !== undefined) return paramFieldPlan(name, spec.param, type, at("param"), context);
  if (on === undefined) {
    const cut = spec.cut === undefined ? {} : { cut: spec.cut };
    if (spec.from?.includes("[]") === true && !type.list && !textKinds.includes(String(spec.as)))
      context.diagnostics.error(
        at("from"),
        "SPEC016",
        `"${spec.from}" leads to a value in each element of a list, but field "${name}" is one value`,
        `write the type as a list, or make a text of the values with \`as: ${textKinds.join("`, `")}\``,
      );
    const always = type.nullable || type.list ? {} : { always: true as const };
    return { read: spec.from ?? name, ...always, ...list, ...cut, ...open, ...conversionPlan(spec.as) };
  }
  if (typeof spec.as === "object" && "restUrl" in spec.as) return restUrlPlan(name, spec.as.restUrl, on, at("as"), context);
  const schema = context.platform.graphql;
  if (schema === undefined) {
    const message = `the connector has no GraphQL API, which \`on: ${on}\` reads`;
    if (!context.diagnostics.has("SPEC016", "the connector has no GraphQL API, which"))
      context.diagnostics.error(at(), "SPEC016", message, "`platform.graphql` describes it; records of REST have no `on`");
    return undefined;
  }
  const position = spec.from === undefined ? at() : at("from");
  const selected = selectPath(spec.from ?? name, name, on, {
    schema,
    position,
    diagnostics: context.diagnostics,
    first: spec.first,
    toEnd: type.list && spec.search !== undefined && spec.search !== "none",
  });
  const [first] = selected ?? [];
  if (selected === undefined || first === undefined) return undefined;
  for (const one of selected) checkType(name, spec, type, one, at, context);
  if (type.kind !== "type" && selected.some((one) => isCompositeType(one.leaf))) return undefined;
  const cut = spec.cut === undefined ? undefined : cutPath(spec.cut, name, on, schema, at("cut"), context);
  const reads = [...new Set(selected.map((one) => one.read))];
  const shared = {
    read: reads.length === 1 ? (reads[0] ?? name) : reads,
    ...list,
    ...(first.cut === undefined ? {} : { cut: first.cut }),
    ...(first.next === undefined || reads.length > 1 ? {} : { next: first.next }),
    ...(cut === undefined ? {} : { cut: cut.read }),
    ...conversionPlan(spec.as),
  };
  const all = cut === undefined ? selected : [...selected, cut];
  if (type.kind !== "type") return { select: all.map((one) => one.before + one.after).join(" "), ...shared, ...open };
  return {
    select: selected.flatMap((one, index) => [
      (selected[index - 1]?.after ?? "") + one.before,
      ...(index === selected.length - 1 ? [one.after] : []),
    ]),
    ...shared,
  };
}

/** Selects the boolean that says whether the platform cut a value, under a name of its own. */
function cutPath(
  text: string,
  name: string,
  on: string,
  schema: GraphQLSchema,
  position: SourcePosition,
  { diagnostics }: FieldContext,
): SelectedPath | undefined {
  const [found, ...more] = selectPath(text, `${name}Cut`, on, { schema, position, diagnostics, first: undefined }) ?? [];
  if (more.length > 0)
    diagnostics.error(position, "SPEC016", `\`cut\` of field "${name}" must be one path, not several alternatives`);
  if (found !== undefined && (found.leaf.name !== "Boolean" || found.list))
    diagnostics.error(
      position,
      "SPEC006",
      `\`cut\` of field "${name}" leads to ${found.list ? "a list" : found.leaf.name}, not to a Boolean`,
    );
  return found;
}

function paramFieldPlan(
  name: string,
  text: string,
  type: TypeReference,
  position: SourcePosition,
  context: FieldContext,
): FieldPlan {
  const param = paramPlan(text);
  if (type.list && type.nullable)
    context.diagnostics.error(
      position,
      "SPEC016",
      `field "${name}" is a list of a parameter's values, which is empty without one and never null`,
      `write ${typeText({ ...type, nullable: false })}`,
    );
  if (typeof param !== "string" && type.name !== "string")
    context.diagnostics.error(
      position,
      "SPEC016",
      `field "${name}" is made of parameters, so its type must be string, not ${typeText(type)}`,
    );
  return { param, ...(type.list ? { list: "empty" as const } : {}) };
}

/** An address of the REST API is made of several values, and each is selected under an alias of its own. */
function restUrlPlan(
  name: string,
  template: string,
  on: string,
  position: SourcePosition,
  context: FieldContext,
): FieldPlan | undefined {
  const schema = context.platform.graphql;
  if (schema === undefined) return undefined;
  const texts = template.split(/\{[^{}]*\}/);
  const paths = [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? "");
  const selected = paths.map(
    (path, index) =>
      selectPath(path, `${name}${index}`, on, { schema, position, diagnostics: context.diagnostics, first: undefined })?.[0],
  );
  if (selected.some((one) => one === undefined)) return undefined;
  const found = selected.filter((one) => one !== undefined);
  return {
    select: found.map((one) => one.before + one.after).join(" "),
    read: found.map((one) => one.read),
    as: { kind: "restUrl", template: texts },
  };
}

function conversionPlan(as: ConversionSpec | undefined): { as?: Conversion } {
  if (as === undefined) return {};
  if (typeof as === "string") return { as: { kind: as } };
  return "map" in as ? { as: { kind: "map", values: as.map } } : {};
}
