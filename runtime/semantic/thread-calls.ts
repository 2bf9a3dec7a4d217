import type { Worker } from "node:worker_threads";
import { startThread } from "../base/thread.ts";
import type { Passage } from "./passages.ts";
import type { ThreadAnswer, ThreadRequest } from "./thread-messages.ts";

interface Pending {
  readonly resolve: (answer: Exclude<ThreadAnswer, { kind: "failed" }>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread that cuts and embeds texts. It starts with the first call, is started anew after a crash, and does not keep the process alive
 * while it has nothing to do.
 */
export class EmbeddingThread {
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #next = 0;

  /** Cuts texts into passages. @throws Error with which the thread failed */
  async cut(texts: readonly string[]): Promise<readonly (readonly Passage[])[]> {
    const answer = await this.#call({ kind: "cut", id: this.#next++, texts });
    return answer.kind === "cut" ? answer.value : [];
  }

  /** Embeds texts by the model in a folder. @throws Error with which the thread failed */
  async embed(texts: readonly string[], folder: URL): Promise<readonly Float32Array[]> {
    const answer = await this.#call({ kind: "embed", id: this.#next++, texts, model: folder.href });
    return answer.kind === "embed" ? answer.value : [];
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#fail(new Error("the thread that embeds texts was ended"));
    await worker?.terminate();
  }

  #call(request: ThreadRequest): Promise<Exclude<ThreadAnswer, { kind: "failed" }>> {
    const worker = this.#started();
    worker.ref();
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { resolve, reject });
      worker.postMessage(request);
    });
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = startThread(new URL("./embedding-thread.ts", import.meta.url));
    worker.on("message", (answer: ThreadAnswer) => {
      const call = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if (this.#pending.size === 0) worker.unref();
      if (answer.kind === "failed") call?.reject(new Error(answer.message));
      else call?.resolve(answer);
    });
    const lost = (why: unknown) => {
      // "exit" follows "error". By then another thread may have been started.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#fail(why instanceof Error ? why : new Error("the thread that embeds texts has ended"));
    };
    worker.on("error", lost);
    worker.on("exit", lost);
    this.#worker = worker;
    return worker;
  }

  #fail(why: Error): void {
    for (const call of this.#pending.values()) call.reject(why);
    this.#pending.clear();
  }
}
