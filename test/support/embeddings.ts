import { createHash } from "node:crypto";
import type { EmbeddingProvider } from "../../runtime/semantic/provider.ts";

/** A model for tests: a vector that only the text decides, in which shared words bring texts nearer. */
export function testProvider(more: Partial<EmbeddingProvider> = {}): EmbeddingProvider {
  const dims = more.dims ?? 48;
  return {
    model: "test-model",
    dims,
    longestPrompt: 1_000,
    batch: 7,
    embedPrompt: async (prompt) => ({ vector: embed(prompt, dims), cut: false }),
    embedPassages: async (passages) => passages.map((passage) => embed(passage, dims)),
    close: async () => undefined,
    ...more,
  };
}

/** The sum of a random direction for each word, of length 1; zeros for a text without words. */
export function embed(text: string, dims: number): Float32Array {
  const sum = new Float32Array(dims);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let digest = Buffer.alloc(0);
    for (let i = 0; i < dims; i++) {
      if (i % 32 === 0) digest = createHash("sha256").update(`${word} ${i}`).digest();
      sum[i] = (sum[i] ?? 0) + (digest[i % 32] ?? 0) / 127.5 - 1;
    }
  }
  const length = Math.hypot(...sum);
  return length === 0 ? sum : sum.map((member) => member / length);
}
