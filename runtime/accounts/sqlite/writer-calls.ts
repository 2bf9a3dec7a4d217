import type { Worker } from "node:worker_threads";
import { startThread } from "../../base/thread.ts";
import { type Call, end, errorOf, type Reply, type WriterMethod } from "./messages.ts";
import type { WriterApi } from "./writer.ts";

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Calls the methods of the writer, which runs in a thread of its own. Calls are done in the order in which they were made. */
export class WriterCalls {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #gone = Promise.withResolvers<void>();
  /** Resolves when the file is open. @throws TenonError `accounts_unusable` */
  readonly ready: Promise<void>;
  #nextId = 0;
  #ended: Error | undefined;

  constructor(file: string) {
    this.#worker = startThread(new URL("./writer-thread.ts", import.meta.url), { file });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    promise.catch(() => undefined);
    const ended = (why: Error) => {
      this.#ended ??= why;
      reject(why);
      for (const { reject: give } of this.#pending.values()) give(why);
      this.#pending.clear();
    };
    this.#worker.on("message", (reply: Reply) => {
      if (reply.kind === "ready") resolve();
      else if (reply.kind === "unusable") ended(errorOf(reply.failure));
      else this.#settle(reply);
    });
    this.#worker.on("error", (thrown: unknown) => ended(thrown instanceof Error ? thrown : new Error(String(thrown))));
    this.#worker.on("exit", () => {
      ended(new Error("the thread that writes accounts has ended"));
      this.#gone.resolve();
    });
  }

  /** @throws whatever the method threw */
  async call<Name extends WriterMethod>(
    method: Name,
    ...args: Parameters<WriterApi[Name]>
  ): Promise<ReturnType<WriterApi[Name]>> {
    await this.ready;
    if (this.#ended !== undefined) throw this.#ended;
    const call: Call = { id: this.#nextId++, method, args };
    return new Promise((resolve, reject) => {
      this.#pending.set(call.id, { resolve: (value) => resolve(value as ReturnType<WriterApi[Name]>), reject });
      this.#worker.postMessage(call);
    });
  }

  /** Ends the thread after the calls that were made before. */
  async end(): Promise<void> {
    await this.ready.catch(() => undefined);
    this.#worker.postMessage(end);
    await this.#gone.promise;
  }

  #settle(reply: Extract<Reply, { readonly id: number }>): void {
    const call = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (reply.kind === "done") call?.resolve(reply.value);
    else call?.reject(errorOf(reply.failure));
  }
}
