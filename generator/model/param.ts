import { isObject } from "../../runtime/base/is-object.ts";
import { dryRunParam } from "../../runtime/contract/index.ts";
import { type Diagnostics, type Facts, paramType, type SourcePosition } from "../diagnostic/diagnostic.ts";
import type { ParamSpec } from "../load/spec.ts";
import { hasPlace } from "./literal.ts";
import { reservedNames } from "./names.ts";
import { type Names, parseType } from "./type-reference.ts";
import type { EnumModel, ParamModel, TypeReference } from "./types.ts";

/** JSON Schema of a value, with the vocabulary of 2020-12. */
export type ValueSchema = Record<string, unknown>;

/** Builds and checks one parameter. Its shared entry is already merged in. Undefined when it is too wrong to be used. */
export function buildParam(
  name: string,
  spec: ParamSpec,
  at: (...keys: string[]) => SourcePosition,
  names: Names,
  diagnostics: Diagnostics,
  shared: (name: string, own: ParamSpec | null) => ParamSpec = (_, own) => own ?? {},
): ParamModel | undefined {
  if (reservedNames.includes(name))
    diagnostics.error(at(), "SPEC010", `"${name}" cannot be the name of a parameter, because every JavaScript object has it`);
  if (name === "fields" || name === dryRunParam)
    diagnostics.error(at(), "SPEC010", `"${name}" cannot be the name of a parameter, because every action has one of this name`);
  if (spec.type === undefined || spec.doc === undefined) {
    diagnostics.error(
      at(),
      "SPEC003",
      `parameter "${name}" has no \`${spec.type === undefined ? "type" : "doc"}\`, and connector.yaml has no shared parameter of this name`,
      undefined,
      {
        lacks: [{ kind: "shared parameter", name }],
        unusable: true,
        ...((spec.type ?? spec.doc) ? {} : { bare: true as const }),
      },
    );
    return undefined;
  }
  const file = spec.type === "file";
  const type = parseType(file ? "object" : spec.type, names, at("type"), diagnostics);
  if (type === undefined) return undefined;
  if (type.name === "json") {
    diagnostics.error(
      at("type"),
      "SPEC016",
      `parameter "${name}" is of any form, so nothing of it can be checked`,
      "write `object`, or a param for each form",
      { unusable: true },
    );
    return undefined;
  }
  if (spec.required === true && spec.default !== undefined)
    diagnostics.error(at("default"), "SPEC016", `parameter "${name}" is required, so its default is never used`);
  checkBounds(name, spec, type, at, diagnostics);
  if (spec.members !== undefined && type.name !== "object")
    diagnostics.error(at("members"), "SPEC016", `parameter "${name}" is not an object, so \`members\` has no effect`, undefined, {
      lacks: [paramType(name)],
    });
  if (file && spec.members !== undefined)
    diagnostics.error(at("members"), "SPEC016", `parameter "${name}" is a file, so \`members\` has no effect`);
  const members = Object.entries(file ? fileMembers : (spec.members ?? {})).flatMap(
    // The members of a file are always the same. Shared params of their names are something else.
    ([key, own]) =>
      buildParam(
        key,
        file ? (own ?? {}) : shared(key, own),
        (...keys) => at("members", key, ...keys),
        names,
        diagnostics,
        shared,
      ) ?? [],
  );
  checkTemplate(name, spec, type, at, diagnostics);
  const { required, default: fallback, range, length, excludes, items, name: sentAs, as } = spec;
  const ofMembers = file ? Object.fromEntries(members.map((one) => [one.name, one.example])) : undefined;
  const example = spec.example === undefined ? ofMembers : spec.example;
  return {
    name,
    doc: spec.doc,
    type,
    ...(sentAs === undefined || sentAs === name ? {} : { sentAs }),
    required: required ?? false,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(range === undefined ? {} : { range }),
    ...(length === undefined ? {} : { length }),
    ...(excludes === undefined ? {} : { excludes }),
    ...(items === undefined ? {} : { items }),
    ...(members.length === 0 ? {} : { members }),
    ...(file
      ? { file: true as const, members: members.map((one) => (one.name === "content" ? { ...one, base64: true as const } : one)) }
      : {}),
    ...(as === undefined ? {} : { as }),
    ...(example === undefined ? {} : { example }),
  };
}

