import { suggestion } from "../../runtime/base/suggestion.ts";
import type { SearchField, SearchType, StorePlan } from "../../runtime/contract/index.ts";
import type { Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { FieldSpec } from "../load/spec.ts";
import type { EnumModel, FieldModel, TypeReference } from "./types.ts";

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
}

/** How cached search finds records by a field. Undefined when it does not, or cannot, which is then reported. */
export function searchField(
  { name, search, type, example }: Asked,
  enumOf: (name: string) => EnumModel | undefined,
  at: (key?: string) => SourcePosition,
  diagnostics: Diagnostics,
): SearchField | undefined {
  if (search === undefined || search === "none") return undefined;
  const wrong = (message: string, hint?: string) =>
    diagnostics.error(at("search"), "SPEC016", `field "${name}" ${message}`, hint);
  const found = comparedAs(type, enumOf);
  if (found === undefined) {
    wrong("is a list or an object, so cached search cannot compare it");
    return undefined;
  }
  const words = type.kind === "scalar" && type.name === "string";
  if (search !== "exact" && !words)
    wrong(`is not text with words, so \`search: ${search}\` is not possible`, "write `search: exact`");
  const field: SearchField = { ...found, index: words ? search : "exact" };
  if (example !== undefined && !searchValueFits(field, example))
    diagnostics.error(
      at("example"),
      "SPEC016",
      `field "${name}" can never have the value of its example`,
      valueHint(field, example),
    );
  return field;
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

/** How records are kept: by which fields they are told apart and found. */
export function storePlan(key: readonly string[], fields: readonly FieldModel[]): StorePlan {
  return {
    key,
    fields: Object.fromEntries(fields.flatMap(({ name, search }) => (search === undefined ? [] : [[name, search]]))),
  };
}

/** Whether a sync stores a field: it reads the default fields, and those that cached search needs. */
export function isStored(field: FieldModel): boolean {
  return !field.onRequest || field.search !== undefined;
}
