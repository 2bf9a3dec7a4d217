import { wordsOf } from "../../runtime/search/index.ts";
import type { LabelledDocument, LabelledPrompt } from "./labelled-set.ts";

/** The score of each document for a prompt, in the order of the documents. */
export type Ranker = (prompt: string) => readonly number[];

/**
 * How good one ranking is: the share of the relevant documents among the first ten, and the normalised discounted cumulative gain of the
 * first ten.
 */
export interface Quality {
  readonly recall: number;
  readonly ndcg: number;
}

const depth = 10;

/** The quality of a ranker for each prompt. */
export function judge(prompts: readonly LabelledPrompt[], documents: readonly LabelledDocument[], rank: Ranker): Quality[] {
  return prompts.map(({ text, documents: relevant }) => {
    const scores = rank(text);
    const first = documents
      .map(({ id }, index) => ({ id, score: scores[index] ?? Number.NEGATIVE_INFINITY }))
      .sort((a, b) => b.score - a.score)
      .slice(0, depth);
    const gain = (places: readonly number[]) => places.reduce((sum, place) => sum + 1 / Math.log2(place + 2), 0);
    const places = first.flatMap(({ id }, place) => (relevant.includes(id) ? [place] : []));
    const ideal = Array.from({ length: Math.min(depth, relevant.length) }, (_, place) => place);
    return { recall: places.length / ideal.length, ndcg: gain(places) / gain(ideal) };
  });
}

export function mean(qualities: readonly Quality[]): Quality {
  const of = (name: keyof Quality) => qualities.reduce((sum, one) => sum + one[name], 0) / qualities.length;
  return { recall: of("recall"), ndcg: of("ndcg") };
}

/**
 * Draws the prompts anew many times, to learn whether the second ranker is better beyond chance.
 *
 * @returns the share of the draws in which its nDCG is not above that of the first one; small means better
 */
export function pairedBootstrap(
  first: readonly Quality[],
  second: readonly Quality[],
  random: () => number,
  draws = 10_000,
): number {
  const gains = first.map(({ ndcg }, index) => (second[index]?.ndcg ?? 0) - ndcg);
  let notBetter = 0;
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let i = 0; i < gains.length; i++) sum += gains[Math.floor(random() * gains.length)] ?? 0;
    if (sum <= 0) notBetter++;
  }
  return notBetter / draws;
}

/** BM25 over the words of cached search, which are not stemmed. */
export function wordRanker(documents: readonly LabelledDocument[]): Ranker {
  const [saturation, length] = [1.2, 0.75];
  const counts = documents.map(({ text }) => {
    const count = new Map<string, number>();
    for (const word of wordsOf(text)) count.set(word, (count.get(word) ?? 0) + 1);
    return count;
  });
  const lengths = counts.map((count) => [...count.values()].reduce((sum, one) => sum + one, 0));
  const average = lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
  return (prompt) => {
    const rarities = [...new Set(wordsOf(prompt))].map((word) => {
      const having = counts.filter((count) => count.has(word)).length;
      return { word, rarity: Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)) };
    });
    return counts.map((count, index) => {
      const norm = saturation * (1 - length + (length * (lengths[index] ?? 0)) / average);
      return rarities.reduce((sum, { word, rarity }) => {
        const times = count.get(word) ?? 0;
        return sum + (rarity * times * (saturation + 1)) / (times + norm);
      }, 0);
    });
  };
}
