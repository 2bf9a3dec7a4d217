import { RestartedWorker, WorkerCalls } from "../base/worker-calls.ts";
import type { EmbeddingApi } from "./embedding-api.ts";

/** By how much the priority of threads is lower that work on texts of the cache: nobody waits for these. */
export const niceOfPassages = 5;

/** A thread that cuts and embeds texts. It starts with the first call and anew after a crash; the process may end while it has no call. */
export class EmbeddingThread {
  readonly #worker: RestartedWorker<EmbeddingApi>;

  /** @param nice by how much its priority is lower than that of the process */
  constructor(nice = 0) {
    const options = { name: "the thread that embeds texts", nice, idle: "may end" } as const;
    this.#worker = new RestartedWorker(() => new WorkerCalls(new URL("./embedding-thread.ts", import.meta.url), options));
  }

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
