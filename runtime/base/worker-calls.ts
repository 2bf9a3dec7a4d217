import type { Worker } from "node:worker_threads";
import { deferred } from "./deferred.ts";
import { errorOf, type SentError } from "./sent-error.ts";
import { startThread } from "./thread.ts";

// Calls of methods in another thread. This file is the side that calls, `serve-calls.ts` the side that is called.

/** A call of one method. */
export interface WorkerCall {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Asks a thread to end after the calls that were made before. */
export const end = "end";

export type Reply =
  | { readonly kind: "ready" }
  | { readonly kind: "unusable"; readonly error: SentError }
  | { readonly kind: "notice"; readonly text: string }
  | { readonly kind: "done"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly error: SentError };

/** Names of the methods of an interface. */
export type MethodName<Api> = {
  [Name in keyof Api]: Api[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Api] &
  string;

export type Arguments<Api, Name extends MethodName<Api>> = Api[Name] extends (...args: infer Args) => unknown ? Args : never;

export type Returned<Api, Name extends MethodName<Api>> = Api[Name] extends (...args: never[]) => infer Value
  ? Awaited<Value>
  : never;

export interface WorkerOptions {
  /** What the thread does, for messages: "the thread that writes accounts". */
  readonly name: string;
  /** What the thread gets; it is copied, except for shared memory. */
  readonly data?: unknown;
  /** Whether the process may end while the thread has no call. */
  readonly idle?: "may end";
  /** Milliseconds after which a thread ends that has had no call, and gives its memory back. It must not be inside a native module. */
  readonly idleTime?: number;
  /** Megabytes that the thread may keep. With more it ends, and nothing else with it. */
  readonly heap?: number;
  /** By how much the priority of the thread is lower than that of the process, where the system allows that. */
  readonly nice?: number;
  /** Called with the texts that the thread sends beside its replies. */
  readonly onNotice?: (text: string) => void;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The threads that there are now. */
const live = new Set<{ readonly name: string; readonly waiting: number }>();

/** The threads of this process that serve calls: what each does, and how many calls it has not answered. */
export function liveThreads(): { readonly name: string; readonly waiting: number }[] {
  return [...live].map(({ name, waiting }) => ({ name, waiting }));
}

/** Calls the methods of an object that a thread serves by `serveCalls<Api>`. Calls are done in the order in which they are made. */
export class WorkerCalls<Api extends object> {
  /** Resolves when the thread has made its object. @throws the error with which making the object failed */
  readonly ready: Promise<void>;
  /** Resolves when the thread has ended. */
  readonly gone: Promise<void>;
  readonly name: string;
  readonly #worker: Worker;
  readonly #mayEnd: boolean;
  readonly #idleTime: number | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #ended: Error | undefined;

  /** @param module calls `serveCalls<Api>` */
  constructor(module: URL, { name, data, idle, idleTime, heap, nice, onNotice }: WorkerOptions) {
    this.name = name;
    this.#mayEnd = idle === "may end";
    this.#idleTime = idleTime;
    this.#worker = startThread(module, data, { heap, nice });
    live.add(this);
    if (this.#mayEnd) this.#worker.unref();
    const { promise, resolve, reject } = deferred<void>();
    this.ready = promise;
    promise.catch(() => undefined);
    const ended = (why: Error) => {
      reject(why);
      this.#giveUp(why);
    };
    this.#worker.on("message", (reply: Reply) => {
      if (reply.kind === "ready") resolve();
      else if (reply.kind === "notice") onNotice?.(reply.text);
      else if (reply.kind === "unusable") ended(errorOf(reply.error));
      else this.#settle(reply);
    });
    this.#worker.on("error", (thrown: unknown) => ended(thrown instanceof Error ? thrown : new Error(String(thrown))));
    this.gone = new Promise((resolved) => {
      this.#worker.on("exit", () => {
        live.delete(this);
        ended(new Error(`${this.name} has ended`));
        resolved();
      });
    });
  }

  /** Calls a method of the object. @throws whatever the method threw; Error when the thread has ended */
  call<Name extends MethodName<Api>>(method: Name, ...args: Arguments<Api, Name>): Promise<Returned<Api, Name>> {
    return this.hand([], method, ...args);
  }

  /** Like {@link call}, but hands the memory of some buffers over instead of copying it. */
  async hand<Name extends MethodName<Api>>(
    memory: ArrayBuffer[],
    method: Name,
    ...args: Arguments<Api, Name>
  ): Promise<Returned<Api, Name>> {
    return (await this.callByName(method, args, memory)) as Returned<Api, Name>;
  }

  /** Like {@link call}, where the types of the arguments were checked elsewhere. */
  async callByName(method: MethodName<Api>, args: readonly unknown[], memory: ArrayBuffer[] = []): Promise<unknown> {
    if (this.#ended !== undefined) throw this.#ended;
    const id = this.#nextId++;
    if (this.#mayEnd) this.#worker.ref();
    clearTimeout(this.#idleTimer);
    return new Promise((resolve, reject) => {
      // What cannot be sent throws, and nothing waits for it.
      this.#worker.postMessage({ id, method, args } satisfies WorkerCall, memory);
      this.#pending.set(id, { resolve, reject });
    });
  }

  /** Calls that the thread has not answered. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Whether the thread takes no more calls. */
  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** Ends the thread after the calls that were made before. */
  async end(): Promise<void> {
    await this.ready.catch(() => undefined);
    this.#worker.ref();
    this.#worker.postMessage(end);
    await this.gone;
  }

  /** Ends the thread in the middle of its call. It must not be inside a native module, which would end the whole process. */
  async terminate(): Promise<void> {
    this.#giveUp(new Error(`${this.name} was ended`));
    await this.#worker.terminate();
  }

  /** Rejects the running calls, and lets the process end without the thread, which ends as soon as it returns from its call. */
  abandon(): void {
    this.#giveUp(new Error(`${this.name} does not return from its call`));
    void this.end();
    this.#worker.unref();
  }

  #giveUp(why: Error): void {
    this.#ended ??= why;
    for (const { reject } of this.#pending.values()) reject(why);
    this.#pending.clear();
    this.#rest();
  }

  #settle(reply: Extract<Reply, { readonly id: number }>): void {
    const call = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    this.#rest();
    if (reply.kind === "done") call?.resolve(reply.value);
    else call?.reject(errorOf(reply.error));
  }

  #rest(): void {
    if (this.#pending.size > 0) return;
    if (this.#mayEnd) this.#worker.unref();
    clearTimeout(this.#idleTimer);
    if (this.#idleTime !== undefined && !this.ended)
      this.#idleTimer = setTimeout(() => void this.terminate(), this.#idleTime).unref();
  }
}

/** A thread that starts with its first call, and anew with the next one after it has ended. */
export class RestartedWorker<Api extends object> {
  readonly #start: () => WorkerCalls<Api>;
  #calls: WorkerCalls<Api> | undefined;

  constructor(start: () => WorkerCalls<Api>) {
    this.#start = start;
  }

  /** The thread, which takes calls. */
  get calls(): WorkerCalls<Api> {
    if (this.#calls === undefined || this.#calls.ended) this.#calls = this.#start();
    return this.#calls;
  }

  /** The thread, if it was started and has not ended. */
  get running(): WorkerCalls<Api> | undefined {
    return this.#calls?.ended === false ? this.#calls : undefined;
  }
}
