import { httpProvider } from "../semantic/http-provider.ts";
import type { EmbeddingProvider } from "../semantic/provider.ts";
import { staticProvider } from "../semantic/static-provider.ts";
import { type Settings, SettingsError } from "./settings.ts";

type EmbeddingSettings = Pick<
  Settings,
  "embeddings" | "embeddingsModel" | "embeddingsDimensions" | "embeddingsKey" | "embeddingsTimeoutMs"
>;

/**
 * The models of search by meaning: the one of the settings, and after it the one of this project, whose index may answer while the other's is
 * being built.
 *
 * @throws SettingsError for an endpoint without its model, ModelError when a file of the project's model is missing or cut
 */
export function embeddingProviders(settings: EmbeddingSettings): readonly [EmbeddingProvider, ...EmbeddingProvider[]] {
  const own = staticProvider();
  const { embeddings: url, embeddingsModel: model, embeddingsDimensions: dims } = settings;
  if (url === "static") return [own];
  if (model === "" || dims === 0)
    throw new SettingsError(
      "TENON_EMBEDDINGS names an endpoint, so TENON_EMBEDDINGS_MODEL and TENON_EMBEDDINGS_DIMENSIONS must be set",
    );
  return [httpProvider({ url, model, dims, key: settings.embeddingsKey, timeout: settings.embeddingsTimeoutMs }), own];
}
