import type { OverflowPlan } from "../../runtime/contract/index.ts";
import type { ActionModel, EnumModel, ParamModel, TypeModel, TypeReference } from "../model/types.ts";
import type { InterfaceDeclaration, TypeAliasDeclaration } from "../print/content.ts";
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

const doc = (text: string) => [{ description: commentText(text) }];

export function enumDeclaration(one: EnumModel): TypeAliasDeclaration {
  return {
    kind: "TypeAlias",
    name: one.name,
    isExported: true,
    docs: doc(one.doc),
    type: one.values.map((value) => JSON.stringify(value.value)).join(" | "),
  };
}

export function typeDeclaration(type: TypeModel, scope: DeclarationContext): InterfaceDeclaration {
  return {
    kind: "Interface",
    name: type.name,
    isExported: true,
    docs: doc(type.doc),
    properties: type.fields.map((field) => ({
      name: field.name,
      isReadonly: true,
      hasQuestionToken: field.onRequest,
      type: typeSource(field.type, scope),
      docs: doc(field.doc + (field.scope === undefined ? "" : ` Needs the scope \`${field.scope}\`.`)),
    })),
  };
}

export function paramsDeclaration(action: ActionModel, scope: DeclarationContext): InterfaceDeclaration {
  return {
    kind: "Interface",
    name: paramsName(action),
    isExported: true,
    properties: [
      ...action.params.map((param) => ({
        name: param.name,
        isReadonly: true,
        hasQuestionToken: !param.required,
        type: paramSource(param, scope),
        docs: doc(param.doc + bounds(param)),
      })),
      {
        name: "fields",
        isReadonly: true,
        hasQuestionToken: true,
        type: `readonly ${scope.module.use("FieldPath", scope.contract, "type")}[]`,
      },
    ],
  };
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

/** A constant as text. ts-morph would indent the lines of a structure's initializer once more, so it does not print constants. */
export function constant(name: string, type: string | undefined, value: string, documentation?: string): string {
  const comment = documentation === undefined ? "" : `/** ${commentText(documentation)} */\n`;
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
