import { ModelError } from "./model-error.ts";
import { type OnnxEngine, openOnnx } from "./onnx-engine.ts";
import type { OnnxAnswer, OnnxRequest } from "./onnx-messages.ts";

// Runs a transformer in a process of its own, because the engine ends the whole process when its thread is ended during a computation.
// Texts are embedded one by one: then an embedding does not depend on what is embedded with it, and a prompt waits for one passage at most.

interface Job {
  readonly id: number;
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  cut: boolean;
}

let engine: OnnxEngine | undefined;
const urgent: Job[] = [];
const others: Job[] = [];
let working = false;

process.on("message", (request: OnnxRequest) => {
  if (request.kind === "open") {
    void open(request.folder);
    return;
  }
  const { id, texts } = request;
  (request.urgent ? urgent : others).push({ id, texts, vectors: [], cut: false });
  if (!working) void work();
});
process.on("disconnect", () => process.exit());

async function open(folder: string): Promise<void> {
  try {
    engine = await openOnnx(folder);
    answer({ kind: "opened", name: engine.name, dims: engine.dims });
  } catch (thrown) {
    answer({ kind: "unusable", problem: thrown instanceof ModelError ? thrown.problem : String(thrown) });
  }
}

async function work(): Promise<void> {
  working = true;
  for (;;) {
    const queue = urgent.length > 0 ? urgent : others;
    const [job] = queue;
    if (job === undefined) break;
    const { id, texts, vectors } = job;
    try {
      const text = texts[vectors.length];
      if (text !== undefined) {
        if (engine === undefined) throw new Error("no model is open");
        const { vector, cut } = await engine.embed(text);
        vectors.push(vector);
        job.cut ||= cut;
      }
      if (vectors.length < texts.length) continue;
      answer({ kind: "embedded", id, vectors, cut: job.cut });
    } catch (thrown) {
      answer({ kind: "failed", id, message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
    queue.splice(queue.indexOf(job), 1);
  }
  working = false;
}

function answer(message: OnnxAnswer): void {
  process.send?.(message);
}
