import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type standalone from "ajv/dist/standalone/index.js";
import { isObject } from "../../runtime/base/is-object.ts";
import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { keyOf, type Results } from "../cache/results.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import { type Language, languageText } from "./language.ts";
import type { Source } from "./source.ts";
import type { ConnectorSpec, EntitySpec } from "./spec.ts";

const require = createRequire(import.meta.url);
const compiled = new Map<Language, { readonly text: string; readonly validate: ValidateFunction }>();

/** The compiled check of a language. It is compiled again when its file has changed, which happens while a watcher runs. */
function languageCheck(language: Language, results: Results): ValidateFunction {
  const text = languageText(language);
  const known = compiled.get(language);
  if (known?.text === text) return known.validate;
  const key = keyOf("language check", text);
  const code = results.find<string>(key) ?? results.keep(key, codeOfCheck(text));
  const module: { exports: unknown } = { exports: undefined };
  compileFunction(code, ["module", "require"])(module, require);
  const validate = module.exports as ValidateFunction;
  compiled.set(language, { text, validate });
  return validate;
}

/** The check of a language as the code of a CommonJS module. ajv, which takes long to load and to compile, is needed only here. */
function codeOfCheck(text: string): string {
  const ajv2020: { readonly Ajv2020: typeof Ajv2020 } = require("ajv/dist/2020.js");
  const print: typeof standalone = require("ajv/dist/standalone");
  const ajv = new ajv2020.Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    verbose: true,
    validateFormats: false,
    validateSchema: false,
    // The check runs once per file, so optimizing its code would take longer than the checks themselves.
    inlineRefs: false,
    code: { optimize: false, source: true },
  });
  return print.default(ajv, ajv.compile(JSON.parse(text) as object));
}

/** The value of a spec file as a spec, if the spec language allows it. Otherwise the diagnostics say what it does not allow. */
export function accept(source: Source, diagnostics: Diagnostics, results: Results): ConnectorSpec | EntitySpec | undefined {
  return isAllowed("connector", source, diagnostics, results) ? (source.value as ConnectorSpec | EntitySpec) : undefined;
}

/** Whether a language allows the value of a file. Otherwise the diagnostics say what it does not allow. */
export function isAllowed(language: Language, source: Source, diagnostics: Diagnostics, results: Results): boolean {
  const validate = languageCheck(language, results);
  if (validate(source.value)) return true;
  const errors = validate.errors ?? [];
  if (language === "connector" && lacksConnector(source, diagnostics)) return false;
  for (const error of together(mostTelling(errors))) report(error, source, errors, diagnostics);
  return false;
}

/** Without its first key, the file of a connector would be checked as that of an entity. */
function lacksConnector({ path, value, at }: Source, diagnostics: Diagnostics): boolean {
  if (!/(^|\/)connector\.ya?ml$/.test(path) || !isObject(value) || Object.hasOwn(value, "connector")) return false;
  const near = Object.keys(value).find((key) => nearest(key, ["connector"]) !== undefined);
  if (near === undefined) diagnostics.error(at([]), "SPEC002", 'the file needs the key "connector"');
  else diagnostics.error(at([near]), "SPEC002", `unknown key "${near}"`, 'did you mean "connector"?');
  return true;
}

/**
 * Errors that tell an author something. `anyOf` and `if` only say that something below them failed, and what failed there is an error too.
 * Of several forms that a value may have, the errors are those of the form that the author meant.
 */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject[] {
  const inner = errors.filter((error) => !["if", "anyOf", "oneOf"].includes(error.keyword));
  const telling = inner.filter((error) => !inner.some((other) => other !== error && tellsMore(other, error)));
  return telling.length > 0 ? telling : [...errors];
}

/** The value is of another kind than this form wants. */
function isOtherKind({ keyword, data }: ErrorObject): boolean {
  return keyword === "type" || (keyword === "enum" && typeof data === "object");
}

