import type { Results } from "./cache/results.ts";
import { keyOf } from "./cache/results.ts";
import type { Diagnostics } from "./diagnostic/diagnostic.ts";
import { type LoadedConnector, loadConnector } from "./load/load.ts";
import type { Source, SourceFile } from "./load/source.ts";
import type { PlatformSpec } from "./load/spec.ts";
import { buildModel } from "./model/build.ts";
import { buildGraphqlSchema, describePlatform, type PlatformDescription } from "./model/platform-description.ts";
import type { ConnectorModel } from "./model/types.ts";

/** One folder of `spec/`. */
export interface SpecFolder {
  /** Path as shown in diagnostics: `spec/github`. */
  readonly path: string;
  readonly files: readonly SourceFile[];
  /** Text of a file that the spec refers to (a public schema), or undefined when there is none. */
  readonly read: (reference: string) => string | undefined;
  /** Address of a module in this folder, as generated code of the connector names it; undefined when there is no such file. */
  readonly module: (file: string) => string | undefined;
}

/** Platforms by the hash of their schemas, so that a watcher reads each schema once. */
const platforms = new Map<string, PlatformDescription>();

/** Reads and checks one connector's spec. Undefined when too little of it can be read; the diagnostics say why. */
export function connectorModel(folder: SpecFolder, diagnostics: Diagnostics, results: Results): ConnectorModel | undefined {
  const loaded = loadConnector(folder.path, folder.files, diagnostics);
  if (loaded === undefined) return undefined;
  const platform = readPlatform(folder, loaded.spec.platform, loaded.source, diagnostics);
  const simulator = simulatorOf(folder, loaded, diagnostics);
  return platform === undefined ? undefined : { ...buildModel(loaded, platform, diagnostics, results), ...simulator };
}

/** The module that a spec names as its simulator. */
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
    "`simulator` names a module in the folder of the spec",
  );
  return {};
}

function readPlatform(
  folder: SpecFolder,
  spec: PlatformSpec,
  source: Source,
  diagnostics: Diagnostics,
): PlatformDescription | undefined {
  const read = (path: readonly string[], reference: string) => {
    const text = folder.read(reference);
    if (text === undefined) diagnostics.error(source.at(path), "SPEC017", `cannot read "${reference}"`);
    return text;
  };
  const sdl = spec.graphql === undefined ? "" : read(["platform", "graphql", "schema"], spec.graphql.schema);
  const description = read(["platform", "rest", "description"], spec.rest.description);
  if (sdl === undefined || description === undefined) return undefined;
  const key = keyOf("platform", sdl, description);
  const known = platforms.get(key);
  if (known !== undefined) return known;
  try {
    const platform = describePlatform(spec.graphql === undefined ? undefined : buildGraphqlSchema(sdl), description, key);
    platforms.set(key, platform);
    return platform;
  } catch (thrown) {
    diagnostics.error(
      source.at(["platform"]),
      "SPEC017",
      `a schema of the platform cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
    return undefined;
  }
}
