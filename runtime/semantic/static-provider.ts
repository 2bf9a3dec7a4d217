import { EmbeddingThread, niceOfPassages } from "./embedding-calls.ts";
import type { EmbeddingProvider } from "./provider.ts";
import { checkModel, modelFolder, readMean } from "./static-model.ts";

/**
 * The model of this project. Prompts have a thread of their own, so that they do not wait while passages are embedded.
 *
 * @throws ModelError when a file of the model is missing or cut
 */
export function staticProvider(folder: URL = modelFolder): EmbeddingProvider {
  const { name, dims } = checkModel(folder);
  const forPrompts = new EmbeddingThread();
  const forPassages = new EmbeddingThread(niceOfPassages);
  return {
    model: name,
    dims,
    mean: readMean(folder),
    longestPrompt: 8_192,
    batch: 256,
    embedPrompt: async (prompt) => {
      const [vector = new Float32Array(dims)] = await forPrompts.embed([prompt], folder);
      return { vector, cut: false };
    },
    embedPassages: async (passages) => [...(await forPassages.embed(passages, folder))],
    close: async () => {
      await Promise.all([forPrompts.close(), forPassages.close()]);
    },
  };
}