/** Whether an error makes another one a consequence, or one of a form that the author did not mean. */
function tellsMore(other: ErrorObject, error: ErrorObject): boolean {
  const same = other.instancePath === error.instancePath;
  const inside = other.instancePath.startsWith(`${error.instancePath}/`);
  // An element too many is wrong whatever it is.
  if (other.keyword === "maxItems" && error.instancePath.startsWith(`${other.instancePath}/`))
    return Number(error.instancePath.slice(other.instancePath.length + 1).split("/")[0]) >= Number(other.params["limit"]);
  // What is wrong inside a mapping or list can only be found by a form that takes one.
  if (isOtherKind(error))
    return (
      inside ||
      (same && (!isOtherKind(other) || (error.keyword === "type" && other.keyword === "enum") || isNullForm(error, other)))
    );
  // A mapping that lacks a key may have others.
  if (error.keyword === "minProperties" && other.keyword === "required" && same) return true;
  // An element that is there twice is one too many.
  if (error.keyword === "maxItems" && other.keyword === "uniqueItems" && same) return true;
  if (!isOfForm(error)) return false;
  if (inside) return !knows(error, other.instancePath.slice(error.instancePath.length + 1).split("/")[0] ?? "");
  if (!same || !isOfForm(other)) return false;
  if (other.parentSchema !== error.parentSchema && known(other) !== known(error)) return known(other) > known(error);
  // A key that is misspelled is both missing and unknown. Where several forms are equally far, what is unknown says it for all.
  if (error.keyword !== "required" || other.keyword !== "additionalProperties") return false;
  if (other.parentSchema !== error.parentSchema) return true;
  const missing = String(error.params["missingProperty"]);
  return nearest(String(other.params["additionalProperty"]), freeNames(error)) === missing;
}

/** The keys that a mapping may have and does not. */
function freeNames(error: ErrorObject): string[] {
  return namesOf(error).filter((name) => !Object.hasOwn((error.data as object | null) ?? {}, name));
}

function isNullForm({ params }: ErrorObject, other: ErrorObject): boolean {
  return params["type"] === "null" && other.params["type"] !== "null";
}

/** The error is about which keys a mapping has. */
function isOfForm({ keyword }: ErrorObject): boolean {
  return keyword === "required" || keyword === "additionalProperties";
}

function namesOf({ parentSchema }: ErrorObject): string[] {
  return Object.keys((parentSchema?.["properties"] as object | undefined) ?? {});
}

function knows(error: ErrorObject, key: string): boolean {
  return namesOf(error).includes(key);
}

/** How many keys of the mapping the form has. */
function known(error: ErrorObject): number {
  return Object.keys((error.data as object | null) ?? {}).filter((key) => knows(error, key)).length;
}

/** Errors of one value with the same keyword, as one: the types that it may have, the keys that it needs, and the keys that it may have. */
function together(errors: readonly ErrorObject[]): ErrorObject[] {
  const merged = new Map<string, ErrorObject>();
  for (const error of errors) {
    const { keyword, instancePath, params } = error;
    const key = [keyword, instancePath, String(params["additionalProperty"] ?? "")].join("\n");
    const first = ["type", "required", "additionalProperties"].includes(keyword) ? merged.get(key) : undefined;
    if (first === undefined) merged.set(merged.has(key) ? `${key}\n${merged.size}` : key, error);
    else merged.set(key, joined(first, error));
  }
  return [...merged.values()];
}

function joined(first: ErrorObject, { params, parentSchema }: ErrorObject): ErrorObject {
  const list = (name: string) => [...new Set([first.params[name], params[name]].flat())];
  if (first.keyword === "type") return { ...first, params: { type: list("type") } };
  if (first.keyword === "required") {
    const either = first.params["either"] === true || first.parentSchema !== parentSchema;
    return { ...first, params: { missingProperty: list("missingProperty"), either } };
  }
  const properties = { ...(first.parentSchema?.["properties"] as object), ...(parentSchema?.["properties"] as object) };
  return { ...first, parentSchema: { ...first.parentSchema, properties } };
}

/** The mapping that may stand where a word is not allowed, by its first key: `{ by: cursor | offset, … }`. */
function mappingInstead({ keyword, instancePath, data }: ErrorObject, errors: readonly ErrorObject[]): string | undefined {
  if (keyword !== "enum" || typeof data !== "string") return undefined;
  const other = errors.find(
    (one) => one.keyword === "type" && one.params["type"] === "object" && one.instancePath === instancePath,
  );
  const { required = [], properties = {} } = (other?.parentSchema ?? {}) as {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  };
  const [key] = required;
  return key === undefined ? undefined : `{ ${key}: ${properties[key]?.enum?.join(" | ").concat(", ") ?? ""}… }`;
}

