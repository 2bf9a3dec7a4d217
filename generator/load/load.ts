import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { nearest } from "../../runtime/contract/index.ts";
import type { Diagnostics } from "../diagnostic.ts";
import { languageText } from "./language.ts";
import { readSource, type Source, type SourceFile } from "./source.ts";
import type { ConnectorSpec, EntitySpec } from "./spec.ts";

/** One connector's folder, read and accepted by the spec language; nothing is resolved yet. */
export interface LoadedConnector {
  readonly spec: ConnectorSpec;
  readonly source: Source;
  readonly entities: readonly { readonly spec: EntitySpec; readonly source: Source }[];
  /** Every file could be read. Otherwise nobody knows what is unused. */
  readonly complete: boolean;
}

let compiled: { readonly text: string; readonly validate: ValidateFunction } | undefined;

/** Reads the YAML files of one connector. Problems go to `diagnostics`; a connector without a usable `connector.yaml` is undefined. */
export function loadConnector(
  folder: string,
  files: readonly SourceFile[],
  diagnostics: Diagnostics,
): LoadedConnector | undefined {
  const before = diagnostics.count;
  let connector: { spec: ConnectorSpec; source: Source } | undefined;
  const entities: { spec: EntitySpec; source: Source }[] = [];
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const read = readSpec(file, diagnostics);
    if (read === undefined) continue;
    const { spec, source } = read;
    if (isConnector(spec)) {
      if (connector !== undefined) diagnostics.error(source.at(["connector"]), "SPEC004", "this folder has two connector files");
      connector = { spec, source };
    } else {
      const twin = entities.find((other) => other.spec.entity === spec.entity);
      if (twin !== undefined)
        diagnostics.error(source.at(["entity"]), "SPEC004", `entity "${spec.entity}" is described in ${twin.source.path} too`);
      else entities.push({ spec, source });
    }
  }
  if (connector === undefined) {
    if (diagnostics.count === before)
      diagnostics.error({ file: `${folder}/connector.yaml`, line: 1, column: 1 }, "SPEC017", "this folder has no connector.yaml");
    return undefined;
  }
  entities.sort((a, b) => (a.spec.entity < b.spec.entity ? -1 : 1));
  return { ...connector, entities, complete: diagnostics.count === before };
}

interface ReadSpec {
  readonly spec: ConnectorSpec | EntitySpec;
  readonly source: Source;
}

/** Good files by path, so that in watch mode only the file that was saved is read again. */
const known = new Map<string, { readonly text: string; readonly language: ValidateFunction; readonly read: ReadSpec }>();

function readSpec(file: SourceFile, diagnostics: Diagnostics): ReadSpec | undefined {
  const same = known.get(file.path);
  if (same !== undefined && same.text === file.text && same.language === language()) return same.read;
  const name = file.path.split("/").slice(-2).join("/");
  if (!/^[\w./-]+$/.test(name)) {
    const at = { file: file.path.replace(/[^\w./-]/g, "?"), line: 1, column: 1 };
    diagnostics.error(
      at,
      "SPEC017",
      "a folder or file of a spec has only letters, digits, dots, dashes and underscores in its name",
    );
    return undefined;
  }
  const source = readSource(file, diagnostics);
  const spec = source === undefined ? undefined : accept(source, diagnostics);
  if (source === undefined || spec === undefined) return undefined;
  const read = { spec, source };
  known.set(file.path, { text: file.text, language: language(), read });
  return read;
}

function isConnector(spec: ConnectorSpec | EntitySpec): spec is ConnectorSpec {
  return Object.hasOwn(spec, "connector");
}

function accept(source: Source, diagnostics: Diagnostics): ConnectorSpec | EntitySpec | undefined {
  const validate = language();
  if (validate(source.value)) return source.value as ConnectorSpec | EntitySpec;
  for (const error of mostTelling(validate.errors ?? [])) report(error, source, diagnostics);
  return undefined;
}

/** The check of the spec language; made anew when its file has changed, as it does under `make watch`. */
function language(): ValidateFunction {
  const text = languageText();
  if (compiled?.text !== text) {
    const ajv = new Ajv2020({
      allErrors: true,
      strict: true,
      strictRequired: false,
      strictTypes: false,
      verbose: true,
      validateFormats: false,
      validateSchema: false,
      // The check runs once per file: making it fast costs more than it gives.
      inlineRefs: false,
      code: { optimize: false },
    });
    compiled = { text, validate: ajv.compile(JSON.parse(text) as object) };
  }
  return compiled.validate;
}

/**
 * `anyOf` and `if` only say that something below failed; where the something is told, they are noise. So is a wrong type
 * where another alternative of the same value, or something inside it, is told to be wrong: the author meant that one.
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

function report(error: ErrorObject, source: Source, diagnostics: Diagnostics): void {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const params = error.params as Record<string, unknown>;
  if (error.keyword === "additionalProperties") {
    const name = String(params["additionalProperty"]);
    const known = Object.keys((error.parentSchema?.["properties"] as object | undefined) ?? {});
    diagnostics.error(source.at([...path, name]), "SPEC002", `unknown key "${name}"`, didYouMean(name, known));
    return;
  }
  if (error.keyword === "propertyNames") {
    const name = String(params["propertyName"]);
    const { enum: names } = error.schema as { readonly enum?: readonly string[] };
    const hint = names === undefined ? undefined : didYouMean(name, names);
    diagnostics.error(source.at([...path, name]), "SPEC002", `"${name}" cannot be a name here`, hint);
    return;
  }
  if (error.propertyName !== undefined) return;
  const value = typeof error.data === "string" ? ` "${error.data}"` : "";
  const where = path.at(-1) === undefined ? "the file" : `"${path.at(-1)}"`;
  const allowed = params["allowedValues"];
  diagnostics.error(
    source.at(path),
    "SPEC002",
    `${where}${value} ${error.message ?? "is not allowed"}`,
    Array.isArray(allowed) ? didYouMean(String(error.data), allowed.map(String)) : undefined,
  );
}

/** The nearest spelling, or all there are. */
function didYouMean(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? `allowed: ${known.join(", ")}` : `did you mean "${near}"?`;
}
