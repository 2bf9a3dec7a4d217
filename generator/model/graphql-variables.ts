import {
  type DocumentNode,
  type GraphQLInputField,
  type GraphQLInputFieldMap,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  type OperationDefinitionNode,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { pathKeys, type SentParam, type TextVariable, type VariablePlan } from "../../runtime/contract/index.ts";
import { paramType } from "../diagnostic/diagnostic.ts";
import type { ActionSpec, PageSpec } from "../load/spec.ts";
import { isOwnScalar } from "./field-type.ts";
import { reservedVariables } from "./names.ts";
import type { OperationContext } from "./operation-context.ts";
import { pageVariables, paging, sizeParamOf } from "./page.ts";
import { fieldParams } from "./param-field.ts";
import { typeText } from "./type-reference.ts";
import type { ParamModel } from "./types.ts";

/** Splits each computed variable, such as `{ref}:{path}`, into texts and names of parameters in turn. */
export function computedVariables(spec: ActionSpec, context: OperationContext): Record<string, TextVariable> {
  const result: Record<string, TextVariable> = {};
  const params = context.params.map(({ name }) => name);
  for (const [name, one] of Object.entries(spec.variables ?? {})) {
    const text = typeof one === "string" ? one : `{${one.from}}`;
    const template = text.split(/\{([^{}]*)\}/);
    for (const param of template.filter((_, index) => index % 2 === 1))
      if (!params.includes(param))
        context.diagnostics.error(
          context.at("variables", name),
          "SPEC003",
          `variable "${name}" uses the parameter "${param}", which the action does not have`,
          suggestion(param, params),
          { lacks: [{ kind: "parameter", name: param }], unbound: context.at() },
        );
    if (params.includes(name))
      context.diagnostics.error(context.at("variables", name), "SPEC010", `variable "${name}" has the name of a parameter`);
    result[name] = { template, ...(typeof one === "string" ? {} : { qualify: one.as.qualify }) };
  }
  return result;
}

/** Declares each variable with the type that the schema wants where the variable stands, and checks its parameter against that type. */
export function declareVariables(
  document: DocumentNode,
  computed: Readonly<Record<string, TextVariable>>,
  page: PageSpec,
  context: OperationContext,
): { document: DocumentNode; plain: string[]; computed: Record<string, VariablePlan> } | undefined {
  const { schema, diagnostics, at, wordAt } = context;
  const info = new TypeInfo(schema);
  const types = new Map<string, GraphQLInputType | undefined>();
  const starts = new Map<string, number | undefined>();
  const fallbacks = new Set<string>();
  visit(
    document,
    visitWithTypeInfo(info, {
      Variable: (node) => {
        types.set(node.name.value, info.getInputType() ?? types.get(node.name.value));
        if (!starts.has(node.name.value)) starts.set(node.name.value, node.loc?.start);
        if (info.getDefaultValue() !== undefined) fallbacks.add(node.name.value);
      },
    }),
  );
  const plain: string[] = [];
  const definitions: string[] = [];
  const inputs: Record<string, VariablePlan> = {};
  const unused = unusedParams(types, computed, page, context);
  for (const [name, type] of types) {
    if (reservedVariables.includes(name))
      diagnostics.error(
        wordAt(starts.get(name)),
        "SPEC010",
        `"$${name}" cannot be the name of a variable, because the GraphQL client takes it as an option`,
        `reserved: ${reservedVariables.join(", ")}`,
      );
    const ofPaging = Object.hasOwn(pageVariables, name) ? pageVariables[name] : undefined;
    const param = context.params.find((one) => one.name === name);
    if (ofPaging !== undefined) definitions.push(`$${name}:${ofPaging}`);
    else if (param === undefined && !Object.hasOwn(computed, name) && isInputObjectType(getNullableType(type))) {
      if (Object.keys(inputs).length > 0)
        diagnostics.error(
          wordAt(starts.get(name)),
          "SPEC012",
          `only one variable can take the parameters, but "$${name}" is the second`,
        );
      inputs[name] = { input: inputOf(getNullableType(type) as GraphQLInputObjectType, unused, context) };
      definitions.push(`$${name}:${String(type)}`);
    } else if (param === undefined && !Object.hasOwn(computed, name))
      diagnostics.error(
        wordAt(starts.get(name)),
        "SPEC003",
        `unknown variable "$${name}"`,
        suggestion(name, [...context.params.map((one) => one.name), ...Object.keys(computed)]),
        { lacks: [{ kind: "parameter", name }], unbound: at() },
      );
    else if (type !== undefined) {
      const given = param === undefined || param.required || param.default !== undefined;
      if (!given && isNonNullType(type) && !fallbacks.has(name))
        diagnostics.error(
          at("params", name),
          "SPEC006",
          `the platform requires "$${name}", but the parameter may be left out`,
          undefined,
          { unbound: at(), loses: [{ kind: "presence", name }] },
        );
      if (param !== undefined) {
        plain.push(name);
        checkParam(param, type, context);
      }
      definitions.push(`$${name}:${given ? String(type) : String(getNullableType(type))}`);
    }
  }
  for (const name of Object.keys(computed))
    if (!types.has(name))
      diagnostics.error(at("variables", name), "SPEC005", `variable "${name}" is never used`, undefined, {
        unused: { kind: "variable", name },
      });
  const keyword = context.writes ? "mutation" : "query";
  const [operation] = parse(definitions.length === 0 ? "query{__typename}" : `${keyword}(${definitions.join(",")}){__typename}`, {
    noLocation: true,
  }).definitions;
  const variableDefinitions = (operation as OperationDefinitionNode).variableDefinitions ?? [];
  return {
    plain,
    computed: { ...computed, ...inputs },
    document: visit(document, { OperationDefinition: (node) => ({ ...node, variableDefinitions }) }),
  };
}

/** Parameters that are neither a variable themselves nor a part of one, nor of the paging. */
function unusedParams(
  types: ReadonlyMap<string, unknown>,
  computed: Readonly<Record<string, TextVariable>>,
  page: PageSpec,
  { params, record }: OperationContext,
): ParamModel[] {
  const used = new Set<string>([...types.keys(), paging.cursorParam, sizeParamOf(page)]);
  for (const { template } of Object.values(computed)) for (const name of template) used.add(name);
  const onlyInRecord = new Set(record.fields.flatMap(fieldParams));
  return params.filter(({ name }) => !used.has(name) && !onlyInRecord.has(name));
}

/** Makes the parameters the fields of an input object, and checks them against its type. */
function inputOf(input: GraphQLInputObjectType, params: readonly ParamModel[], context: OperationContext): SentParam[] {
  const { diagnostics, at } = context;
  const given = new Set<string>();
  let hasStrays = context.wrong.length > 0;
  const sent = params.flatMap((param): SentParam[] => {
    const path = param.sentAs ?? param.name;
    const keys = pathKeys(path);
    let type: GraphQLInputType = input;
    for (const key of keys) {
      const named: GraphQLNamedType = getNamedType(type);
      const fields: GraphQLInputFieldMap = isInputObjectType(named) ? named.getFields() : {};
      const field: GraphQLInputField | undefined = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (field === undefined) {
        hasStrays = true;
        const place = param.sentAs === undefined ? at("params", param.name) : at("params", param.name, "name");
        diagnostics.error(
          place,
          "SPEC007",
          `${named.name} has no field "${key}" on the platform`,
          suggestion(key, Object.keys(fields)),
          { says: `there is no field "${key}"` },
        );
        return [];
      }
      type = field.type;
    }
    if (param.required) given.add(keys[0] ?? "");
    checkParam(param, type, context);
    return [path === param.name ? path : { param: param.name, name: path }];
  });
  // A parameter that is wrong or misspelled may be the one.
  for (const field of hasStrays ? [] : Object.values(input.getFields()))
    if (isRequiredInputField(field) && !given.has(field.name))
      diagnostics.error(
        at("params"),
        "SPEC006",
        `the platform requires "${field.name}" of ${input.name}, but the action has no required parameter of this name`,
        undefined,
        { lacks: [{ kind: "parameter", name: field.name }], unbound: at() },
      );
  return sent;
}

/** Checks a parameter against the type of the argument that it is given to. */
function checkParam(param: ParamModel, wanted: GraphQLInputType, context: OperationContext): void {
  const at = context.at("params", param.name);
  const type = getNullableType(wanted);
  const named = getNamedType(type);
  if (param.type.nullable && isNonNullType(wanted)) {
    context.diagnostics.error(
      at,
      "SPEC006",
      `parameter "${param.name}" may be null, but its argument has the type ${String(wanted)}`,
    );
    return;
  }
  if (param.type.list !== isListType(type) || !scalarFits(param, named, context.scalars)) {
    context.diagnostics.error(
      at,
      "SPEC006",
      `parameter "${param.name}" is ${typeText(param.type)}, but its argument has the type ${String(wanted)}`,
      undefined,
      {
        loses: [{ kind: "value", name: param.name }, paramType(param.name)],
        entry: at,
        ...(isOwnScalar(named) ? { scalar: { name: named.name, type: param.type.name } } : {}),
      },
    );
    return;
  }
  if (!isEnumType(named)) return;
  const known = named.getValues().map((value) => value.name);
  const unknown = context.enumOf(param.type.name)?.values.filter((one) => !known.includes(one.value)) ?? [];
  if (unknown.length > 0)
    context.diagnostics.error(
      at,
      "SPEC006",
      `parameter "${param.name}" can be ${unknown.map((one) => one.value).join(", ")}, which the platform does not take`,
      suggestion(unknown[0]?.value ?? "", known),
      { loses: [{ kind: "value", name: param.name }], strange: unknown.map((one) => one.value) },
    );
}

function scalarFits(param: ParamModel, named: GraphQLNamedType, scalars: Readonly<Record<string, string>>): boolean {
  if (param.type.kind === "enum" || isEnumType(named)) return param.type.kind === "enum" && isEnumType(named);
  switch (named.name) {
    case "Int":
      return param.type.name === "integer";
    case "Float":
      return param.type.name === "number" || param.type.name === "integer";
    case "Boolean":
      return param.type.name === "boolean";
    default:
      if (!isScalarType(named)) return false;
      if (Object.hasOwn(scalars, named.name)) return param.type.name === scalars[named.name];
      return ["string", "id", "timestamp", "date"].includes(param.type.name);
  }
}
