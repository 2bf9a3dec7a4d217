import type { Results } from "../cache/results.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import { type LoadedConnector, loadConnector } from "../load/load.ts";
import type { SourceFile } from "../load/source.ts";
import { buildModel } from "./build.ts";
import { readPlatform } from "./read-platform.ts";
import { atOrigin } from "./repeats.ts";
import { settle } from "./settle.ts";
import { checkSimulator } from "./simulator-file.ts";
import type { ConnectorModel } from "./types.ts";
import { webhookExamples } from "./webhook-examples.ts";
import { checkWhole } from "./whole-checks.ts";

/** One folder of `spec/`. */
export interface SpecFolder {
  /** Path as shown in diagnostics: `spec/github`. */
  readonly path: string;
  readonly files: readonly SourceFile[];
  /** Text of a file that the spec refers to (a public schema), or undefined when there is none. */
  readonly read: (reference: string) => string | undefined;
  /** Address of a file by its path from this folder, as generated code of the connector names it; undefined when there is no such file. */
  readonly module: (file: string) => string | undefined;
}

/** The folder with another text in the place of a file that its spec refers to. */
export function withReference(folder: SpecFolder, reference: string | undefined, text: string): SpecFolder {
  return { ...folder, read: (one) => (one === reference ? text : folder.read(one)) };
}

/**
 * Reads and checks one connector's spec.
 *
 * @param override what a faulty entry of `overrides` does: mostly, what follows from it is not reported
 * @param follow whether each fault is reported once at its cause, or at every place that it is wrong at
 * @returns undefined when too little of it can be read; the diagnostics say why
 */
export function connectorModel(
  folder: SpecFolder,
  diagnostics: Diagnostics,
  results: Results,
  override: "stops" | "goes on" = "stops",
  follow: "causes" | "places" = "causes",
): ConnectorModel | undefined {
  const loaded = loadConnector(folder.path, folder.files, diagnostics, results);
  if (loaded === undefined) {
    diagnostics.rewrite(atOrigin);
    return undefined;
  }
  const spoiled = checkWhole(loaded, diagnostics);
  const { graphql, rest } = loaded.spec.platform;
  if (graphql === undefined && rest === undefined) {
    diagnostics.error(
      loaded.source.at(["platform"]),
      "SPEC016",
      "the platform has no API",
      "describe `graphql`, `rest`, or both",
    );
    return undefined;
  }
  const before = diagnostics.count;
  const platform = readPlatform(loaded.spec.platform, loaded.source, folder.read, diagnostics, results);
  const stops = override === "stops" && diagnostics.count > before;
  const simulator = simulatorOf(folder, loaded, diagnostics);
  if (platform === undefined || stops) return undefined;
  const examples = webhookExamples(loaded, folder.read, diagnostics);
  const model = buildModel(loaded, platform, diagnostics, results, examples);
  if (simulator.simulator !== undefined) checkSimulator(folder, loaded, platform, diagnostics, results);
  if (follow === "causes") settle(loaded, diagnostics, spoiled, override === "stops");
  return { ...model, ...simulator };
}

/** The file that a spec names as its simulator. */
function simulatorOf(
  folder: SpecFolder,
  { spec, source }: LoadedConnector,
  diagnostics: Diagnostics,
): Pick<ConnectorModel, "simulator"> {
  if (spec.simulator === undefined) return {};
  const simulator = folder.module(spec.simulator);
  if (simulator !== undefined) return { simulator };
  diagnostics.error(
    source.at(["simulator"]),
    "SPEC017",
    `cannot read "${spec.simulator}"`,
    "`simulator` names a file by its path from the folder of the spec",
  );
  return {};
}
