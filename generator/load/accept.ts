import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { suggestion } from "../../runtime/base/suggestion.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import { type Language, languageText } from "./language.ts";
import type { Source } from "./source.ts";
import type { ConnectorSpec, EntitySpec } from "./spec.ts";

const compiled = new Map<Language, { readonly text: string; readonly validate: ValidateFunction }>();

/** The compiled check of a language. It is compiled again when its file has changed, which happens while a watcher runs. */
export function languageCheck(language: Language = "connector"): ValidateFunction {
  const text = languageText(language);
  const known = compiled.get(language);
  if (known?.text === text) return known.validate;
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    verbose: true,
    validateFormats: false,
    validateSchema: false,
    // The check runs once per file, so optimizing its code would take longer than the checks themselves.
    inlineRefs: false,
    code: { optimize: false },
  });
  const validate = ajv.compile(JSON.parse(text) as object);
  compiled.set(language, { text, validate });
  return validate;
}

/** The value of a spec file as a spec, if the spec language allows it. Otherwise the diagnostics say what it does not allow. */
export function accept(source: Source, diagnostics: Diagnostics): ConnectorSpec | EntitySpec | undefined {
  return isAllowed("connector", source, diagnostics) ? (source.value as ConnectorSpec | EntitySpec) : undefined;
}

/** Whether a language allows the value of a file. Otherwise the diagnostics say what it does not allow. */
export function isAllowed(language: Language, source: Source, diagnostics: Diagnostics): boolean {
  const validate = languageCheck(language);
  if (validate(source.value)) return true;
  const errors = validate.errors ?? [];
  for (const error of mostTelling(errors)) report(error, source, diagnostics, mappingInstead(error, errors));
  return false;
}

/**
 * Errors that tell an author something. `anyOf` and `if` only say that something below them failed, and an error of that is
 * reported as well. A wrong type says nothing where another alternative for the same value, or something inside the value, is
 * reported as wrong: the author meant that alternative.
 */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject[] {
  const inner = errors.filter((error) => !["if", "anyOf", "oneOf"].includes(error.keyword));
  const telling = inner.filter(
    (error) => !isOtherKind(error) || !inner.some((other) => other !== error && tellsMore(other, error)),
  );
  return telling.length > 0 ? telling : [...errors];
}

/** The value is of another kind than this alternative wants. */
function isOtherKind({ keyword, data }: ErrorObject): boolean {
  return keyword === "type" || (keyword === "enum" && typeof data === "object");
}

function tellsMore(other: ErrorObject, { instancePath, params }: ErrorObject): boolean {
  if (other.keyword === "type")
    return other.instancePath === instancePath && params["type"] === "null" && other.params["type"] !== "null";
  return other.instancePath === instancePath || other.instancePath.startsWith(`${instancePath}/`);
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

function report(error: ErrorObject, source: Source, diagnostics: Diagnostics, instead: string | undefined): void {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const params = error.params as Readonly<Record<string, unknown>>;
  if (error.keyword === "additionalProperties") {
    const name = String(params["additionalProperty"]);
    const allowed = Object.keys((error.parentSchema?.["properties"] as object | undefined) ?? {});
    diagnostics.error(source.at([...path, name]), "SPEC002", `unknown key "${name}"`, suggestion(name, allowed));
    return;
  }
  // What is wrong with the name of a key is another error, which says more.
  if (error.keyword === "propertyNames") return;
  if (error.propertyName !== undefined) {
    const name = error.propertyName;
    const allowed = params["allowedValues"];
    const { description } = error.parentSchema as { readonly description?: string };
    const hint = Array.isArray(allowed) ? suggestion(name, allowed.map(String)) : description;
    diagnostics.error(source.at([...path, name]), "SPEC002", `"${name}" is not allowed as a name here`, hint);
    return;
  }
  const subject = path.at(-1) === undefined ? "the file" : `"${path.at(-1)}"`;
  const [message, hint] = explain(error, params);
  const more = instead !== undefined && hint?.startsWith("allowed: ") ? `${hint}, or ${instead}` : hint;
  diagnostics.error(source.at(path), "SPEC002", `${subject} ${message}`, more);
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
      return [`needs the key "${String(params["missingProperty"])}"`];
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
    case "uniqueItems":
      return ["must not have the same element twice"];
    default:
      return [message ?? "is not allowed"];
  }
}
