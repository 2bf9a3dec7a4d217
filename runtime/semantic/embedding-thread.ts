import { parentPort } from "node:worker_threads";
import { cutPassages } from "./passages.ts";
import { StaticModel } from "./static-model.ts";
import type { ThreadAnswer, ThreadRequest } from "./thread-messages.ts";

const port = parentPort;
if (port === null) throw new Error("this module runs in a thread of its own");
/** The model, once a text was to be embedded. */
let loaded: { readonly folder: string; readonly model: StaticModel } | undefined;

port.on("message", (request: ThreadRequest) => {
  const { id } = request;
  try {
    port.postMessage(answerOf(request));
  } catch (thrown) {
    // An exception that left this function would end the thread.
    port.postMessage({
      kind: "failed",
      id,
      message: thrown instanceof Error ? thrown.message : String(thrown),
    } satisfies ThreadAnswer);
  }
});

function answerOf(request: ThreadRequest): ThreadAnswer {
  const { id, kind, texts } = request;
  if (kind === "cut") return { kind, id, value: texts.map(cutPassages) };
  if (loaded?.folder !== request.model) loaded = { folder: request.model, model: new StaticModel(new URL(request.model)) };
  const { model } = loaded;
  return { kind, id, value: texts.map((text) => model.embed(text)) };
}
