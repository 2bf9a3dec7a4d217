import { isObject } from "../base/is-object.ts";
import { isWellFormed } from "../base/well-formed.ts";
import {
  type Conversion,
  chosenFields,
  type FieldPlan,
  type FieldTree,
  pathKeys,
  type RecordPlan,
  valuesAt,
  type Warning,
  warning,
} from "../contract/index.ts";
import { instantOf } from "../search/index.ts";
import { htmlText, markdownText, markupText } from "./document-text.ts";
import type { CutList } from "./result.ts";
import { unexpectedType, unlistedValue, wholeNumber } from "./strange-value.ts";

/** What the reader of a record needs besides the platform's answer. */
export interface ReadState {
  readonly params: Readonly<Record<string, unknown>>;
  /** Address of the platform's REST API. */
  readonly restUrl: string;
  readonly warn: (warning: Warning) => void;
  /** Takes the warning that so many elements of a list are missing, in the place of `warn`. */
  readonly warnOfMissing?: (warning: Warning, elements: number) => void;
  /** Takes the warnings about values that do not fit the spec, beside `warn`. */
  readonly misfit?: ((warning: Warning) => void) | undefined;
  /** Takes the place of a value that is missing although the spec says that it never is. */
  readonly absent?: (at: string) => void;
  /** Counts values of lists inside records. @throws TenonError `platform_failed` when there are too many in one answer */
  readonly count: (values: number) => void;
  /** Takes lists that have more elements than were read. Without it there is a warning. */
  readonly cut?: ((list: CutList) => void) | undefined;
}

type Source = Readonly<Record<string, unknown>>;

/** Turns one object of a platform's answer into a record. `at` is the path of the record in our answer, for warnings. */
export type RecordReader = (source: unknown, at: string, state: ReadState) => Record<string, unknown>;

/** Compiles a choice of fields into a reader. The record has exactly the chosen fields, in the order of the plan. */
export function compileReader(plan: RecordPlan, choice: FieldTree | null): RecordReader {
  const fields = chosenFields(plan, choice);
  const readers = fields.map(([name, field, inner]) => [name, fieldReader(name, field, inner)] as const);
  const lists = fields.flatMap(([name, field]) => (field.next === undefined ? [] : [[name, field] as const]));
  return (source, at, state) => {
    const object = isObject(source) ? source : {};
    const record: Record<string, unknown> = {};
    for (const [name, read] of readers) record[name] = read(object, at, state);
    for (const [name, field] of lists) {
      const after = state.cut === undefined ? undefined : nextPage(field, object);
      if (after !== undefined) state.cut?.({ record, field: name, after });
    }
    return record;
  };
}

/** The cursor behind which a list goes on; undefined where it has ended, or where the platform does not say. */
function nextPage({ cut, next }: FieldPlan, source: Source): string | undefined {
  if (cut === undefined || next === undefined || !isCut(source, pathKeys(cut))) return undefined;
  const after = valueAtPath(source, pathKeys(next));
  return typeof after === "string" && after !== "" ? after : undefined;
}

/** Whether the platform cut a value. Only `false` says that it is whole; without the sign it is taken to be. */
function isCut(source: Source, sign: readonly string[]): boolean {
  const value = valueAtPath(source, sign);
  return value !== null && value !== false;
}

/** Reads one field. `within` is the path of its object; the path of the field itself is made only where a warning may need it. */
type FieldReader = (source: Source, within: string, state: ReadState) => unknown;

function fieldReader(name: string, field: FieldPlan, inner: FieldTree | null): FieldReader {
  if (field.param !== undefined) {
    const read = paramReader(field.param);
    if (field.list === undefined) return read;
    return (source, within, state) => [read(source, within, state)].flat().filter((value) => value !== null);
  }
  const reads = [field.read ?? []].flat();
  const [each] = reads.filter((path) => path.includes("[]"));
  const paths = (each === undefined ? reads : []).map(pathKeys);
  if (field.as?.kind === "restUrl") return restUrlReader(field.as.template, paths);
  const deep = paths.filter(({ length }) => length > 1);
  const value = valueReader(name, field, inner);
  const cut = field.cut === undefined ? undefined : pathKeys(field.cut);
  // The path of a value that needs no warning is not made.
  const leaf = field.of === undefined && cut === undefined && field.values === undefined;
  return (source, within, state) => {
    const at = leaf ? within : `${within}.${name}`;
    let raw: unknown = null;
    if (each !== undefined) raw = valuesAt(source, each);
    for (const path of paths) {
      raw = valueAtPath(source, path);
      if (raw !== null) break;
    }
    if (raw === null) for (const path of deep) warnOfBroken(source, path, leaf ? `${within}.${name}` : at, state);
    if (raw === null && field.always === true) state.absent?.(leaf ? `${within}.${name}` : at);
    if (
      cut !== undefined &&
      raw !== null &&
      isCut(source, cut) &&
      (state.cut === undefined || nextPage(field, source) === undefined)
    )
      state.warn(warning(at, field.list === undefined ? "value_cut" : "list_cut"));
    if (field.list === undefined) return value(raw, at, state);
    if (raw === null) return field.list === "nullable" ? null : [];
    if (!Array.isArray(raw)) return unexpected(raw, "a list", leaf ? `${within}.${name}` : at, name, state);
    state.count(raw.length);
    const present = raw.filter((one) => one !== null && one !== undefined);
    if (present.length < raw.length) {
      const missing = raw.length - present.length;
      const message = `The platform left out ${missing} of the ${raw.length} elements of ${name}.`;
      const given = warning(leaf ? `${within}.${name}` : at, "element_missing", message);
      (state.warnOfMissing ?? state.warn)(given, missing);
      state.misfit?.(given);
    }
    return present.map((one, index) => value(one, leaf ? within : `${at}.${index}`, state));
  };
}

