export interface EmbeddedPrompt {
  readonly vector: Float32Array;
  /** Whether the model has not read all of the prompt. */
  readonly cut: boolean;
}

/** A model that turns texts into vectors of length 1 (or 0), so that the product of two of them says how near their meanings are. */
export interface EmbeddingProvider {
  /** Name under which the vectors are stored. Vectors of two models are never compared. */
  readonly model: string;
  readonly dims: number;
  /** The mean of many vectors, which is subtracted before signs are taken; absent where it is not known. */
  readonly mean?: Float32Array;
  /** Characters of a prompt that the model reads. What stands behind them is cut off. */
  readonly longestPrompt: number;
  /** How many passages one call of `embed` takes best. */
  readonly batch: number;
  /**
   * @param prompt at most `longestPrompt` characters
   * @throws TenonError `embedding_failed` when the provider does not answer as it should
   */
  embedPrompt(prompt: string, signal: AbortSignal): Promise<EmbeddedPrompt>;
  /** One vector for each passage. @throws TenonError `embedding_failed` */
  embedPassages(passages: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  /** Ends what the provider has running. */
  close(): Promise<void>;
}
