// Cuts out of a platform's whole description what a connector's spec uses, and says where it comes from.
//
//   node generator/extract.ts CONNECTOR FROM [AS]
//
// FROM is `package@version/path` of npm, an http or https address, or a file; AS says what a file's origin is.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Results } from "./cache/results.ts";
import { Diagnostics, formatDiagnostic } from "./diagnostic/diagnostic.ts";
import { extractSchema } from "./extract/graphql-extract.ts";
import { extractOpenApi } from "./extract/open-api-extract.ts";
import { type Described, readDescribed } from "./extract/source.ts";
import { usedByModel } from "./extract/used.ts";
import { loadConnector } from "./load/load.ts";
import type { ConnectorSpec } from "./load/spec.ts";
import { connectorModel, type SpecFolder, withReference } from "./model/connector.ts";
import { buildGraphqlSchema, isOpenApiText, parseDescription } from "./model/read-platform.ts";
import { specFolders } from "./spec-folders.ts";

process.exitCode = await run(process.argv.slice(2)).catch((thrown: unknown) => {
  console.error(`extract: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  return 1;
});

async function run([connector, from, as]: readonly string[]): Promise<number> {
  if (connector === undefined || from === undefined) {
    console.error("usage: extract CONNECTOR FROM [AS]");
    return 2;
  }
  const [folder] = specFolders("spec", "generated", connector);
  if (folder === undefined) throw new Error(`there is no folder spec/${connector}`);
  const read = await readDescribed(from);
  const described = as === undefined ? read : { ...read, source: as };
  const diagnostics = new Diagnostics();
  const loaded = loadConnector(folder.path, folder.files, diagnostics);
  if (loaded === undefined || diagnostics.count > 0) return tell(diagnostics);
  const [file, text] = isOpenApiText(described.text)
    ? rest(loaded, described)
    : graphql(folder, loaded.spec, described, diagnostics);
  if (diagnostics.count > 0) return tell(diagnostics);
  if (file === undefined || file.includes("node_modules"))
    throw new Error(`spec/${connector}/connector.yaml names no file for this description`);
  writeFileSync(join(folder.path, file), text);
  console.log(`wrote: ${join(folder.path, file)} (${text.split("\n").length} lines of ${described.text.split("\n").length})`);
  return 0;
}

function tell(diagnostics: Diagnostics): number {
  for (const one of diagnostics.sorted()) console.error(formatDiagnostic(one));
  return 1;
}

function rest(
  { spec, entities }: NonNullable<ReturnType<typeof loadConnector>>,
  { text, source }: Described,
): [string | undefined, string] {
  const calls = entities.flatMap((entity) => Object.values(entity.spec.actions).flatMap((action) => action.rest ?? []));
  const extract = extractOpenApi(parseDescription(text), calls, source);
  return [spec.platform.rest?.description, `${JSON.stringify(extract, null, 1)}\n`];
}

/** The spec is checked against the whole schema first, so that a spec that needs more than the last extract has can be extracted. */
function graphql(
  folder: SpecFolder,
  { platform }: ConnectorSpec,
  { text, source }: Described,
  diagnostics: Diagnostics,
): [string | undefined, string] {
  const file = platform.graphql?.schema;
  const model = connectorModel(withReference(folder, file, text), diagnostics, new Results());
  if (model === undefined || diagnostics.count > 0) return [file, ""];
  const schema = buildGraphqlSchema(text);
  return [file, extractSchema(schema, text, usedByModel(model), source)];
}