/** Passes a value through that has another type than its field. */
function unexpected(raw: unknown, declared: string, at: string, field: string, state: ReadState): unknown {
  misfit(unexpectedType(at, raw, declared, field), state);
  return raw;
}

/** Warns of a text that is not well-formed, which passes through. */
function wholeText(value: unknown, at: string, field: string, state: ReadState): unknown {
  if (!isWellFormed(value))
    misfit(warning(at, "broken_text", `${field} has half of a surrogate pair, which the cache replaces by U+FFFD.`), state);
  return value;
}

/** Warns of what stands where a path needs an object. What the path leads to counts as missing then. */
function warnOfBroken(source: Source, path: readonly string[], at: string, state: ReadState): void {
  for (let depth = 1; depth < path.length; depth++) {
    const holder = valueAtPath(source, path.slice(0, depth));
    if (holder === null) return;
    if (isObject(holder) || (Array.isArray(holder) && /^\d+$/.test(path[depth] ?? ""))) continue;
    misfit(unexpectedType(at, holder, "an object", path.slice(0, depth).join(".")), state);
    return;
  }
}

function misfit(warning: Warning, state: ReadState): void {
  state.warn(warning);
  state.misfit?.(warning);
}

/** Reads the value of a parameter, or makes a text with the values of several parameters. */
function paramReader(param: string | readonly string[]): FieldReader {
  if (typeof param === "string") return (_source, _within, state) => state.params[param] ?? null;
  return (_source, _within, { params }) => {
    const parts = param.map((part, index) => (index % 2 === 0 ? part : (params[part] ?? null)));
    return parts.includes(null) ? null : parts.join("");
  };
}

function valueReader(
  name: string,
  field: FieldPlan,
  inner: FieldTree | null,
): (raw: unknown, at: string, state: ReadState) => unknown {
  if (field.of !== undefined) {
    const read = compileReader(field.of(), inner);
    return (raw, at, state) => {
      if (raw === null || isOnlyId(raw, field)) return null;
      if (!isObject(raw)) return unexpected(raw, "an object", at, name, state);
      // An object of another type has no members, because the fragment selects nothing of it. It counts as null.
      return Object.keys(raw).length > 0 ? read(raw, at, state) : null;
    };
  }
  if (field.open !== undefined)
    return (raw, within, state) => {
      if (raw === null || isOnlyId(raw, field)) return null;
      if (!isObject(raw) && field.is !== "json") return unexpected(raw, "an object", placeOf(field, within, name), name, state);
      return wholeText(openValue(raw, inner), placeOf(field, within, name), name, state);
    };
  const convert = converter(field.as);
  const { values, is } = field;
  const [fits, declared] = kinds[is ?? "text"];
  if (values === undefined)
    return (raw, within, state) => {
      if (raw === null || raw === undefined) return null;
      const value = convert(raw);
      return fits(value)
        ? wholeText(value, placeOf(field, within, name), name, state)
        : unexpected(value, declared, placeOf(field, within, name), name, state);
    };
  return (raw, at, state) => {
    if (raw === null || raw === undefined) return null;
    const value = convert(raw);
    if (!values.some((one) => one === value))
      misfit(
        typeof value === "object" ? unexpectedType(at, value, "a text", name) : unlistedValue(at, value, values, name),
        state,
      );
    return value;
  };
}

/** The path of a value that is not an object: a field with `cut` already has it, the other fields have the path of their object. */
function placeOf({ cut }: FieldPlan, at: string, name: string): string {
  return cut === undefined ? `${at}.${name}` : at;
}

