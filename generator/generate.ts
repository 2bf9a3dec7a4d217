import { keyOf, Results } from "./cache/results.ts";
import { type Diagnostic, Diagnostics } from "./diagnostic/diagnostic.ts";
import type { EmittedFile, MadeFile } from "./emit/emitter.ts";
import { emitters } from "./emit/index.ts";
import { languageText } from "./load/language.ts";
import type { SpecFolder } from "./model/connector.ts";
import { connectorConstant } from "./model/names.ts";
import type { ConnectorModel, EntityModel } from "./model/types.ts";
import type { Content } from "./print/content.ts";
import { print } from "./print/print.ts";

export interface Generated {
  /** Files by path below `generated/`. Empty when there are diagnostics. */
  readonly files: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A connector whose spec has no fault: its name, and its model unless all of its files are known already. `outputs` are the keys
 * of its emitted files; `references` are the hashes of the files that the spec refers to.
 */
interface GoodConnector {
  readonly name: string;
  readonly file: string;
  readonly outputs?: readonly string[];
  readonly made?: { readonly key: string; readonly references: References; readonly model: ConnectorModel };
}

/** A file as it is kept: with its text, or with the key of its text. */
type KeptFile = EmittedFile | { readonly path: string; readonly printed: string };

/** Marks a reference to a module, of which only the address counts. */
const modulePrefix = "module:";

type References = readonly (readonly [reference: string, hash: string])[];

/**
 * Makes files of specs. The same specs give the same bytes, whether results of earlier work are there or not: they only save
 * the time to do the work again. Modules that only the work itself needs are loaded when there is work.
 */
export class Generator {
  readonly #results: Results;
  /** Hashes of the files that specs refer to, by their places. */
  readonly #hashes = new Map<string, { readonly text: string; readonly hash: string }>();

  constructor(results: Results = new Results()) {
    this.#results = results;
  }

  /**
   * @param library name of the package from which generated code imports the runtime; absent for the sources of this repository
   * @param step told of each step before it begins; a connector has two, the check of its spec and the writing of its files
   */
  async generate(
    folders: readonly SpecFolder[],
    library?: string,
    step: (connector: string, done: number, total: number) => void = () => undefined,
  ): Promise<Generated> {
    const diagnostics = new Diagnostics();
    const connectors: GoodConnector[] = [];
    const steps = 2 * folders.length;
    const languages = keyOf("languages", languageText(), languageText("simulator"));
    for (const [index, folder] of folders.entries()) {
      step(folder.path, index, steps);
      const connector = await this.#connector(folder, languages, diagnostics, library);
      if (connector === undefined) continue;
      checkName(connector, connectors, diagnostics);
      connectors.push(connector);
    }
    const files = new Map<string, string>();
    if (diagnostics.count === 0) {
      for (const [index, connector] of connectors.entries()) {
        step(connector.name, folders.length + index, steps);
        for (const file of await this.#files(connector)) files.set(`${connector.name}/${file.path}`, file.text);
      }
      files.set(
        "index.ts",
        await this.#index(
          connectors.map(({ name }) => name),
          library,
        ),
      );
    }
    return { files, diagnostics: diagnostics.sorted() };
  }

