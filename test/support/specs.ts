import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Results } from "../../generator/cache/results.ts";
import { Diagnostics } from "../../generator/diagnostic/diagnostic.ts";
import { connectorModel, type SpecFolder } from "../../generator/model/connector.ts";
import type { ConnectorModel } from "../../generator/model/types.ts";
import { specFolders } from "../../generator/spec-folders.ts";

const root = join(import.meta.dirname, "../..");

/** The GitHub spec as the generator reads it; `more` adds or replaces files. */
export function githubFolder(more: Readonly<Record<string, string>> = {}): SpecFolder {
  const folder = join(root, "spec/github");
  const files = new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith(".yaml"))
      .map((file) => [file, readFileSync(join(folder, file), "utf8")]),
  );
  for (const [file, text] of Object.entries(more)) files.set(file, text);
  return {
    path: "spec/github",
    files: [...files].map(([file, text]) => ({ path: `spec/github/${file}`, text })),
    read: (reference) => readFileSync(join(reference.startsWith("@") ? join(root, "node_modules") : folder, reference), "utf8"),
    module: (file) => `../../spec/github/${file}`,
  };
}

/** The folders of all connectors of this repository, as the generator reads them. */
export function allFolders(): SpecFolder[] {
  return specFolders(join(root, "spec"), join(root, "generated")).map((folder) => ({
    ...folder,
    path: relative(root, folder.path),
    files: folder.files.map(({ path, text }) => ({ path: relative(root, path), text })),
  }));
}

let models: readonly ConnectorModel[] | undefined;

/** The models of all connectors: what is tested with them is tested for a new connector the moment its spec exists. */
export function allModels(): readonly ConnectorModel[] {
  models ??= allFolders().flatMap((folder) => connectorModel(folder, new Diagnostics(), new Results()) ?? []);
  return models;
}

let model: ConnectorModel | undefined;

/** The model of the GitHub connector: arbitraries are derived from it, so that a new entity is tested the moment its spec exists. */
export function githubModel(): ConnectorModel {
  model ??= connectorModel(githubFolder(), new Diagnostics(), new Results());
  if (model === undefined) throw new Error("the GitHub spec has no model");
  return model;
}