function report(error: ErrorObject, source: Source, errors: readonly ErrorObject[], diagnostics: Diagnostics): void {
  const instead = mappingInstead(error, errors);
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const params = error.params as Readonly<Record<string, unknown>>;
  if (error.keyword === "additionalProperties") {
    const name = String(params["additionalProperty"]);
    // Of two keys with almost the same name, the one that is there already is not meant.
    const free = freeNames(error);
    const allowed = nearest(name, free) === undefined ? namesOf(error) : free;
    diagnostics.error(source.at([...path, name]), "SPEC002", `unknown key "${name}"`, suggestion(name, allowed));
    return;
  }
  // What is wrong with the name of a key is another error, which says more.
  if (error.keyword === "propertyNames") return;
  const name = error.propertyName ?? nameAt(error, errors);
  if (name !== undefined) {
    const allowed = params["allowedValues"];
    const { description } = error.parentSchema as { readonly description?: string };
    const hint = Array.isArray(allowed) ? suggestion(name, allowed.map(String)) : description;
    diagnostics.error(source.at([...path, name]), "SPEC002", `"${name}" is not allowed as a name here`, hint);
    return;
  }
  const subject = subjectOf(source, path);
  const [message, hint] = explain(error, params);
  const more = instead !== undefined && hint?.startsWith("allowed: ") ? `${hint}, or ${instead}` : hint;
  diagnostics.error(source.at(path), "SPEC002", `${subject} ${message}`, more);
}

/** What a fault is about: the file, a key, or an element of a list. */
function subjectOf(source: Source, path: readonly string[]): string {
  const last = path.at(-1);
  if (last === undefined) return "the file";
  const parent = path.slice(0, -1).reduce((here, key) => (here as Readonly<Record<string, unknown>>)[key], source.value);
  return Array.isArray(parent) ? `element ${Number(last) + 1} of "${path.at(-2)}"` : `"${last}"`;
}

/** The name of a key that is wrong, where the rule for names is shared by several mappings. */
function nameAt({ instancePath, data }: ErrorObject, errors: readonly ErrorObject[]): string | undefined {
  const names = errors.filter((one) => one.keyword === "propertyNames" && one.instancePath === instancePath);
  return names.map(({ params }) => params["propertyName"]).find((name) => typeof name === "string" && name === data);
}

const typeTexts: Readonly<Record<string, string>> = {
  object: "a mapping",
  array: "a list",
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  null: "left empty",
};

function missingText(names: readonly string[], either: boolean): string {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop() ?? "";
  if (quoted.length === 0) return `the key ${last}`;
  return `the ${either ? "key" : "keys"} ${quoted.join(", ")} ${either ? "or" : "and"} ${last}`;
}

/** What a keyword of the spec language's schema demands, as the end of a sentence, and a hint. */
function explain(
  { keyword, data, message }: ErrorObject,
  params: Readonly<Record<string, unknown>>,
): readonly [message: string, hint?: string | undefined] {
  const value = typeof data === "string" ? `"${data}"` : JSON.stringify(data);
  const limit = Number(params["limit"]);
  switch (keyword) {
    case "type": {
      const types = [params["type"]].flat().map((type) => typeTexts[String(type)] ?? String(type));
      return [`must be ${types.join(" or ")}`];
    }
    case "enum": {
      const allowed = (params["allowedValues"] as readonly unknown[]).map(String);
      return typeof data === "string"
        ? [`cannot be ${value}`, suggestion(data, allowed)]
        : ["has a value that is not allowed", `allowed: ${allowed.join(", ")}`];
    }
    case "const":
      return [`cannot be ${value}`, `allowed: ${String(params["allowedValue"])}`];
    case "pattern":
      return [`cannot be ${value}`, `it must match the pattern ${String(params["pattern"])}`];
    case "required":
      return [`needs ${missingText([params["missingProperty"]].flat().map(String), params["either"] === true)}`];
    case "minLength":
      return ["must not be empty"];
    case "maxLength":
      return [`must have ${limit} characters at most`];
    case "minimum":
      return [`must be at least ${limit}`];
    case "maximum":
      return [`must be at most ${limit}`];
    case "minItems":
      return [`must have at least ${limit} element${limit === 1 ? "" : "s"}`];
    case "maxItems":
      return [`must have at most ${limit} elements`];
    case "minProperties":
      return ["must not be empty"];
    case "uniqueItems": {
      const twice = (data as readonly unknown[])[Number(params["i"])];
      const message = "must not have the same element twice";
      return [message, typeof twice === "object" ? undefined : `${JSON.stringify(twice)} is there twice`];
    }
    default:
      return [message ?? "is not allowed"];
  }
}
