import { describe, expect, it } from "vitest";
import { modelFolder, StaticModel } from "../../runtime/semantic/static-model.ts";
import { contentWords, halves, readLabelledSet } from "./labelled-set.ts";
import { passageRanker } from "./passage-ranker.ts";
import { judge, mean, pairedBootstrap, wordRanker } from "./ranking.ts";

const { documents, prompts } = readLabelledSet();
const textOf = new Map(documents.map(({ id, text }) => [id, text]));

describe("the labelled set", () => {
  it("has 200 documents and 100 prompts, each once, and every prompt has a document", () => {
    expect(textOf.size).toBe(200);
    expect(new Set(documents.map(({ text }) => text)).size).toBe(200);
    expect(new Set(prompts.map(({ text }) => text)).size).toBe(100);
    for (const { documents: relevant } of prompts) {
      expect(relevant.length).toBeGreaterThan(0);
      expect(relevant.filter((id) => !textOf.has(id))).toEqual([]);
    }
  });

  it("has prompts that share few words with their documents", () => {
    const shares = prompts.flatMap(({ text, documents: relevant }) =>
      relevant.map((id) => {
        const words = [...contentWords(text)];
        const others = contentWords(textOf.get(id) ?? "");
        const shared = words.filter((word) => others.has(word));
        expect(shared.length, `"${text}" shares ${shared.join(", ")} with ${id}`).toBeLessThanOrEqual(1);
        return shared.length / words.length;
      }),
    );
    expect(shares.reduce((sum, share) => sum + share) / shares.length).toBeLessThan(0.05);
  });

  it("has halves of the same size", () => {
    const { tuning, held } = halves(prompts);
    expect([tuning.length, held.length]).toEqual([50, 50]);
  });
});

describe("the model of the project", () => {
  it("ranks the documents of the set far better than words do", async () => {
    const model = new StaticModel(modelFolder);
    const rank = await passageRanker(documents, prompts, async (texts) => texts.map((text) => model.embed(text)));
    const ours = judge(prompts, documents, rank);
    const words = judge(prompts, documents, wordRanker(documents));
    expect(mean(ours).recall).toBeGreaterThan(0.75);
    expect(mean(ours).ndcg).toBeGreaterThan(0.55);
    expect(mean(words).ndcg).toBeLessThan(0.2);
    let state = 1;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    expect(pairedBootstrap(words, ours, random, 1_000)).toBeLessThan(0.001);
    expect(pairedBootstrap(ours, words, random, 1_000)).toBe(1);
    expect(pairedBootstrap(ours, ours, random, 10)).toBe(1);
  });
});
