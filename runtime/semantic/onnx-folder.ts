import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ModelError } from "./model-error.ts";

type Json = Readonly<Record<string, unknown>>;

/** A sentence transformer, as the files of its folder describe it. */
export interface OnnxFolder {
  /** Name of the folder, and a digest of the files that decide its embeddings. */
  readonly name: string;
  readonly modelFile: string;
  readonly tokenizer: Json;
  readonly tokenizerConfig: Json;
  /** Tokens of a text that the transformer reads. */
  readonly longest: number;
  /** Whether an embedding is the mean over all tokens or the vector of the first one. */
  readonly pooling: "mean" | "first";
}

/** Tokens that are read of a text by a transformer whose folder does not say it. Passages have about 160. */
const defaultLongest = 256;

/**
 * Reads a folder in the layout of sentence transformers: `tokenizer.json`, one file `.onnx` (in the folder itself or in its folder `onnx`),
 * and where they exist `tokenizer_config.json`, `sentence_bert_config.json` and `1_Pooling/config.json`.
 *
 * @throws ModelError when a file is missing or is not what it should be
 */
export function readOnnxFolder(folder: string): OnnxFolder {
  const modelFile = findModel(folder);
  const tokenizer = readJson(folder, "tokenizer.json");
  if (tokenizer === undefined) throw new ModelError(`${folder} has no tokenizer.json`);
  const tokenizerConfig = readJson(folder, "tokenizer_config.json") ?? {};
  const { max_seq_length: longest } = readJson(folder, "sentence_bert_config.json") ?? {};
  const { pooling_mode_cls_token: first, pooling_mode_mean_tokens: mean = true } =
    readJson(folder, "1_Pooling/config.json") ?? {};
  if (first !== true && mean !== true)
    throw new ModelError(`${join(folder, "1_Pooling/config.json")} names neither the mean nor the first token`);
  const most = Number(tokenizerConfig["model_max_length"] ?? defaultLongest);
  const digest = createHash("sha256").update(readFileSync(modelFile)).update(JSON.stringify(tokenizer)).digest("hex");
  return {
    name: `${basename(folder)} ${digest.slice(0, 12)}`,
    modelFile,
    tokenizer,
    tokenizerConfig,
    longest: Math.min(most, Number.isInteger(longest) ? Number(longest) : defaultLongest),
    pooling: first === true ? "first" : "mean",
  };
}

/** The tokens of a text that are read; the last one, which ends every text, is kept. */
export function tokensRead(ids: readonly number[], { longest }: Pick<OnnxFolder, "longest">) {
  if (ids.length <= longest) return { ids, cut: false };
  return { ids: [...ids.slice(0, longest - 1), ids.at(-1) ?? 0], cut: true };
}

function findModel(folder: string): string {
  if (!existsSync(folder)) throw new ModelError(`there is no folder ${folder}`);
  const found = ["", "onnx"].flatMap((inner) => {
    const place = join(folder, inner);
    const files = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith(".onnx")) : [];
    return files.map((name) => join(place, name));
  });
  const [file, ...others] = found;
  if (file === undefined) throw new ModelError(`${folder} has no file that ends with .onnx`);
  if (others.length > 0)
    throw new ModelError(`${folder} has ${found.length} files that end with .onnx. Leave one of them there.`);
  return file;
}

function readJson(folder: string, file: string): Json | undefined {
  const path = join(folder, file);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Json;
  } catch {
    throw new ModelError(`${path} is not JSON`);
  }
}
