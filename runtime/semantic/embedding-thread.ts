import { serveCalls } from "../base/serve-calls.ts";
import type { EmbeddingApi } from "./embedding-api.ts";
import { cutPassages } from "./passages.ts";
import { StaticModel } from "./static-model.ts";

serveCalls<EmbeddingApi>(() => {
  /** The model, once a text was to be embedded. */
  let loaded: { readonly folder: string; readonly model: StaticModel } | undefined;
  return {
    methods: {
      cut: (texts) => texts.map(cutPassages),
      embed: (texts, folder) => {
        if (loaded?.folder !== folder) loaded = { folder, model: new StaticModel(new URL(folder)) };
        const { model } = loaded;
        return texts.map((text) => model.embed(text));
      },
    },
  };
});