/** What a caller gives for a file. Its content in base64 is a third longer than the file, and a request may have 1 MiB. */
const fileMembers: Readonly<Record<string, ParamSpec>> = {
  name: { type: "string", required: true, length: [1, 255], doc: "Name of the file.", example: "notes.txt" },
  content: { type: "string", required: true, length: [0, 1_000_000], doc: "Content in base64.", example: "SGVsbG8=" },
  contentType: {
    type: "string",
    length: [3, 127],
    excludes: "\r\n",
    doc: "Media type. Default: `application/octet-stream`.",
    example: "text/plain",
  },
};

/** Checks that a text stands somewhere in the document that is sent for it, and a line only in an element of a list. */
function checkTemplate(
  name: string,
  { as }: ParamSpec,
  type: TypeReference,
  at: (...keys: string[]) => SourcePosition,
  diagnostics: Diagnostics,
): void {
  if (as === undefined) return;
  // What the call takes is not a text either.
  const facts: Facts | undefined = typeof as === "string" ? { loses: [{ kind: "value", name }] } : undefined;
  const wrong = (message: string, hint?: string) =>
    diagnostics.error(at("as", ...innermost(as)), "SPEC016", message, hint, facts);
  if (type.list || type.name !== "string")
    diagnostics.error(at("as"), "SPEC016", `parameter "${name}" is not one text, so \`as\` has no effect`, undefined, {
      ...facts,
      lacks: [paramType(name)],
    });
  else if (!hasPlace(as))
    wrong(
      `\`as\` of parameter "${name}" has no place for the text`,
      "`{text}` is the text, `{line}` each of its lines, `{html}` the text as HTML",
    );
  else if (JSON.stringify(as, (_, one: unknown) => (Array.isArray(one) ? null : one)).includes("{line}"))
    wrong(`\`as\` of parameter "${name}" has \`{line}\` outside a list`, "an element of a list is sent for each line");
}

/** The keys that lead into a value as long as one of its members alone has members. What is wrong inside may be written at an anchor. */
function innermost(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const [[key, inner] = [], ...others] = Object.entries(value).filter(([, one]) => typeof one === "object");
  return key === undefined || others.length > 0 ? [] : [key, ...innermost(inner)];
}

/** Checks that every list, text and number that a caller gives has a bound, and that the bound fits the type. */
function checkBounds(
  name: string,
  spec: ParamSpec,
  type: TypeReference,
  at: (...keys: string[]) => SourcePosition,
  diagnostics: Diagnostics,
): void {
  // With a type that the call does not take, its bounds are not the ones that are meant.
  const wrong = (key: Bound | "excludes", message: string) =>
    diagnostics.error(at(key), "SPEC016", `parameter "${name}" ${message}`, undefined, {
      lacks: [{ kind: "value", name }, paramType(name)],
    });
  for (const key of bounds) {
    const bound = spec[key];
    if (bound !== undefined && bound[0] > bound[1]) wrong(key, `has a ${key} that ends before it starts`);
  }
  const text = !type.list && (type.name === "string" || type.name === "id");
  const numeric = type.name === "integer" || type.name === "number";
  const fits = { items: type.list, length: text || type.list, range: numeric };
  const kinds = { items: "a list", length: "text", range: "a number" };
  const needed = boundNeeds.find(([key]) => spec[key] === undefined && (key === "length" ? text : fits[key]));
  const [stray] = bounds.filter((key) => spec[key] !== undefined && !fits[key]);
  if (needed !== undefined) {
    const [key, what] = needed;
    const instead = stray === undefined ? "" : `; \`${stray}\` has no effect`;
    wrong(key, `is ${kinds[key]}, so it needs \`${key}\`: ${what}${instead}`);
  } else if (stray !== undefined) wrong(stray, `is not ${kinds[stray]}, so \`${stray}\` has no effect`);
  else if (!text && spec.excludes !== undefined) wrong("excludes", "is not text, so `excludes` has no effect");
}

type Bound = "range" | "length" | "items";

const bounds: readonly Bound[] = ["range", "length", "items"];

const boundNeeds: readonly (readonly [Bound, string])[] = [
  ["items", "the least and the most elements"],
  ["length", "the least and the most characters"],
  ["range", "the smallest and the largest"],
];

/** The most characters of an element in a list of texts. */
const elementLength = 1024;

