import { suggestion } from "../../runtime/base/suggestion.ts";
import type { SearchField, SearchType, StorePlan } from "../../runtime/contract/index.ts";
import { type Diagnostics, type Facts, fieldType, type SourcePosition } from "../diagnostic/diagnostic.ts";
import type { FieldSpec } from "../load/spec.ts";
import { enumValuesOf } from "./type-reference.ts";
import type { EnumModel, FieldModel, TypeLookup, TypeReference } from "./types.ts";

/** As what cached search compares the scalars of the spec language. */
const searchTypes: ReadonlyMap<string, SearchType> = new Map([
  ["string", "string"],
  ["id", "string"],
  ["integer", "integer"],
  ["number", "number"],
  ["boolean", "boolean"],
  ["timestamp", "timestamp"],
  ["date", "timestamp"],
]);

interface Asked {
  readonly name: string;
  readonly search: FieldSpec["search"];
  readonly type: TypeReference;
  readonly example: unknown;
  /** Whether the value comes from a parameter of the call. */
  readonly ofParam: boolean;
}

interface Lookups {
  readonly enumOf: (name: string) => EnumModel | undefined;
  readonly typeOf: TypeLookup;
}

type Wrong = (message: string, hint?: string, facts?: Facts) => undefined;

/** How cached search finds records by a field. Undefined when it does not, or cannot, which is then reported. */
export function searchField(
  { name, search, type, example, ofParam }: Asked,
  lookups: Lookups,
  at: (key?: string) => SourcePosition,
  diagnostics: Diagnostics,
): SearchField | undefined {
  if (search === undefined || search === "none") return undefined;
  const by = typeof search === "object" ? [search.by].flat() : undefined;
  const types = [name, ...(by ?? []).map((path) => path.split(".").at(-1) ?? path)].map(fieldType);
  const wrong: Wrong = (message, hint, facts) => {
    diagnostics.error(at("search"), "SPEC016", `field "${name}" ${message}`, hint, facts ?? { lacks: types });
    return undefined;
  };
  const element = type.list ? elementOf(type, by, lookups.typeOf, wrong) : type;
  if (!type.list && by !== undefined)
    return wrong("is not a list, so `by` has no effect", "add a field whose `from` leads to the value");
  if (element === undefined) return undefined;
  const found = comparedAs(element, lookups.enumOf);
  if (found === undefined)
    return wrong(
      element.name === "json"
        ? "can have any form, so cached search cannot compare it"
        : "is an object, so cached search cannot compare it",
      "add a field whose `from` leads to the value",
    );
  const words = element.kind === "scalar" && element.name === "string";
  const index = typeof search === "string" ? search : (search.index ?? (words ? "name" : "exact"));
  if (index !== "exact" && !words) wrong(`is not text with words, so \`${index}\` is not possible`, "write `exact`");
  if (index === "text" && type.list) wrong("is a list, and lists have no long texts", "write `name`");
  const field: SearchField = {
    ...found,
    index: words ? index : "exact",
    ...(type.list ? { list: { ...(by === undefined ? {} : { by }), ...(ofParam ? { relation: true as const } : {}) } } : {}),
  };
  if (example !== undefined && !searchValueFits(field, example))
    diagnostics.error(
      at("example"),
      "SPEC016",
      `field "${name}" can never have the value of its example`,
      valueHint(field, example),
      element.kind === "enum" && typeof example === "string"
        ? { lacks: [fieldType(name), ...enumValuesOf(element.name, [example])] }
        : { lacks: [fieldType(name)] },
    );
  return field;
}

/** What of each element of a list is compared: the element itself, or a member of it. */
function elementOf(
  list: TypeReference,
  by: readonly string[] | undefined,
  typeOf: TypeLookup,
  wrong: Wrong,
): TypeReference | undefined {
  const bare = { ...list, list: false, nullable: false };
  if (list.kind !== "type") return by === undefined ? bare : wrong("is not a list of objects, so `by` has no effect");
  const names = (type: string) => typeOf(type)?.fields.map((field) => field.name) ?? [];
  if (by === undefined)
    return wrong(
      "is a list of objects, and says nothing of what in them is compared",
      `write \`search: { by: ${names(list.name)[0] ?? "…"} }\``,
    );
  const members = by.map((path) => memberOf(bare, path, typeOf, wrong));
  const [first] = members;
  if (first === undefined || members.includes(undefined)) return undefined;
  const other = members.find((one) => one?.kind !== first.kind || one.name !== first.name);
  return other === undefined ? first : wrong(`is searched by members of different types, ${first.name} and ${other.name}`);
}

function memberOf(element: TypeReference, path: string, typeOf: TypeLookup, wrong: Wrong): TypeReference | undefined {
  let here = element;
  for (const name of path.split(".")) {
    const fields = here.kind === "type" ? (typeOf(here.name)?.fields ?? []) : [];
    const field = fields.find((one) => one.name === name);
    const names = fields.map((one) => one.name);
    if (field === undefined)
      return wrong(`is searched by "${path}", which ${here.name} does not have`, suggestion(name, names), {
        lacks: [{ kind: "field", name }],
      });
    if (field.type.list)
      return wrong(`is searched by "${path}", which is a list itself`, undefined, { lacks: [fieldType(name)] });
    if (field.onRequest)
      return wrong(`is searched by "${path}", which is not stored, because it is given only on request`, undefined, {});
    here = { ...field.type, list: false, nullable: false };
  }
  return here;
}

/** How values of a type are compared; undefined for lists and objects, which have no order and no plain equality. */
export function comparedAs(type: TypeReference, enumOf: (name: string) => EnumModel | undefined): SearchField | undefined {
  const found = type.kind === "enum" ? "string" : searchTypes.get(type.name);
  if (type.kind === "type" || type.list || found === undefined) return undefined;
  return {
    type: found,
    index: "exact",
    ...(type.nullable ? { nullable: true } : {}),
    ...(type.kind === "enum" ? { values: enumOf(type.name)?.values.map((one) => one.value) ?? [] } : {}),
  };
}

/** Hint for a value that an enumeration does not have. */
export function valueHint({ values }: SearchField, value: unknown): string | undefined {
  return values === undefined ? undefined : suggestion(String(value), values);
}

/** Whether a field may have this value, as far as its type says. */
export function searchValueFits(field: SearchField, value: unknown): boolean {
  if (field.values !== undefined) return typeof value === "string" && field.values.includes(value);
  if (field.type === "integer") return Number.isInteger(value);
  return typeof value === (field.type === "timestamp" ? "string" : field.type);
}

/**
 * How records are kept: by which fields they are told apart and found.
 *
 * @param scopes names of the connector's kinds of scopes
 */
export function storePlan(key: readonly string[], fields: readonly FieldModel[], scopes: readonly string[]): StorePlan {
  const planned = ({ name, search }: FieldModel): readonly (readonly [string, SearchField])[] => {
    if (search === undefined) return [];
    const isScope = scopes.includes(name) && search.type === "string" && search.list === undefined && search.index !== "text";
    return [[name, isScope ? { ...search, scope: true } : search]];
  };
  return { key, fields: Object.fromEntries(fields.flatMap(planned)) };
}

/** Whether a sync stores a field: it reads the default fields, and those that cached search needs. */
export function isStored(field: FieldModel): boolean {
  return !field.onRequest || field.search !== undefined;
}
