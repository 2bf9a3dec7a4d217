import { isDeepStrictEqual } from "node:util";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { alternatives, isNullable, jsonTypeIn, jsonTypes } from "./json-schema.ts";
import { isJsonObject, isList, type Json } from "./open-api.ts";
import type { JsonSchema, PlatformDescription } from "./platform-description.ts";

// Values that every call sends as they are written in the spec: `fixed`, and what stands around a text in `as`.

/** A part of a value that a call would not take. `keys` lead to it. */
export interface LiteralFault {
  readonly keys: readonly string[];
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A fault that says which of several forms a value has: there, another type or other values are allowed. */
interface Found extends LiteralFault {
  readonly allowed?: readonly Json[];
  readonly isMissing?: true;
}

/** The faults of a value, and the members that its schema names; undefined where it allows any. */
interface Checked {
  readonly faults: readonly Found[];
  readonly names: readonly string[] | undefined;
}

/** A place of a text that callers give. What it may be is checked where they give it. */
const placeholder = /\{(text|line|html)\}/;

/** Whether a template has a place for the text. */
export const hasPlace = (template: unknown): boolean => placeholder.test(JSON.stringify(template));

/** A description may have schemas that contain themselves. */
const deepest = 20;

/** What a call would not take of a value. Of several forms that the value may have, the one is checked that the author meant. */
export function literalFaults(value: unknown, schema: JsonSchema, platform: PlatformDescription): readonly LiteralFault[] {
  return checked(value, schema, platform, [], 0).faults.map(({ keys, message, hint, allowed = [] }) => {
    const wrong = keys.reduce<unknown>((here, key) => Reflect.get(here as object, key), value);
    return { keys, message, hint: hint ?? (allowed.length === 0 ? undefined : suggestion(String(wrong), allowed.map(String))) };
  });
}

function checked(
  value: unknown,
  schema: JsonSchema,
  platform: PlatformDescription,
  keys: readonly string[],
  depth: number,
): Checked {
  const other = otherType(value, alternatives(schema, platform));
  if (other !== undefined) return { faults: [{ keys, message: other }], names: undefined };
  const { faults, names } = formOf(value, schema, platform, keys, depth);
  if (names === undefined || names.length === 0 || !isJsonObject(value as Json)) return { faults, names };
  const unknown = Object.keys(value as object).filter((name) => !names.includes(name));
  const strays = unknown.map((name) => ({
    keys: [...keys, name],
    message: `the call takes no "${name}" here`,
    hint: suggestion(name, names),
  }));
  // A member that is misspelled is missing too.
  return {
    faults: [
      ...(strays.length > 0 ? faults.filter((one) => one.isMissing !== true || one.keys.length > keys.length + 1) : faults),
      ...strays,
    ],
    names,
  };
}

/** What is wrong with the type of a value; undefined where one of the schemas allows it. */
function otherType(value: unknown, options: readonly JsonSchema[]): string | undefined {
  const types = [...new Set(options.flatMap(jsonTypes))];
  const type = jsonTypeIn(value);
  const fits =
    types.includes(type) || (type === "integer" && types.includes("number")) || (value === null && isNullable(options));
  return types.length === 0 || fits ? undefined : `the value is ${type}, but the call takes ${types.join(" or ")}`;
}

/** Checks a value against a schema and what `allOf`, `anyOf` and `oneOf` put beside it, but for members that none of them names. */
function formOf(
  value: unknown,
  schema: JsonSchema,
  platform: PlatformDescription,
  keys: readonly string[],
  depth: number,
): Checked {
  if (depth > deepest) return { faults: [], names: undefined };
  const here = platform.resolve(schema);
  const form = (one: JsonSchema) => formOf(value, one, platform, keys, depth + 1);
  const listed = (key: string) => (isList(here[key] ?? null) ? (here[key] as readonly Json[]).filter(isJsonObject) : []);
  const parts = [
    own(value, here, platform, keys, depth),
    ...listed("allOf").map(form),
    ...["anyOf", "oneOf"].filter((key) => listed(key).length > 0).map((key) => meant(listed(key).map(form))),
  ];
  const isOpen = parts.some(({ names }) => names === undefined);
  return { faults: parts.flatMap(({ faults }) => faults), names: isOpen ? undefined : parts.flatMap(({ names = [] }) => names) };
}

/** Checks a value against what a schema itself says. */
function own(value: unknown, here: JsonSchema, platform: PlatformDescription, keys: readonly string[], depth: number): Checked {
  const properties = isJsonObject(here["properties"] ?? null) ? (here["properties"] as JsonSchema) : {};
  const { additionalProperties: more = false, patternProperties, items } = here;
  const names = more !== false || patternProperties !== undefined ? undefined : Object.keys(properties);
  const other = otherType(value, [here]);
  if (other !== undefined) return { faults: [{ keys, message: other, allowed: [] }], names };
  const allowed =
    here["const"] !== undefined ? [here["const"]] : isList(here["enum"] ?? null) ? (here["enum"] as Json[]) : undefined;
  const isFree = typeof value === "string" && placeholder.test(value);
  if (allowed !== undefined && !isFree && !allowed.some((one) => isDeepStrictEqual(one, value)))
    return { faults: [{ keys, message: `the value is ${JSON.stringify(value)}, which the call does not take`, allowed }], names };
  const inside = (key: string, one: unknown, schema: Json | undefined) =>
    isJsonObject(schema) ? checked(one, schema, platform, [...keys, key], depth + 1).faults : [];
  if (Array.isArray(value)) return { faults: value.flatMap((one, index) => inside(String(index), one, items)), names };
  if (!isJsonObject(value as Json)) return { faults: [], names };
  const members = Object.entries(value as JsonSchema);
  const required = isList(here["required"] ?? null) ? (here["required"] as Json[]).map(String) : [];
  const missing = required.filter((name) => !Object.hasOwn(value as object, name));
  const faults = [
    ...members.flatMap(([key, one]) => inside(key, one, Object.hasOwn(properties, key) ? properties[key] : undefined)),
    ...missing.map((name) => ({
      keys: [...keys, ...members.slice(0, 1).map(([key]) => key)],
      message: `the call requires "${name}" here`,
      isMissing: true as const,
    })),
  ];
  return { faults, names };
}

/** Of several forms, the one with the fewest faults. Values that only one form has, such as that of `type`, say most. */
function meant(forms: readonly Checked[]): Checked {
  const cost = ({ faults }: Checked) => faults.reduce((sum, { allowed }) => sum + (allowed === undefined ? 1 : 100), 0);
  const [first, ...others] = forms.toSorted((a, b) => cost(a) - cost(b));
  if (first === undefined) return { faults: [], names: [] };
  const telling = first.faults.filter(({ allowed }) => allowed !== undefined);
  const faults = (telling.length > 0 ? telling : first.faults).map((one) => {
    if (one.allowed === undefined) return one;
    const all = [first, ...others].flatMap((form) => form.faults).filter(({ keys }) => keys.join("\n") === one.keys.join("\n"));
    return { ...one, allowed: [...new Set(all.flatMap(({ allowed = [] }) => allowed))] };
  });
  return { faults, names: first.names };
}