const base64Pattern = "^[A-Za-z0-9+/]*={0,2}$";

/** A day, and a time with its offset, as ISO 8601 writes them. */
const datePattern = "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$";
const timestampPattern = `${datePattern.slice(0, -1)}T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-]([01]\\d|2[0-3]):?[0-5]\\d)$`;

/** JSON Schema of the values that a parameter accepts. */
export function valueSchema(param: ParamModel, enumOf: (name: string) => EnumModel | undefined): ValueSchema {
  const element = elementValueSchema(param, enumOf);
  const value = param.type.list
    ? {
        type: "array",
        items: element,
        ...(param.items === undefined ? {} : { minItems: param.items[0], maxItems: param.items[1] }),
      }
    : element;
  const nullable = param.type.nullable ? withNull(value) : value;
  return param.default === undefined ? nullable : { ...nullable, default: param.default };
}

function elementValueSchema(param: ParamModel, enumOf: (name: string) => EnumModel | undefined): ValueSchema {
  const { type } = param;
  if (type.kind === "enum") return { type: "string", enum: enumOf(type.name)?.values.map((one) => one.value) ?? [] };
  if (type.kind === "type") return { type: "object" };
  switch (type.name) {
    case "integer":
    case "number":
      return { type: type.name, ...(param.range === undefined ? {} : { minimum: param.range[0], maximum: param.range[1] }) };
    case "boolean":
      return { type: type.name };
    case "object":
      return param.members === undefined ? { type: type.name } : membersSchema(param.members, enumOf);
    case "date":
      return { type: "string", pattern: datePattern };
    case "timestamp":
      return { type: "string", pattern: timestampPattern };
    default: {
      const [shortest, longest] = type.list ? [1, elementLength] : (param.length ?? [0, elementLength]);
      if (param.base64 === true) return { type: "string", maxLength: longest, pattern: base64Pattern };
      const excluded = param.excludes?.replace(/[\]\\^-]/g, "\\$&");
      return {
        type: "string",
        ...(shortest === 0 ? {} : { minLength: shortest }),
        maxLength: longest,
        ...(excluded === undefined ? {} : { pattern: `^[^${excluded}]*$` }),
      };
    }
  }
}

/** JSON Schema of an object with these members and no others. */
function membersSchema(
  members: readonly ParamModel[],
  enumOf: (name: string) => EnumModel | undefined,
): { readonly type: "object"; readonly properties: Readonly<Record<string, ValueSchema>> } & ValueSchema {
  return {
    type: "object",
    properties: Object.fromEntries(members.map((one) => [one.name, { description: one.doc, ...valueSchema(one, enumOf) }])),
    required: members.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function withNull(schema: ValueSchema): ValueSchema {
  const values = schema["enum"];
  return {
    ...schema,
    type: [schema["type"], "null"],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

/** Whether a default or an example is a value that the parameter itself would accept. */
export function valueFits(schema: ValueSchema, value: unknown): boolean {
  const types = Array.isArray(schema["type"]) ? (schema["type"] as unknown[]) : [schema["type"]];
  if (value === null) return types.includes("null");
  const allowed = schema["enum"];
  if (Array.isArray(allowed) && !(allowed as unknown[]).includes(value)) return false;
  if (Array.isArray(value))
    return types.includes("array") && value.every((one) => valueFits(schema["items"] as ValueSchema, one));
  const pattern = schema["pattern"];
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema as { minLength?: number; maxLength?: number };
  if (typeof value === "string" && (value.length < minLength || value.length > maxLength)) return false;
  if (typeof value === "string" && typeof pattern === "string" && !new RegExp(pattern, "u").test(value)) return false;
  if (typeof value === "number") {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema as {
      minimum?: number;
      maximum?: number;
    };
    return (
      (types.includes("number") || (types.includes("integer") && Number.isInteger(value))) && value >= minimum && value <= maximum
    );
  }
  const { properties } = schema as { properties?: Readonly<Record<string, ValueSchema>> };
  if (isObject(value) && properties !== undefined) {
    const known = Object.entries(value).every(([key, one]) => {
      const member = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return member !== undefined && valueFits(member, one);
    });
    return known && (schema["required"] as readonly string[]).every((key) => Object.hasOwn(value, key));
  }
  return types.includes(typeof value);
}
