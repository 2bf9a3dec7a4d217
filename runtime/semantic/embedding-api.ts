import type { Passage } from "./passages.ts";

/** What the thread that cuts and embeds texts does. */
export interface EmbeddingApi {
  /** Cuts texts into passages. */
  cut(texts: readonly string[]): readonly (readonly Passage[])[];
  /** Embeds texts by the model in a folder. */
  embed(texts: readonly string[], folder: string): readonly Float32Array[];
}
