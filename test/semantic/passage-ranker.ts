import { cutPassages } from "../../runtime/semantic/passages.ts";
import { recordScore } from "../../runtime/semantic/record-score.ts";
import type { LabelledDocument, LabelledPrompt } from "./labelled-set.ts";
import type { Ranker } from "./ranking.ts";

export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/**
 * Ranks documents by the products of the prompt with their passages, as a search with `dedup: max` does.
 *
 * @param embedPrompts how prompts are embedded, when otherwise than passages
 */
export async function passageRanker(
  documents: readonly LabelledDocument[],
  prompts: readonly LabelledPrompt[],
  embedPassages: Embed,
  embedPrompts = embedPassages,
): Promise<Ranker> {
  const cut = documents.map(({ text }) => cutPassages(text).map((passage) => passage.text));
  const vectors = await embedPassages(cut.flat());
  let end = 0;
  const stored = cut.map(({ length }) => {
    end += length;
    return vectors.slice(end - length, end);
  });
  const asked = await embedPrompts(prompts.map(({ text }) => text));
  const vectorOf = new Map(prompts.map(({ text }, index) => [text, asked[index]]));
  return (prompt) => {
    const vector = vectorOf.get(prompt);
    if (vector === undefined) throw new Error(`"${prompt}" is no prompt of the set`);
    return stored.map((passages) => {
      const [best = -1, second] = passages.map((passage) => product(vector, passage)).sort((a, b) => b - a);
      return recordScore(best, second);
    });
  };
}

function product(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, member, index) => sum + member * (other[index] ?? 0), 0);
}
