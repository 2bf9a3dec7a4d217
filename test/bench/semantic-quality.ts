import { onnxProvider } from "../../runtime/semantic/onnx-provider.ts";
import { modelFolder, readMean, StaticModel } from "../../runtime/semantic/static-model.ts";
import { factorBytes, packVector, signCode } from "../../runtime/semantic/vectors.ts";
import { halves, type LabelledDocument, type LabelledPrompt, readLabelledSet } from "../semantic/labelled-set.ts";
import { type Embed, passageRanker } from "../semantic/passage-ranker.ts";
import { judge, mean, type Ranker, wordRanker } from "../semantic/ranking.ts";
import { type Row, round } from "./report.ts";

/** How well the models rank the labelled set, and what it costs to store bytes, or signs only, in the place of floats. */
export async function qualityRows(): Promise<Row[]> {
  const { documents, prompts } = readLabelledSet();
  const { held } = halves(prompts);
  const model = new StaticModel(modelFolder);
  const average = readMean(modelFolder);
  const floats: Embed = async (texts) => texts.map((text) => model.embed(text));
  const bytes: Embed = async (texts) => (await floats(texts)).map(storedBytes);
  const signs: Embed = async (texts) => (await floats(texts)).map((vector) => signsOf(vector, average));
  const rows = (what: string, rank: Ranker): Row[] => {
    const all = mean(judge(prompts, documents, rank));
    const half = mean(judge(held, documents, rank));
    return [
      { what: `labelled set, ${what}: recall@10 (held half)`, value: round(all.recall, 3), unit: `(${round(half.recall, 3)})` },
      { what: `labelled set, ${what}: nDCG@10 (held half)`, value: round(all.ndcg, 3), unit: `(${round(half.ndcg, 3)})` },
    ];
  };
  const ranker = (passages: Embed, asked: Embed) => passageRanker(documents, prompts, passages, asked);
  return [
    ...rows("BM25 of the words of cached search", wordRanker(documents)),
    ...rows("static", await ranker(floats, floats)),
    ...(await transformerRows(rows, documents, prompts)),
    ...rows("static, passages as bytes", await ranker(bytes, floats)),
    ...rows("static, passages as signs", await ranker(signs, floats)),
    ...rows("static, passages and prompts as signs", await ranker(signs, signs)),
  ];
}

/** The ranking of the transformer whose folder TENON_TEST_ONNX names. */
async function transformerRows(
  rows: (what: string, rank: Ranker) => Row[],
  documents: readonly LabelledDocument[],
  prompts: readonly LabelledPrompt[],
): Promise<Row[]> {
  const folder = process.env["TENON_TEST_ONNX"] ?? "";
  if (folder === "") return [];
  const provider = await onnxProvider(folder, 600_000);
  try {
    let seconds = 0;
    const embed: Embed = async (texts) => {
      const began = performance.now();
      const vectors = await provider.embedPassages(texts, AbortSignal.timeout(600_000));
      seconds += (performance.now() - began) / 1000;
      return vectors;
    };
    const ranked = rows(`onnx, ${provider.model}`, await passageRanker(documents, prompts, embed));
    return [...ranked, { what: "labelled set, onnx: passages and prompts embedded", value: Math.round(seconds), unit: "s" }];
  } finally {
    await provider.close();
  }
}

/** A vector as the store keeps it. */
function storedBytes(vector: Float32Array): Float32Array {
  const packed = packVector(vector, vector.length);
  const factor = new DataView(packed.buffer).getFloat32(0, true);
  return Float32Array.from(new Int8Array(packed.buffer, factorBytes, vector.length), (byte) => byte * factor);
}

/** What the code of a vector tells: 1 for each member above its mean, -1 for the others. */
function signsOf(vector: Float32Array, average: Float32Array): Float32Array {
  const code = signCode(vector, average);
  return vector.map((_, index) => (((code[index >> 3] ?? 0) >> (index & 7)) & 1 ? 1 : -1));
}
