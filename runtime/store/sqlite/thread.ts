import type { Worker } from "node:worker_threads";
import { startThread } from "../../base/thread.ts";
import { type Call, end, errorOf, type Reply, type ThreadOptions } from "./messages.ts";
import { requests } from "./requests.ts";
import type { Arguments, MethodName, Returned } from "./thread-api.ts";

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Calls the methods of an object with the methods of `Api` that a thread serves. A thread is never ended by force, because ending it
 * inside a call of a native module would crash the whole process.
 */
export class Thread<Api extends object> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  readonly #request = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  /** Resolves when the thread has made its object. @throws the error with which making the object failed */
  readonly ready: Promise<void>;
  /** Resolves when the thread has ended. */
  readonly gone: Promise<void>;
  #nextId = 0;
  #ended: Error | undefined;

  /** @param module calls `serveThread<Api>` @param tell is called with the thread's messages for the operator */
  constructor(module: URL, options: Omit<ThreadOptions, "request">, tell: (text: string) => void) {
    this.#worker = startThread(module, { ...options, request: this.#request } satisfies ThreadOptions);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    promise.catch(() => undefined);
    const ended = (why: Error) => {
      reject(why);
      this.#giveUp(why);
    };
    this.#worker.on("message", (reply: Reply) => {
      if (reply.kind === "ready") resolve();
      else if (reply.kind === "told") tell(reply.text);
      else if (reply.kind === "failed" && reply.id === undefined) ended(errorOf(reply.error));
      else
        this.#settle(reply.id, (call) => (reply.kind === "done" ? call.resolve(reply.value) : call.reject(errorOf(reply.error))));
    });
    this.#worker.on("error", (thrown: unknown) => ended(thrown instanceof Error ? thrown : new Error(String(thrown))));
    this.gone = new Promise((resolved) => {
      this.#worker.on("exit", () => {
        ended(new Error("a thread of the store has ended"));
        resolved();
      });
    });
  }

  /** Calls a method of the object. Calls are answered in the order in which they were made. @throws whatever the method threw */
  async call<Name extends MethodName<Api>>(method: Name, ...args: Arguments<Api, Name>): Promise<Returned<Api, Name>> {
    await this.ready;
    if (this.#ended !== undefined) throw this.#ended;
    const id = this.#nextId++;
    const call: Call = { id, method, args };
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: (value) => resolve(value as Returned<Api, Name>), reject });
      this.#worker.postMessage(call);
    });
  }

  /** Whether the thread takes no more calls. */
  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** Asks running and later calls to stop, because their results are not needed. The request holds until `resume`. */
  stop(): void {
    Atomics.store(this.#request, 0, requests.stop);
  }

  /** Asks the running call to stop as soon as it has done more than a little work. The request holds until `resume`. */
  giveWay(): void {
    Atomics.compareExchange(this.#request, 0, requests.goOn, requests.giveWay);
  }

  resume(): void {
    Atomics.store(this.#request, 0, requests.goOn);
  }

  /** Rejects the running calls, and lets the process end without the thread. The thread ends as soon as it returns from its call. */
  abandon(): void {
    this.stop();
    this.#giveUp(new Error("a thread of the store does not return from its call"));
    void this.end();
    this.#worker.unref();
  }

  /** Ends the thread after the calls that were made before. */
  async end(): Promise<void> {
    // Earlier calls wait for `ready` too, so their messages are sent before this one.
    await this.ready.catch(() => undefined);
    this.#worker.postMessage(end);
    await this.gone;
  }

  #giveUp(why: Error): void {
    this.#ended ??= why;
    for (const id of [...this.#pending.keys()]) this.#settle(id, (call) => call.reject(why));
  }

  #settle(id: number | undefined, settle: (call: PendingCall) => void): void {
    const call = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || call === undefined) return;
    this.#pending.delete(id);
    settle(call);
  }
}
