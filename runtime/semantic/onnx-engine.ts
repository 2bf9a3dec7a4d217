import { firstLine } from "../base/first-line.ts";
import { ModelError } from "./model-error.ts";
import { type OnnxFolder, readOnnxFolder, tokensRead } from "./onnx-folder.ts";

/** Packages that are not installed by default. Of their interfaces, what is used here. */
const enginePackage = "onnxruntime-node";
const tokenizerPackage = "@huggingface/tokenizers";
const install = `ONNXRUNTIME_NODE_INSTALL=skip npm install ${enginePackage} ${tokenizerPackage}`;

interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}
interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Tensor>>>;
}
interface Engine {
  readonly InferenceSession: { create(file: string, options: object): Promise<Session> };
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => object;
}
interface Tokenizers {
  readonly Tokenizer: new (tokenizer: object, config: object) => { encode(text: string): { readonly ids: readonly number[] } };
}

/** A sentence transformer that is loaded. */
export interface OnnxEngine {
  readonly name: string;
  readonly dims: number;
  /** The embedding of a text, of length 1, and whether the text was longer than the transformer reads. */
  embed(text: string): Promise<{ readonly vector: Float32Array; readonly cut: boolean }>;
}

/** What a transformer may take. */
const inputs: readonly string[] = ["input_ids", "attention_mask", "token_type_ids"];

/**
 * Loads a sentence transformer.
 *
 * @param load imports a package
 * @throws ModelError when the packages are not installed or the folder cannot be used
 */
export async function openOnnx(path: string, load: (name: string) => Promise<object> = imported): Promise<OnnxEngine> {
  const folder = readOnnxFolder(path);
  const { InferenceSession, Tensor } = await packageOf<Engine>(enginePackage, load);
  const { Tokenizer } = await packageOf<Tokenizers>(tokenizerPackage, load);
  const tokenizer = attempt("tokenizer.json", () => new Tokenizer(folder.tokenizer, folder.tokenizerConfig));
  const session = await InferenceSession.create(folder.modelFile, { logSeverityLevel: 4 }).catch((thrown: unknown) => {
    throw new ModelError(`${folder.modelFile} cannot be loaded: ${lineOf(thrown)}`);
  });
  const unknown = session.inputNames.filter((name) => !inputs.includes(name));
  if (unknown.length > 0) throw new ModelError(`${folder.modelFile} takes ${unknown.join(", ")}; known are ${inputs.join(", ")}`);
  const output = session.outputNames.includes("sentence_embedding") ? "sentence_embedding" : (session.outputNames[0] ?? "");

  const embed = async (text: string) => {
    const { ids, cut } = tokensRead(tokenizer.encode(text).ids, folder);
    const tensor = (value: (id: number) => number) =>
      new Tensor(
        "int64",
        BigInt64Array.from(ids, (id) => BigInt(value(id))),
        [1, ids.length],
      );
    const all = { input_ids: tensor((id) => id), attention_mask: tensor(() => 1), token_type_ids: tensor(() => 0) };
    const result = await session.run(
      Object.fromEntries(Object.entries(all).filter(([name]) => session.inputNames.includes(name))),
    );
    const { data = new Float32Array(), dims = [] } = result[output] ?? {};
    return { vector: unit(pooled(data, dims, folder)), cut };
  };
  // The first text tells how long the embeddings are, and whether the files fit each other.
  const { vector } = await embed("ready").catch((thrown: unknown) => {
    throw thrown instanceof ModelError ? thrown : new ModelError(`${folder.modelFile} fails: ${lineOf(thrown)}`);
  });
  return { name: folder.name, dims: vector.length, embed };
}

const imported = (name: string): Promise<object> => import(name);

async function packageOf<Module>(name: string, load: (name: string) => Promise<object>): Promise<Module> {
  try {
    const loaded = (await load(name)) as Module & { readonly default?: Module };
    return loaded.default ?? loaded;
  } catch (thrown) {
    const missing = thrown instanceof Error && "code" in thrown && thrown.code === "ERR_MODULE_NOT_FOUND";
    throw new ModelError(
      missing
        ? `a transformer needs packages that are not installed by default: ${install}`
        : `the package ${name} does not work: ${lineOf(thrown)}`,
    );
  }
}

function attempt<Value>(file: string, make: () => Value): Value {
  try {
    return make();
  } catch (thrown) {
    throw new ModelError(`${file} cannot be used: ${lineOf(thrown)}`);
  }
}

/** One vector of what a transformer gives: one vector already, or one for each token. */
function pooled(data: Float32Array, dims: readonly number[], { pooling, modelFile }: OnnxFolder): Float32Array {
  const width = dims.at(-1) ?? 0;
  const tokens = dims.length === 2 ? 1 : (dims[1] ?? 0);
  if (width === 0 || data.length !== width * tokens)
    throw new ModelError(`${modelFile} gives [${dims.join(", ")}] instead of one vector, or one for each token`);
  if (pooling === "first") return data.slice(0, width);
  const sum = new Float32Array(width);
  for (let at = 0; at < data.length; at++) sum[at % width] = (sum[at % width] ?? 0) + (data[at] ?? 0);
  return sum;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((member) => member / length);
}

function lineOf(thrown: unknown): string {
  return firstLine(thrown).slice(0, 300);
}
