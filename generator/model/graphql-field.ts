import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  TypeNameMetaFieldDef,
} from "graphql";
import { suggestion } from "../../runtime/base/suggestion.ts";
import type { Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import { type PathStep, type PlatformPath, parsePlatformPath } from "./platform-path.ts";

/** What a path leads to in the platform's schema, and the text that selects it. */
export interface SelectedPath {
  readonly before: string;
  readonly after: string;
  /** Dotted path of the value in the answer. */
  readonly read: string;
  readonly leaf: GraphQLNamedType;
  readonly nullable: boolean;
  readonly list: boolean;
  /** Dotted path of `hasNextPage`, where the path goes through `nodes` or `edges` of a connection. */
  readonly cut: string | undefined;
  /** Dotted path of the cursor of the next page, where it was requested and the platform has one. */
  readonly next: string | undefined;
}

interface Context {
  readonly schema: GraphQLSchema;
  readonly position: SourcePosition;
  readonly diagnostics: Diagnostics;
  readonly first: number | undefined;
  /** Whether the list is to be read to its end, so that the cursor of its next page is needed. */
  readonly toEnd?: boolean;
}

/**
 * Looks up a field's path in the schema and writes the selection of its value under the name `alias`. Alternatives whose types
 * differ get an alias each, because GraphQL does not allow two selections of one name with different types.
 *
 * @returns One selection per alternative; undefined, and reported, when the path does not exist.
 */
export function selectPath(text: string, alias: string, parent: string, context: Context): SelectedPath[] | undefined {
  const paths = parsePlatformPath(text);
  if (paths === undefined) {
    context.diagnostics.error(
      context.position,
      "SPEC007",
      `"${text}" is not a path`,
      "a path is names joined by dots, with `(arguments)` and `<Type>` behind a name where needed, or `<Type>` as the first",
    );
    return undefined;
  }
  const found = paths.map((path) => selectOne(path, alias, parent, context));
  if (found.some((one) => one === undefined)) return undefined;
  const shapes = new Set(found.map((one) => one?.shape));
  if (shapes.size <= 1) return found.filter((one) => one !== undefined);
  const apart = paths.map((path) => selectOne(path, `${alias}On${path.lead ?? path.steps[0]?.narrow ?? ""}`, parent, context));
  return apart.filter((one) => one !== undefined);
}

function selectOne(
  path: PlatformPath,
  alias: string,
  parentName: string,
  context: Context,
): (SelectedPath & { shape: string }) | undefined {
  const { schema, diagnostics, position } = context;
  const parent = schema.getType(parentName);
  if (parent === undefined || !isCompositeType(parent)) {
    diagnostics.error(
      position,
      "SPEC007",
      `the platform has no object type "${parentName}"`,
      suggestion(parentName, objectTypes(schema)),
      { loses: [{ kind: "platform type", name: parentName }] },
    );
    return undefined;
  }
  const lead = path.lead === undefined ? parent : narrowed(parent, path.lead, context);
  if (lead === undefined) return undefined;
  let before = path.lead === undefined ? "" : `... on ${path.lead}{`;
  let after = path.lead === undefined ? "" : "}";
  let nullable = path.lead !== undefined && path.lead !== parentName;
  let list = false;
  let cut: string | undefined;
  let next: string | undefined;
  let type: GraphQLNamedType = lead;
  let takesCursor = false;
  let shape = "";
  const keys: string[] = [];
  for (const [index, step] of path.steps.entries()) {
    const field = fieldOf(type, step, context);
    if (field === undefined) return undefined;
    if (!hasArguments(type, field, step, context)) return undefined;
    const key = index === 0 ? alias : step.name;
    const isConnectionList = (step.name === "nodes" || step.name === "edges") && index > 0;
    if (isConnectionList) {
      list = true;
      cut = [...keys, "pageInfo", "hasNextPage"].join(".");
      const goesOn = context.toEnd === true && takesCursor && hasEndCursor(type);
      if (goesOn) next = [...keys, "pageInfo", "endCursor"].join(".");
      after = `pageInfo{hasNextPage${goesOn ? " endCursor" : ""}}${after}`;
    } else {
      nullable ||= !isNonNullType(field.type);
      list ||= isListType(isNonNullType(field.type) ? field.type.ofType : field.type);
    }
    const args = argumentsText(step, path.steps[index + 1], context);
    const last = index === path.steps.length - 1;
    const opens = !last || isCompositeType(getNamedType(field.type));
    before += `${key === step.name ? "" : `${key}:`}${step.name}${args}${opens ? "{" : ""}`;
    after = `${opens ? "}" : ""}${after}`;
    keys.push(key);
    takesCursor = field.args.some((arg) => arg.name === "after");
    type = getNamedType(field.type);
    shape = shapeOf(field.type);
    if (step.narrow !== undefined) {
      const narrow = narrowed(type, step.narrow, context);
      if (narrow === undefined) return undefined;
      nullable ||= type.name !== step.narrow;
      type = narrow;
      before += `... on ${step.narrow}{`;
      after = `}${after}`;
    }
  }
  return { before, after, read: keys.join("."), leaf: type, nullable, list, cut, next, shape };
}

/** Whether a connection says where its next page begins. */
function hasEndCursor(connection: GraphQLNamedType): boolean {
  const info = isObjectType(connection) ? getNamedType(connection.getFields()["pageInfo"]?.type) : undefined;
  return isObjectType(info) && Object.hasOwn(info.getFields(), "endCursor");
}

function fieldOf(type: GraphQLNamedType, step: PathStep, context: Context): GraphQLField<unknown, unknown> | undefined {
  const { diagnostics, position } = context;
  if (step.name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
  const field = Object.hasOwn(fields, step.name) ? fields[step.name] : undefined;
  if (field === undefined) {
    diagnostics.error(
      position,
      "SPEC007",
      `${type.name} has no field "${step.name}" on the platform`,
      suggestion(step.name, Object.keys(fields)),
      { says: `there is no field "${step.name}"` },
    );
    return undefined;
  }
  if (field.deprecationReason !== undefined && field.deprecationReason !== null)
    diagnostics.error(position, "SPEC008", `${type.name}.${step.name} is deprecated: ${field.deprecationReason}`);
  return field;
}

/** Checks the names of arguments here and not only in documents, so that a wrong one is reported at the field. */
function hasArguments(
  type: GraphQLNamedType,
  field: GraphQLField<unknown, unknown>,
  step: PathStep,
  { diagnostics, position }: Context,
): boolean {
  const known = field.args.map(({ name }) => name);
  // Braces hold an input object, whose keys are no arguments.
  const names = [...step.args.replace(/\{[^{}]*\}/g, "").matchAll(/(\w+)\s*:/g)].map(([, name = ""]) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    diagnostics.error(
      position,
      "SPEC007",
      `${type.name}.${step.name} has no argument "${unknown}" on the platform`,
      suggestion(unknown, known),
    );
  return unknown === undefined;
}

function narrowed(type: GraphQLNamedType, name: string, context: Context): GraphQLNamedType | undefined {
  const { schema, diagnostics, position } = context;
  const target = schema.getType(name);
  if (target === undefined || !isCompositeType(target)) {
    diagnostics.error(position, "SPEC007", `the platform has no object type "${name}"`, suggestion(name, objectTypes(schema)), {
      loses: [{ kind: "platform type", name }],
    });
    return undefined;
  }
  if (!isCompositeType(type) || !overlap(schema, type, target)) {
    diagnostics.error(position, "SPEC007", `a ${type.name} is never a ${name}`);
    return undefined;
  }
  return target;
}

/** Names of the types that have fields, without those that describe the schema itself. */
function objectTypes(schema: GraphQLSchema): string[] {
  const types = Object.values(schema.getTypeMap()).filter((type) => isCompositeType(type) && !type.name.startsWith("__"));
  return types.map((type) => type.name);
}

function overlap(schema: GraphQLSchema, a: GraphQLNamedType, b: GraphQLNamedType): boolean {
  const possible = (type: GraphQLNamedType) =>
    isAbstractType(type) ? schema.getPossibleTypes(type).map((one) => one.name) : [type.name];
  const ofB = new Set(possible(b));
  return possible(a).some((name) => ofB.has(name));
}

/** A connection that is read through `nodes` takes `first` from the field entry. */
function argumentsText(step: PathStep, next: PathStep | undefined, context: Context): string {
  const throughNodes = next?.name === "nodes" || next?.name === "edges";
  const first = throughNodes ? `first:${context.first ?? 0}` : "";
  if (throughNodes && context.first === undefined)
    context.diagnostics.error(
      context.position,
      "SPEC016",
      `a list through "${step.name}.${next.name}" needs \`first\``,
      "say how many elements to read at most",
    );
  const args = [first, step.args.trim()].filter((text) => text !== "").join(",");
  return args === "" ? "" : `(${args})`;
}

/** What must be equal for two selections of one response name (GraphQL, 5.3.2: SameResponseShape). */
function shapeOf(type: GraphQLOutputType): string {
  if (isNonNullType(type)) return `${shapeOf(type.ofType)}!`;
  if (isListType(type)) return `[${shapeOf(type.ofType)}]`;
  return isLeafType(type) ? type.name : "{}";
}

export function enumValues(type: GraphQLNamedType): string[] | undefined {
  return isEnumType(type) ? (type satisfies GraphQLEnumType).getValues().map((value) => value.name) : undefined;
}
