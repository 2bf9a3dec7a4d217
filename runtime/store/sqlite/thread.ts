import { Worker } from "node:worker_threads";
import { type Call, errorOf, type Reply, type ThreadOptions } from "./messages.ts";

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The near side of a thread that serves an object: calls go over, values come back. */
export class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly ready: Promise<void>;
  #next = 0;
  #ended: Error | undefined;

  constructor(module: URL, options: ThreadOptions, tell: (text: string) => void) {
    this.#worker = new Worker(module, { workerData: options });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    promise.catch(() => undefined);
    this.#worker.on("message", (reply: Reply) => {
      if (reply.kind === "ready") resolve();
      else if (reply.kind === "told") tell(reply.text);
      else if (reply.id === undefined) reject(reply.kind === "failed" ? errorOf(reply.error) : new Error("no reply"));
      else this.#settle(reply.id, (one) => (reply.kind === "done" ? one.resolve(reply.value) : one.reject(errorOf(reply.error))));
    });
    const end = (why: Error) => {
      this.#ended ??= why;
      reject(why);
      for (const id of [...this.#waiting.keys()]) this.#settle(id, (one) => one.reject(why));
    };
    this.#worker.on("error", (thrown: unknown) => end(thrown instanceof Error ? thrown : new Error(String(thrown))));
    this.#worker.on("exit", () => end(new Error("a thread of the store has ended")));
  }

  async call<Value>(method: string, ...args: readonly unknown[]): Promise<Value> {
    await this.ready;
    if (this.#ended !== undefined) throw this.#ended;
    const id = this.#next++;
    const call: Call = { id, method, args };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (value) => resolve(value as Value), reject });
      this.#worker.postMessage(call);
    });
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(id: number, settle: (one: Waiting) => void): void {
    const one = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (one !== undefined) settle(one);
  }
}
