import { RestartedWorker, WorkerCalls } from "../base/worker-calls.ts";
import type { EmbeddingApi } from "./embedding-api.ts";

/** A thread that cuts and embeds texts. It starts with the first call and anew after a crash; the process may end while it has no call. */
export class EmbeddingThread {
  readonly #worker = new RestartedWorker<EmbeddingApi>(
    () =>
      new WorkerCalls(new URL("./embedding-thread.ts", import.meta.url), {
        name: "the thread that embeds texts",
        idle: "may end",
      }),
  );

  /** Cuts texts into passages. @throws Error with which the thread failed */
  cut(texts: readonly string[]) {
    return this.#worker.calls.call("cut", texts);
  }

  /** Embeds texts by the model in a folder. @throws Error with which the thread failed */
  embed(texts: readonly string[], folder: URL) {
    return this.#worker.calls.call("embed", texts, folder.href);
  }

  async close(): Promise<void> {
    await this.#worker.running?.terminate();
  }
}