  /**
   * A connector with the same bytes in its spec and in everything that the spec refers to has the same files as before.
   *
   * @param languages names the texts of the languages that the spec is written in
   */
  async #connector(
    folder: SpecFolder,
    languages: string,
    diagnostics: Diagnostics,
    library: string | undefined,
  ): Promise<GoodConnector | undefined> {
    const spec = [...folder.files].sort((a, b) => (a.path < b.path ? -1 : 1)).flatMap(({ path, text }) => [path, text]);
    const key = keyOf("connector", languages, library ?? "", folder.path, ...spec);
    const known = this.#results.find<{ name: string; file: string; outputs: readonly string[]; references: References }>(key);
    const textOf = (reference: string) =>
      reference.startsWith(modulePrefix) ? folder.module(reference.slice(modulePrefix.length)) : folder.read(reference);
    const hashOf = (reference: string, text: string) => this.#hashOf(`${folder.path}/${reference}`, text);
    const same = (reference: string, hash: string) => {
      const text = textOf(reference);
      return text !== undefined && hashOf(reference, text) === hash;
    };
    if (known?.references.every(([reference, hash]) => same(reference, hash)))
      if (known.outputs.every((output) => this.#find(output) !== undefined)) return known;
    const references = new Map<string, string>();
    const look = (reference: string) => {
      const text = textOf(reference);
      if (text !== undefined && !references.has(reference)) references.set(reference, hashOf(reference, text));
      return text;
    };
    const module = (file: string) => look(modulePrefix + file);
    const before = diagnostics.count;
    const { connectorModel } = await import("./model/connector.ts");
    const model = connectorModel({ ...folder, read: look, module }, diagnostics, this.#results);
    if (model === undefined || diagnostics.count > before) return undefined;
    const named = library === undefined ? model : { ...model, library };
    return { name: model.name, file: model.file, made: { key, references: [...references], model: named } };
  }

  /** Public schemas have megabytes, and are the same each time a watcher generates. */
  #hashOf(place: string, text: string): string {
    const known = this.#hashes.get(place);
    if (known?.text === text) return known.hash;
    const hash = keyOf("reference", text);
    this.#hashes.set(place, { text, hash });
    return hash;
  }

  async #files({ name, file, outputs = [], made }: GoodConnector): Promise<readonly EmittedFile[]> {
    if (made === undefined) return outputs.flatMap((key) => this.#find(key) ?? []);
    const parts = await this.#emit(made.model);
    this.#results.keep(made.key, { name, file, outputs: parts.map(([key]) => key), references: made.references });
    return parts.flatMap(([, files]) => files);
  }

  /** Emitters read nothing but the model, so their files are known as long as the part of the model that they read is the same. */
  async #emit(model: ConnectorModel): Promise<(readonly [key: string, files: readonly EmittedFile[]])[]> {
    const { entities, ...shared } = model;
    const owns = new Map(entities.map((entity) => [entity, keyOf("entity", JSON.stringify(entity))]));
    const whole = keyOf("model", JSON.stringify(shared), ...owns.values());
    const othersOf = ({ name, like, enums, types, record, store }: EntityModel) => [name, like, enums, types, record, store];
    const around = keyOf("around", JSON.stringify([shared, entities.map(othersOf)]));
    const parts: (readonly [string, readonly EmittedFile[]])[] = [];
    const part = async (key: string, make: () => Promise<readonly MadeFile[]>) => {
      if (this.#find(key) === undefined) await this.#keep(key, await make());
      parts.push([key, this.#find(key) ?? []]);
    };
    for (const emitter of emitters) {
      if (emitter.for === "connector") {
        await part(keyOf("files", emitter.name, whole), async () => (await emitter.load()).connector(model));
        continue;
      }
      for (const [entity, own] of owns)
        await part(keyOf("files", emitter.name, own, around), async () => (await emitter.load()).entity(entity, model));
    }
    return parts;
  }

  /** The files that are kept under a key; undefined where there are none, or where the text of one of them is not kept. */
  #find(key: string): readonly EmittedFile[] | undefined {
    const files = this.#results.find<readonly KeptFile[]>(key)?.map((file) => ({
      path: file.path,
      text: "text" in file ? file.text : this.#results.find<string>(file.printed),
    }));
    return files?.every((file): file is EmittedFile => file.text !== undefined) ? files : undefined;
  }

  async #keep(key: string, made: readonly MadeFile[]): Promise<void> {
    const kept: KeptFile[] = [];
    for (const file of made) kept.push("text" in file ? file : { path: file.path, printed: await this.#print(file.content) });
    this.#results.keep(key, kept);
  }

  /** Most changes of a spec leave most texts as they were, so each is known by what it is made from. @returns the key of the text */
  async #print(content: Content): Promise<string> {
    const key = keyOf("text", JSON.stringify(content));
    if (this.#results.find(key) === undefined) this.#results.keep(key, await print(content));
    return key;
  }

  /** `generated/index.ts`, which lists all connectors. */
  async #index(names: readonly string[], library: string | undefined): Promise<string> {
    const { connectorsModule } = await import("./emit/registry.ts");
    return this.#results.find<string>(await this.#print(connectorsModule(names, library))) ?? "";
  }
}

/** Two connectors of one name would write the same files. */
function checkName({ name, file }: GoodConnector, others: readonly GoodConnector[], diagnostics: Diagnostics): void {
  const twin = others.find((other) => connectorConstant(other.name) === connectorConstant(name));
  if (twin === undefined) return;
  const message =
    twin.name === name
      ? `connector "${name}" is already described in ${twin.file}`
      : `connectors "${name}" and "${twin.name}" would both be called "${connectorConstant(name)}" in generated code`;
  diagnostics.error({ file, line: 1, column: 1 }, "SPEC010", message);
}
