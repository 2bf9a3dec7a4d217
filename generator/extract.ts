import { existsSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { Results } from "./cache/results.ts";
import { type Diagnostic, Diagnostics } from "./diagnostic/diagnostic.ts";
import { extractSchema } from "./extract/graphql-extract.ts";
import { extractOpenApi } from "./extract/open-api-extract.ts";
import type { Described } from "./extract/source.ts";
import { usedByModel } from "./extract/used.ts";
import { isOpenApiText, type LoadedConnector, loadConnector } from "./load/load.ts";
import { connectorModel, type SpecFolder, withReference } from "./model/connector.ts";
import { buildGraphqlSchema, parseDescription } from "./model/read-platform.ts";

/** The part of a platform's description that a spec uses. */
export interface Extracted {
  /** The file for it, which the spec names; undefined when the spec has problems. */
  readonly file: string | undefined;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Cuts out of a platform's whole description what the spec of a connector uses, and says where it comes from.
 *
 * @throws Error when the spec names no file of its folder for such a description, or the description lacks a call of the spec
 */
export function extractDescription(folder: SpecFolder, described: Described): Extracted {
  const diagnostics = new Diagnostics();
  const loaded = loadConnector(folder.path, folder.files, diagnostics);
  const nothing = () => ({ file: undefined, text: "", diagnostics: diagnostics.sorted() });
  if (loaded === undefined || diagnostics.count > 0) return nothing();
  const isRest = isOpenApiText(described.text);
  const { graphql, rest } = loaded.spec.platform;
  const name = isRest ? rest?.description : graphql?.schema;
  if (name === undefined)
    throw new Error(`the description is of a ${isRest ? "REST" : "GraphQL"} API, and the connector uses none`);
  const file = join(folder.path, name);
  if (!existsSync(file) && folder.read(name) !== undefined)
    throw new Error(`the spec takes "${name}" from a package; only a file in ${folder.path} can be written`);
  // The spec is checked against the whole schema first: it may need more than the last extract has.
  const text = isRest
    ? restExtract(loaded, described, name)
    : graphqlExtract(withReference(folder, name, described.text), described, diagnostics);
  return text === undefined || diagnostics.count > 0 ? nothing() : { file, text, diagnostics: [] };
}

function restExtract({ entities }: LoadedConnector, { text, source }: Described, name: string): string {
  const calls = entities.flatMap(({ spec }) =>
    Object.values(spec.actions).flatMap(({ rest, poll }) => [rest ?? [], poll?.rest ?? []].flat()),
  );
  const extract = extractOpenApi(parseDescription(text), calls, source);
  return /\.ya?ml$/.test(name) ? stringify(extract, { lineWidth: 0 }) : `${JSON.stringify(extract, null, 1)}\n`;
}

function graphqlExtract(folder: SpecFolder, { text, source }: Described, diagnostics: Diagnostics): string | undefined {
  const model = connectorModel(folder, diagnostics, new Results());
  if (model === undefined || diagnostics.count > 0) return undefined;
  return extractSchema(buildGraphqlSchema(text), text, usedByModel(model), source);
}
