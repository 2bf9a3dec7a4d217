import type { Worker } from "node:worker_threads";
import { startThread } from "../../thread.ts";
import { type Call, end, errorOf, type Reply, type ThreadOptions } from "./messages.ts";

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The near side of a thread that serves an object: calls go over, values come back. A thread is not ended by force: a native module
 * that is cut off within a call takes the whole process with it.
 */
export class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly ready: Promise<void>;
  /** Resolves when nothing of the thread is left. */
  readonly gone: Promise<void>;
  /** Resolves when nobody waits for the thread any longer. */
  readonly lost: Promise<void>;
  readonly #lose: () => void;
  #next = 0;
  #ended: Error | undefined;

  constructor(module: URL, options: Omit<ThreadOptions, "stop">, tell: (text: string) => void) {
    this.#worker = startThread(module, { ...options, stop: this.#stop } satisfies ThreadOptions);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    const lost = Promise.withResolvers<void>();
    this.lost = lost.promise;
    this.#lose = lost.resolve;
    promise.catch(() => undefined);
    const ended = (why: Error) => {
      reject(why);
      this.#giveUp(why);
    };
    this.#worker.on("message", (reply: Reply) => {
      if (reply.kind === "ready") resolve();
      else if (reply.kind === "told") tell(reply.text);
      else if (reply.id === undefined) ended(reply.kind === "failed" ? errorOf(reply.error) : new Error("no reply"));
      else this.#settle(reply.id, (one) => (reply.kind === "done" ? one.resolve(reply.value) : one.reject(errorOf(reply.error))));
    });
    this.#worker.on("error", (thrown: unknown) => ended(thrown instanceof Error ? thrown : new Error(String(thrown))));
    this.gone = new Promise((resolved) => {
      this.#worker.on("exit", () => {
        ended(new Error("a thread of the store has ended"));
        resolved();
      });
    });
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

  /** Whether it takes no more calls. */
  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** The result of the call that runs is no longer wanted. Until `resume` the same holds for those that follow. */
  stop(): void {
    Atomics.store(this.#stop, 0, 1);
  }

  resume(): void {
    Atomics.store(this.#stop, 0, 0);
  }

  /** Waits no longer for the calls that are under way. The thread ends as soon as it comes back from them. */
  abandon(): void {
    this.stop();
    this.#giveUp(new Error("a thread of the store does not come back"));
    void this.end();
    this.#lose();
    // Nor does the event loop wait for it.
    this.#worker.unref();
  }

  /** Ends the thread when it has done what it was asked. */
  async end(): Promise<void> {
    // Calls wait for this too before they go over, and keep their place.
    await this.ready.catch(() => undefined);
    this.#worker.postMessage(end);
    await this.gone;
  }

  #giveUp(why: Error): void {
    this.#ended ??= why;
    for (const id of [...this.#waiting.keys()]) this.#settle(id, (one) => one.reject(why));
  }

  #settle(id: number, settle: (one: Waiting) => void): void {
    const one = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (one !== undefined) settle(one);
  }
}
