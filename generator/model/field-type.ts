import {
  type GraphQLNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isListType,
  isObjectType,
  isScalarType,
  specifiedScalarTypes,
} from "graphql";
import { nearest } from "../../runtime/base/nearest.ts";
import { type Diagnostics, type Facts, fieldType, type SourcePosition } from "../diagnostic/diagnostic.ts";
import type { ConversionSpec, FieldSpec } from "../load/spec.ts";
import { enumValues, type SelectedPath } from "./graphql-field.ts";
import { enumValuesOf, type Names, typeText } from "./type-reference.ts";
import type { EnumModel, TypeReference } from "./types.ts";

/** What is needed to check the type of a field. */
export interface TypeContext {
  readonly names: Names;
  readonly diagnostics: Diagnostics;
  readonly enumOf: (name: string) => EnumModel | undefined;
  /** Platform type that a type of the spec reads; undefined for answers of REST calls. */
  readonly onOf: (type: string) => string | undefined;
  /** What the spec says of the platform's own scalars. */
  readonly scalars: Readonly<Record<string, string>>;
}

/** Reports something about the type of a field. */
type WrongType = (message: string, hint?: string, code?: "SPEC006" | "SPEC021" | "SPEC022", facts?: Facts) => void;

export const lacksOn = (type: string): string =>
  `${type} is read by GraphQL, so it needs \`on\`: the type of the platform that its fields are read from`;

/** Whether a type is a page of a list (Relay's Cursor Connections). */
function isConnection(type: GraphQLNamedType): boolean {
  const nodes = isObjectType(type) ? type.getFields()["nodes"]?.type : undefined;
  return nodes !== undefined && isListType(getNullableType(nodes));
}

/** Checks the declared type against what the platform's schema says of the path. */
export function checkType(
  name: string,
  spec: FieldSpec,
  type: TypeReference,
  found: SelectedPath,
  at: (key?: string) => SourcePosition,
  { diagnostics, enumOf, names, onOf, scalars }: TypeContext,
): void {
  const wrong: WrongType = (message, hint, code = "SPEC006", facts = undefined) =>
    diagnostics.error(at("type"), code, `field "${name}" ${message}`, hint, {
      ...facts,
      loses: [fieldType(name), ...(facts?.loses ?? [])],
      entry: at(),
    });
  if (type.list && !found.list && isConnection(found.leaf)) {
    const hint = `\`from: ${spec.from ?? name}.nodes\` reads its elements`;
    wrong(`is a connection on the platform (${found.leaf.name})`, hint, undefined, {
      unusable: true,
      loses: [{ kind: "platform type", name: found.leaf.name }],
    });
    return;
  }
  if (found.list !== type.list) {
    wrong(`is ${found.list ? "a list" : "not a list"} on the platform, but declared as ${typeText(type)}`);
    return;
  }
  if (found.nullable && !type.nullable && !type.list)
    wrong("may be null on the platform", `write ${typeText({ ...type, nullable: true })}`);
  else if (!found.nullable && type.nullable)
    wrong("is never null on the platform", `write ${typeText({ ...type, nullable: false })}`, "SPEC022");
  if (type.kind === "type") {
    const on = onOf(type.name);
    if (on === undefined) diagnostics.error(names.positionOf(type.name) ?? at("type"), "SPEC016", lacksOn(type.name));
    else if (on !== found.leaf.name)
      wrong(`is a ${found.leaf.name} on the platform, but ${type.name} is read from ${on}`, undefined, undefined, {
        lacks: [{ kind: "platform type", name: on }],
        loses: [{ kind: "platform type", name: found.leaf.name }],
      });
  } else if (isCompositeType(found.leaf)) {
    const hint = "declare a type for it, or let `from` name one of its fields";
    wrong(`is an object on the platform (${found.leaf.name})`, hint, undefined, { unusable: true });
  } else if (type.kind === "enum") {
    const wrongMap = (message: string, hint: string) =>
      diagnostics.error(at("as"), "SPEC006", `field "${name}" ${message}`, hint);
    checkEnum(spec.as, enumOf(type.name), found.leaf, wrong, wrongMap);
  } else if (!scalarFits(type.name, spec.as, found.leaf, scalars)) {
    const hint = found.leaf.name === "Float" && type.name === "integer" ? "`as: integer` makes a whole number of it" : undefined;
    const scalar = spec.as === undefined && isOwnScalar(found.leaf) ? { name: found.leaf.name, type: type.name } : undefined;
    const unfit = typeof spec.as === "string" ? `of which \`as: ${spec.as}\` makes no` : "which is not";
    wrong(
      `has the type ${found.leaf.name} on the platform, ${unfit} ${type.name}`,
      hint,
      undefined,
      scalar === undefined ? undefined : { scalar },
    );
  }
}

