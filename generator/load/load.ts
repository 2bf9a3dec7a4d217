import { withoutMark } from "../../runtime/base/byte-order-mark.ts";
import { keyOf, Results } from "../cache/results.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import { accept } from "./accept.ts";
import { languageText } from "./language.ts";
import { readSource, type Source, type SourceFile } from "./source.ts";
import type { ConnectorSpec, EntitySpec } from "./spec.ts";

/** One connector's folder, read and accepted by the spec language; nothing is resolved yet. */
export interface LoadedConnector {
  readonly spec: ConnectorSpec;
  readonly source: Source;
  readonly entities: readonly { readonly spec: EntitySpec; readonly source: Source }[];
  /** Every file could be read. Otherwise it cannot be said what is never used, because a file that could not be read may use it. */
  readonly complete: boolean;
  /** The texts of the files that could not be read. */
  readonly broken: readonly string[];
}

/**
 * Reads the YAML files of one connector.
 *
 * @param folder Its path as shown in diagnostics.
 * @param results Texts that the spec language has allowed before; this adds its own.
 * @returns undefined when the folder has no `connector.yaml` that can be used; `diagnostics` then say why.
 */
export function loadConnector(
  folder: string,
  files: readonly SourceFile[],
  diagnostics: Diagnostics,
  results = new Results(),
): LoadedConnector | undefined {
  const before = diagnostics.count;
  const language = languageName();
  let connector: { spec: ConnectorSpec; source: Source } | undefined;
  const entities: { spec: EntitySpec; source: Source }[] = [];
  const broken: string[] = [];
  for (const file of [...files].filter(isSpec).sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const read = readSpec(file, language, diagnostics, results);
    if (read === undefined) {
      broken.push(file.text);
      continue;
    }
    const { spec, source } = read;
    if (isConnector(spec)) {
      if (connector !== undefined)
        diagnostics.error(source.at(["connector"]), "SPEC004", `the connector is already described in ${connector.source.path}`);
      connector = { spec, source };
    } else {
      const twin = entities.find((other) => other.spec.entity === spec.entity);
      if (twin !== undefined)
        diagnostics.error(
          source.at(["entity"]),
          "SPEC004",
          `entity "${spec.entity}" is already described in ${twin.source.path}`,
        );
      else entities.push({ spec, source });
    }
  }
  if (connector === undefined) {
    if (diagnostics.count === before)
      diagnostics.error({ file: `${folder}/connector.yaml`, line: 1, column: 1 }, "SPEC017", "this folder has no connector.yaml");
    return undefined;
  }
  entities.sort((a, b) => (a.spec.entity < b.spec.entity ? -1 : 1));
  return { ...connector, entities, complete: diagnostics.count === before, broken };
}

/** Whether a description is of a REST API: JSON, or YAML with the key `openapi`. Otherwise it is a GraphQL schema. */
export function isOpenApiText(text: string): boolean {
  return isJson(text) || /^(["']?)(?:openapi|swagger)\1\s*:\s*["']?\d/m.test(withoutMark(text));
}

const isJson = (text: string) => /^\s*\{/.test(text);

/** A description of a platform's REST API may be YAML too, and stand beside the spec. */
function isSpec({ text }: SourceFile): boolean {
  return !(isJson(text) ? /"(?:openapi|swagger)"\s*:/.test(text) : isOpenApiText(text));
}

/** The text of the spec language that was hashed last. */
let named = { text: "", name: "" };

function languageName(): string {
  const text = languageText();
  if (text !== named.text) named = { text, name: keyOf("language", text) };
  return named.name;
}

interface ReadSpec {
  readonly spec: ConnectorSpec | EntitySpec;
  readonly source: Source;
}

/** @param language what `languageName` gives */
function readSpec(file: SourceFile, language: string, diagnostics: Diagnostics, results: Results): ReadSpec | undefined {
  const name = file.path.split("/").slice(-2).join("/");
  if (!/^[\w./-]+$/.test(name)) {
    const position = { file: file.path.replace(/[^\w./-]/g, "?"), line: 1, column: 1 };
    diagnostics.error(
      position,
      "SPEC017",
      "the name of this file or of its folder has a character that is not allowed",
      "allowed: letters, digits, dots, dashes and underscores",
    );
    return undefined;
  }
  const source = readSource(file, diagnostics, results);
  if (source === undefined) return undefined;
  const key = keyOf("allowed", language, file.text);
  const isAllowed = results.find(key) === true;
  const spec = isAllowed ? (source.value as ReadSpec["spec"]) : accept(source, diagnostics, results);
  if (spec === undefined) return undefined;
  if (!isAllowed) results.keep(key, true);
  return { spec, source };
}

function isConnector(spec: ConnectorSpec | EntitySpec): spec is ConnectorSpec {
  return Object.hasOwn(spec, "connector");
}