/** Whether a value is of a kind, and what a warning calls the kind. */
const kinds = {
  text: [(value: unknown) => typeof value === "string", "a text"],
  integer: [Number.isInteger, wholeNumber],
  number: [(value: unknown) => typeof value === "number", "a number"],
  boolean: [(value: unknown) => typeof value === "boolean", "true or false"],
  json: [() => true, "a value"],
  timestamp: [(value: unknown) => typeof value === "string" && instantOf(value) !== undefined, "a time"],
} as const satisfies Record<NonNullable<FieldPlan["is"]> | "text", readonly [(value: unknown) => boolean, string]>;

/** Whether the platform gave the id of an object that it gives as a whole only on request. */
function isOnlyId(raw: unknown, { as }: FieldPlan): boolean {
  return as?.kind === "expanded" && (typeof raw === "string" || typeof raw === "number");
}

/** What cannot be converted stays as it is. */
function converter(as: Conversion | undefined): (raw: unknown) => unknown {
  if (as === undefined || as.kind === "restUrl" || as.kind === "expanded") return (raw) => raw;
  if (as.kind === "id") return idOf;
  if (as.kind === "text") return (raw) => (typeof raw === "string" || typeof raw === "object" ? markupText(raw) : raw);
  const convert = conversionOf(as);
  if (as.kind === "html" || as.kind === "markdown")
    return (raw) => (Array.isArray(raw) ? raw.map(convert).filter(isText).join("\n") : convert(raw));
  return (raw) => (typeof raw === "object" || (typeof raw === "boolean" && as.kind !== "map") ? raw : convert(raw));
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** The id of what may be an id or an object that has one. */
function idOf(raw: unknown): unknown {
  const id = isObject(raw) ? raw["id"] : raw;
  return typeof id === "number" ? String(id) : (id ?? raw);
}

function conversionOf(as: Exclude<Conversion, { kind: "restUrl" | "expanded" | "id" | "text" }>): (raw: unknown) => unknown {
  switch (as.kind) {
    case "html":
      return (raw) => (typeof raw === "string" ? htmlText(raw) : raw);
    case "markdown":
      return (raw) => (typeof raw === "string" ? markdownText(raw) : raw);
    case "lower":
      return (raw) => String(raw).toLowerCase();
    case "upper":
      return (raw) => String(raw).toUpperCase();
    case "integer":
      return (raw) => numberOf(raw) ?? raw;
    case "string":
      return (raw) => String(raw);
    case "seconds":
      return (raw) => instant(raw, 1000);
    case "milliseconds":
      return (raw) => instant(raw, 1);
    case "map": {
      const values = new Map(Object.entries(as.values));
      return (raw) => values.get(String(raw)) ?? raw;
    }
  }
}

/** The number that a value is, or writes in decimal digits. Undefined for anything else, and for what no number has exactly. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== "number") return undefined;
  return Number.isInteger(number) && typeof value === "string" && !Number.isSafeInteger(number) ? undefined : number;
}

/** A time as ISO 8601 text; what is not a time stays as it is. @param unit how many milliseconds the value counts */
function instant(raw: unknown, unit: number): unknown {
  const date = new Date((numberOf(raw) ?? Number.NaN) * unit);
  return Number.isNaN(date.getTime()) ? raw : date.toISOString();
}

/** The value of an open object, whose names are the platform's own: the whole of it, or the chosen paths. */
function openValue(raw: unknown, choice: FieldTree | null): unknown {
  if (Array.isArray(raw)) return raw.map((one: unknown) => openValue(one, choice));
  if (!isObject(raw)) return raw;
  if (choice === null) return raw;
  return Object.fromEntries(
    [...choice].map(([key, inner]) => [key, Object.hasOwn(raw, key) ? openValue(raw[key], inner) : null]),
  );
}

function restUrlReader(template: readonly string[], paths: readonly (readonly string[])[]): FieldReader {
  return (source, _within, state) => {
    const values = paths.map((path) => valueAtPath(source, path));
    if (values.some((value) => value === null)) return null;
    return (
      state.restUrl +
      template
        .map((text, index) => text + (index < values.length ? encodeURIComponent(String(values[index]).toWellFormed()) : ""))
        .join("")
    );
  };
}

/** The key of a path that leads to the last element of a list. */
const lastElement = "-1";

/** The value at a path, or null where a key is missing. */
export function valueAtPath(source: unknown, path: readonly string[]): unknown {
  let here: unknown = source;
  for (const key of path) {
    // An index leads into a list, which has its elements under their numbers.
    const holder: unknown = here;
    const at = key === lastElement && Array.isArray(holder) ? String(holder.length - 1) : key;
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, at)) return null;
    here = (holder as Source)[at];
  }
  return here ?? null;
}

/**
 * The keys of a path down to the first one that has null. An object without the next key has another type than the one that was asked
 * for, so the object itself counts as missing.
 */
export function missingAt(source: unknown, path: readonly string[]): readonly string[] {
  let here: unknown = source;
  for (const [depth, key] of path.entries()) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return path.slice(0, depth);
    here = here[key];
  }
  return path;
}
