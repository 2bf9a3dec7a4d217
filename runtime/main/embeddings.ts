import { httpProvider } from "../semantic/http-provider.ts";
import { onnxProvider } from "../semantic/onnx-provider.ts";
import type { EmbeddingProvider } from "../semantic/provider.ts";
import { staticProvider } from "../semantic/static-provider.ts";
import { type Settings, SettingsError } from "./settings/settings.ts";

type EmbeddingSettings = Pick<
  Settings,
  "embeddings" | "embeddingsModel" | "embeddingsDimensions" | "embeddingsKey" | "embeddingsTimeoutMs" | "embeddingsPerHour"
>;

/** What stands before the folder of a transformer in TENON_EMBEDDINGS. */
const onnxPrefix = "onnx:";

/**
 * The models of search by meaning: the one of the settings, and after it the one of this project, whose index may answer while the other's
 * is being built.
 *
 * @throws SettingsError for an endpoint without its model, ModelError when a file of a model is missing or cut
 */
export async function embeddingProviders(
  settings: EmbeddingSettings,
): Promise<readonly [EmbeddingProvider, ...EmbeddingProvider[]]> {
  const own = staticProvider();
  const { embeddings: url, embeddingsModel: model, embeddingsDimensions: dims, embeddingsTimeoutMs: timeout } = settings;
  if (url === "static") return [own];
  if (url.startsWith(onnxPrefix)) return [await onnxProvider(url.slice(onnxPrefix.length), timeout), own];
  if (model === "" || dims === 0)
    throw new SettingsError(
      "TENON_EMBEDDINGS names an endpoint, so TENON_EMBEDDINGS_MODEL and TENON_EMBEDDINGS_DIMENSIONS must be set",
    );
  return [httpProvider({ url, model, dims, key: settings.embeddingsKey, timeout, perHour: settings.embeddingsPerHour }), own];
}
