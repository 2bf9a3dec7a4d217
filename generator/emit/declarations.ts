import type { OverflowPlan } from "../../runtime/contract/index.ts";
import type { ActionModel, EnumModel, ParamModel, TypeModel, TypeReference } from "../model/types.ts";
import { commentText } from "../print/doc.ts";
import { Code, literal } from "../print/literal.ts";
import type { Module } from "../print/module.ts";
import { paramsName, planName } from "../print/names.ts";

/**
 * Module from which generated code imports the public contract.
 *
 * @param depth how many folders the importing file is below the folder of all generated code
 */
export function contractModule(library: string | undefined, depth = 1): string {
  return library === undefined ? `${"../".repeat(depth + 1)}runtime/contract/public.ts` : `${library}/contract`;
}

/** What the declarations of a module need to know of other modules. */
export interface DeclarationContext {
  readonly module: Module;
  /** Module specifier of the contract. */
  readonly contract: string;
  /** Module specifier of the file that declares a name; undefined when it is this one. */
  readonly importOf: (name: string) => string | undefined;
  readonly typeOf: (name: string) => TypeModel | undefined;
}

/** A comment above a declaration, on a line of its own. */
const docLine = (text: string, indent = "") => `${indent}/** ${commentText(text)} */\n`;

export function enumDeclaration(one: EnumModel): string {
  const values = one.values.map((value) => JSON.stringify(value.value)).join(" | ");
  return `${docLine(one.doc)}export type ${one.name} = ${values};`;
}

export function typeDeclaration(type: TypeModel, scope: DeclarationContext): string {
  const properties = type.fields.map((field) => {
    const needs = field.scope === undefined ? "" : ` Needs the scope \`${field.scope}\`.`;
    return property(field.name, field.onRequest, typeSource(field.type, scope), field.doc + needs);
  });
  return `\n${docLine(type.doc)}${interfaceText(type.name, properties)}`;
}

export function paramsDeclaration(action: ActionModel, scope: DeclarationContext): string {
  const properties = action.params.map((param) =>
    property(param.name, !param.required, paramSource(param, scope), param.doc + bounds(param)),
  );
  const fields = property("fields", true, `readonly ${scope.module.use("FieldPath", scope.contract, "type")}[]`);
  return `\n${interfaceText(paramsName(action), [...properties, fields])}`;
}

function interfaceText(name: string, properties: readonly string[]): string {
  return `export interface ${name} {\n${properties.join("")}}\n`;
}

function property(name: string, isOptional: boolean, type: string, doc?: string): string {
  return `${doc === undefined ? "" : docLine(doc, "  ")}  readonly ${name}${isOptional ? "?" : ""}: ${type};\n`;
}

/** The type of a parameter: of an object with members, what each of them is. */
function paramSource(param: ParamModel, scope: DeclarationContext): string {
  if (param.members === undefined) return typeSource(param.type, scope);
  const members = param.members.map((one) => `readonly ${one.name}${one.required ? "" : "?"}: ${paramSource(one, scope)}`);
  const { list, nullable } = param.type;
  return `${list ? "readonly " : ""}{ ${members.join("; ")} }${list ? "[]" : ""}${nullable ? " | null" : ""}`;
}

/** Default and range of a parameter as text for its docs: ` Default 30. 1 to 100.` */
function bounds(param: ParamModel): string {
  const fallback = typeof param.default === "string" ? `\`${param.default}\`` : String(param.default);
  return `${param.default === undefined ? "" : ` Default ${fallback}.`}${range(param)}`;
}

/** Range of a parameter as text for its docs: ` 1 to 100.` */
export function range({ range }: ParamModel): string {
  return range === undefined || range[1] >= 2147483647 ? "" : ` ${range[0]} to ${range[1]}.`;
}

/** @param overflow how the rest of its searchable lists is read */
export function planDeclaration(type: TypeModel, scope: DeclarationContext, overflow?: OverflowPlan): string {
  const fields = Object.fromEntries(
    type.fields.map((field) => {
      const inner = field.type.kind === "type" ? scope.typeOf(field.type.name) : undefined;
      const of =
        inner === undefined ? {} : { of: new Code(`() => ${useName(planName(inner), field.type.name, "value", scope)}`) };
      return [field.name, { ...field.plan, ...of }];
    }),
  );
  const plan = scope.module.use("RecordPlan", scope.contract, "type");
  return constant(planName(type), plan, literal({ name: type.name, on: type.on, brief: type.brief, fields, overflow }));
}

/** A constant as text. */
export function constant(name: string, type: string | undefined, value: string, documentation?: string): string {
  const comment = documentation === undefined ? "" : docLine(documentation);
  return `\n${comment}export const ${name}${type === undefined ? "" : `: ${type}`} = ${value};`;
}

function typeSource(type: TypeReference, scope: DeclarationContext): string {
  const element = type.kind === "scalar" ? scalarSource(type.name) : useName(type.name, type.name, "type", scope);
  return `${type.list ? `readonly ${element.includes(" ") ? `(${element})` : element}[]` : element}${type.nullable ? " | null" : ""}`;
}

/**
 * Imports a name when another module declares it, and gives the name.
 *
 * @param owner The type or enum whose module declares `name`. A plan is declared where its type is.
 */
export function useName(name: string, owner: string, how: "type" | "value", scope: DeclarationContext): string {
  const from = scope.importOf(owner);
  return from === undefined ? name : scope.module.use(name, from, how);
}

function scalarSource(name: string): string {
  switch (name) {
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "json":
      return "unknown";
    case "object":
      return "Readonly<Record<string, unknown>>";
    default:
      return "string";
  }
}