function checkEnum(
  as: ConversionSpec | undefined,
  declared: EnumModel | undefined,
  leaf: GraphQLNamedType,
  wrong: WrongType,
  wrongMap: (message: string, hint: string) => void,
): void {
  const values = enumValues(leaf) ?? (leaf.name === "Boolean" ? ["true", "false"] : undefined);
  const map = typeof as === "object" && "map" in as ? as.map : {};
  const unmapped = values?.filter((value) => !Object.hasOwn(map, value)) ?? [];
  for (const key of Object.keys(map)) {
    const near = values?.includes(key) === false ? nearest(key, unmapped) : undefined;
    if (near === undefined) continue;
    wrongMap(`maps "${key}", which the platform never gives`, `did you mean "${near}"?`);
    return;
  }
  // A platform may give one of a few values as plain text, as GitHub does for TreeEntry.type. Then only the spec knows the values.
  if (values !== undefined)
    compareEnum(
      values.map((value) => converted(value, as)),
      declared,
      wrong,
    );
}

/** Compares the values of an enum with those that the platform gives. */
export function compareEnum(values: readonly string[], declared: EnumModel | undefined, wrong: WrongType): void {
  const known = declared?.values.map((one) => one.value) ?? [];
  const lost = (values: readonly string[]) => ({ loses: enumValuesOf(declared?.name ?? "", values) });
  const never = known.filter((value) => !values.includes(value));
  const others = values.filter((value) => !known.includes(value));
  // A value that is misspelled is missing too.
  const meant = never.map((value) => nearest(value, others));
  const missing = others.filter((value) => !meant.includes(value));
  if (missing.length > 0)
    wrong(
      `can be ${missing.join(", ")} on the platform, which the enum does not have`,
      "add it to the enum",
      "SPEC021",
      lost(missing),
    );
  const [near] = meant.filter((value) => value !== undefined);
  const isCase = never.some((value) => value !== near && value.toLowerCase() === near?.toLowerCase());
  const hint = isCase
    ? `the platform gives "${near}": \`as: lower\` and \`as: upper\` change the case`
    : near && `did you mean "${near}"?`;
  if (never.length > 0)
    wrong(`is never ${never.join(", ")} on the platform, although the enum has it`, hint, undefined, {
      strange: never,
      ...lost(others),
    });
}

function converted(value: string, as: ConversionSpec | undefined): string {
  if (typeof as !== "object") return convertedBy(value, as);
  return "map" in as ? convertedBy(value, "map", as.map) : value;
}

/** A value of an enum as a conversion gives it. */
export function convertedBy(value: string, kind: string | undefined, map: Readonly<Record<string, string>> = {}): string {
  if (kind === "lower") return value.toLowerCase();
  if (kind === "upper") return value.toUpperCase();
  return kind === "map" && Object.hasOwn(map, value) ? (map[value] ?? value) : value;
}

/** Whether a type is a scalar of the platform's own. */
export function isOwnScalar(leaf: GraphQLNamedType): boolean {
  return isScalarType(leaf) && !specifiedScalarTypes.some((one) => one.name === leaf.name);
}

/**
 * Whether a scalar of a GraphQL schema may be declared as a scalar of the spec language. Custom scalars are what the spec says of them, and
 * otherwise judged by their names.
 */
function scalarFits(
  declared: string,
  as: ConversionSpec | undefined,
  leaf: GraphQLNamedType,
  scalars: Readonly<Record<string, string>>,
): boolean {
  if (isEnumType(leaf)) return declared === "string";
  const isOwn = isOwnScalar(leaf);
  if (as === "integer") return declared === "integer" && (leaf.name === "Int" || leaf.name === "Float" || isOwn);
  if (as === "id" || as === "expanded") return false;
  if (as === "text" || as === "html" || as === "markdown") return declared === "string" && (isOwn || leaf.name === "String");
  if (as === "string") return declared === "string" || declared === "id";
  if (as === "seconds" || as === "milliseconds")
    return declared === "timestamp" && (isOwn || /^(Int|Float|String)$/.test(leaf.name));
  const scalar = Object.hasOwn(scalars, leaf.name) ? scalars[leaf.name] : undefined;
  if (scalar !== undefined) return declared === scalar || (declared === "json" && scalar === "object");
  switch (leaf.name) {
    case "ID":
      return declared === "id";
    case "Int":
      return declared === "integer";
    case "Float":
      return declared === "number";
    case "Boolean":
      return declared === "boolean";
    case "String":
      return declared === "string";
    case "Date":
      return declared === "date";
    default:
      return /time/i.test(leaf.name) ? declared === "timestamp" : ["string", "object", "json"].includes(declared);
  }
}
