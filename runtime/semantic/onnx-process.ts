import { ModelError } from "./model-error.ts";
import { openOnnx } from "./onnx-engine.ts";
import type { OnnxAnswer, OnnxRequest } from "./onnx-messages.ts";
import { OnnxQueue } from "./onnx-queue.ts";

// Runs a transformer in a process of its own, because the engine ends the whole process when its thread is ended during a computation.

let queue: OnnxQueue | undefined;

process.on("message", (request: OnnxRequest) => {
  if (request.kind === "open") void open(request.folder);
  else if (queue === undefined) answer({ kind: "failed", id: request.id, message: "no model is open" });
  else queue.add(request);
});
process.on("disconnect", () => process.exit());

async function open(folder: string): Promise<void> {
  try {
    const { name, dims, embed } = await openOnnx(folder);
    queue = new OnnxQueue(embed, answer);
    answer({ kind: "opened", name, dims });
  } catch (thrown) {
    answer({ kind: "unusable", problem: thrown instanceof ModelError ? thrown.problem : String(thrown) });
  }
}

function answer(message: OnnxAnswer): void {
  process.send?.(message);
}
