import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { startThread } from "../../base/thread.ts";
import type { Prompt } from "../../semantic/nearest-slots.ts";
import type { CodeMessage, NearestSlots } from "./code-messages.ts";

/** The codes of one index, in the thread that compares them. */
export interface ScannedCodes {
  /** Adds codes, as `vectorCode` makes them, one after the other. */
  add(codes: Uint8Array): void;
  /**
   * The slots that are nearest to a prompt.
   *
   * @param closed has a byte other than 0 for each slot that is left out
   * @throws Error when the thread has ended
   */
  nearest(prompt: Prompt, wanted: number, closed: Uint8Array): Promise<readonly number[]>;
  /** Frees the memory of the codes. */
  drop(): void;
  /** Whether the codes are gone, because the thread has ended. */
  readonly lost: boolean;
}

interface Waiting {
  readonly resolve: (slots: readonly number[]) => void;
  readonly reject: (error: Error) => void;
}

/** A thread that compares codes. It is started with the first index, and again when it has ended. */
export class CodeScans {
  #thread: { readonly worker: Worker; readonly waiting: Map<number, Waiting>; ended: boolean } | undefined;
  #indexes = 0;
  #calls = 0;

  /** Makes an index without codes. */
  open(dims: number): ScannedCodes {
    const thread = this.#started();
    const index = ++this.#indexes;
    const send = (message: CodeMessage, moved: ArrayBuffer[] = []) => {
      if (!thread.ended) thread.worker.postMessage(message, moved);
    };
    return {
      add: (codes) => {
        // The memory is handed over instead of being copied once more.
        const copy = new Uint8Array(codes);
        send({ kind: "add", index, dims, codes: copy }, [copy.buffer]);
      },
      nearest: ({ vector, mean }, wanted, closed) =>
        new Promise((resolve, reject) => {
          if (thread.ended) return reject(gone());
          const call = ++this.#calls;
          thread.waiting.set(call, { resolve, reject });
          send({ kind: "nearest", call, index, wanted, closed, vector, ...(mean === undefined ? {} : { mean }) });
        }),
      drop: () => send({ kind: "drop", index }),
      get lost() {
        return thread.ended;
      },
    };
  }

  /** Ends the thread after what it does. */
  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined || thread.ended) return;
    const { worker } = thread;
    const exit = once(worker, "exit");
    worker.ref();
    worker.postMessage({ kind: "end" } satisfies CodeMessage);
    await exit;
  }

  #started() {
    if (this.#thread !== undefined && !this.#thread.ended) return this.#thread;
    const worker = startThread(new URL("./code-thread.ts", import.meta.url));
    const thread = { worker, waiting: new Map<number, Waiting>(), ended: false };
    // The process may end without it.
    worker.unref();
    worker.on("message", ({ call, slots }: NearestSlots) => {
      thread.waiting.get(call)?.resolve(slots);
      thread.waiting.delete(call);
    });
    worker.on("error", () => undefined);
    worker.on("exit", () => {
      thread.ended = true;
      for (const { reject } of thread.waiting.values()) reject(gone());
      thread.waiting.clear();
    });
    this.#thread = thread;
    return thread;
  }
}

function gone(): Error {
  return new Error("the thread that compares codes has ended");
}
