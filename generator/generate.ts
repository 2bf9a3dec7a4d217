import { createHash } from "node:crypto";
import { type Diagnostic, Diagnostics } from "./diagnostic.ts";
import type { EmittedFile } from "./emit/emitter.ts";
import { emitters } from "./emit/index.ts";
import { connectorsModule } from "./emit/registry.ts";
import { type LoadedConnector, loadConnector } from "./load/load.ts";
import type { SourceFile } from "./load/source.ts";
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

export interface Generated {
  /** Files by path below `generated/`. Empty when there are diagnostics. */
  readonly files: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
  readonly models: readonly ConnectorModel[];
}

/**
 * From specs to files. Pure: reads nothing but what it is given, and the same specs give the same bytes.
 *
 * An instance remembers parsed schemas and what it emitted for which model, so that in watch mode only what changed is done again.
 */
export class Generator {
  readonly #platforms = new Map<string, PlatformDescription>();
  readonly #emitted = new Map<string, readonly EmittedFile[]>();

  generate(folders: readonly SpecFolder[]): Generated {
    const diagnostics = new Diagnostics();
    const models: ConnectorModel[] = [];
    for (const folder of folders) {
      const loaded = loadConnector(folder.path, folder.files, diagnostics);
      if (loaded === undefined) continue;
      const platform = this.#platform(folder, loaded.spec.platform, diagnostics, loaded.source.at);
      const simulator = simulatorOf(folder, loaded, diagnostics);
      if (platform !== undefined) models.push({ ...buildModel(loaded, platform, diagnostics), ...simulator });
    }
    const files = new Map<string, string>();
    if (diagnostics.count === 0) {
      for (const model of models) for (const file of this.#emit(model)) files.set(`${model.name}/${file.path}`, file.text);
      files.set("index.ts", connectorsModule(models));
    }
    return { files, diagnostics: diagnostics.sorted(), models };
  }

  #platform(
    folder: SpecFolder,
    platform: { graphql?: { schema: string }; rest: { description: string } },
    diagnostics: Diagnostics,
    at: (path: readonly string[]) => Parameters<Diagnostics["error"]>[0],
  ): PlatformDescription | undefined {
    const sdl = platform.graphql === undefined ? undefined : folder.read(platform.graphql.schema);
    const description = folder.read(platform.rest.description);
    if (platform.graphql !== undefined && sdl === undefined)
      diagnostics.error(at(["platform", "graphql", "schema"]), "SPEC017", `cannot read "${platform.graphql.schema}"`);
    if (description === undefined)
      diagnostics.error(at(["platform", "rest", "description"]), "SPEC017", `cannot read "${platform.rest.description}"`);
    if ((platform.graphql !== undefined && sdl === undefined) || description === undefined) return undefined;
    const key = hash(`${sdl ?? ""}\0${description}`);
    let known = this.#platforms.get(key);
    if (known === undefined) {
      try {
        known = describePlatform(sdl === undefined ? undefined : buildGraphqlSchema(sdl), description);
      } catch (thrown) {
        diagnostics.error(
          at(["platform"]),
          "SPEC017",
          `a schema of the platform cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
        );
        return undefined;
      }
      this.#platforms.set(key, known);
    }
    return known;
  }

  /** Emitters are pure, so their output is known as long as what they read is the same. */
  #emit(model: ConnectorModel): EmittedFile[] {
    const { entities, ...shared } = model;
    const connectorKey = hash(JSON.stringify(model));
    const sharedKey = hash(
      JSON.stringify([
        shared,
        entities.map((entity) => [entity.name, entity.like, entity.enums, entity.types, entity.record, entity.store]),
      ]),
    );
    const next = new Map<string, readonly EmittedFile[]>();
    const remember = (key: string, make: () => readonly EmittedFile[]) => {
      const files = this.#emitted.get(key) ?? make();
      next.set(key, files);
      return files;
    };
    const keys = new Map(entities.map((entity) => [entity, hash(JSON.stringify(entity))]));
    const files = emitters.flatMap((emitter) =>
      "connector" in emitter
        ? remember(`${emitter.name} ${connectorKey}`, () => emitter.connector(model))
        : entities.flatMap((entity) =>
            remember(`${emitter.name} ${entity.name} ${keys.get(entity)} ${sharedKey}`, () => emitter.entity(entity, model)),
          ),
    );
    for (const key of this.#emitted.keys()) if (!next.has(key)) this.#emitted.delete(key);
    for (const [key, value] of next) this.#emitted.set(key, value);
    return files;
  }
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

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
