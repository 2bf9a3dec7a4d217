import { RestartedWorker, WorkerCalls } from "../../../base/worker-calls.ts";
import type { Prompt } from "../../../semantic/nearest-slots.ts";

/** The codes of one index, in the thread that compares them. */
export interface ScannedCodes {
  /** Adds codes, as `vectorCode` makes them, one after the other. */
  add(codes: Uint8Array): void;
  /**
   * The slots that are nearest to a prompt, at most `limit`.
   *
   * @param closed has a byte other than 0 for each slot that is left out
   * @throws Error when the thread has ended
   */
  nearest(prompt: Prompt, limit: number, closed: Uint8Array): Promise<readonly number[]>;
  /** Frees the memory of the codes. */
  drop(): void;
  /** Whether the codes are gone, because the thread has ended. */
  readonly lost: boolean;
}

/** What the thread does. */
export interface CodeApi {
  /** Adds codes to an index, which is made with the first of them. */
  add(index: number, dims: number, codes: Uint8Array): void;
  drop(index: number): void;
  nearest(index: number, prompt: Prompt, limit: number, closed: Uint8Array): readonly number[];
}

const ignored = () => undefined;

/** A thread that compares codes. It is started with the first index, and again when it has ended; the process may end without it. */
export class CodeScans {
  readonly #worker = new RestartedWorker<CodeApi>(
    () =>
      new WorkerCalls(new URL("./code-thread.ts", import.meta.url), {
        name: "the thread that compares codes",
        idle: "may end",
      }),
  );
  #indexes = 0;

  /** Makes an index without codes. */
  open(dims: number): ScannedCodes {
    // After a restart the codes are gone: the index belongs to this thread alone.
    const { calls } = this.#worker;
    const index = ++this.#indexes;
    return {
      add: (codes) => {
        // The memory is handed over instead of being copied once more.
        const copy = new Uint8Array(codes);
        calls.hand([copy.buffer], "add", index, dims, copy).catch(ignored);
      },
      nearest: ({ vector, mean }, limit, closed) =>
        calls.call("nearest", index, { vector, ...(mean === undefined ? {} : { mean }) }, limit, closed),
      drop: () => {
        calls.call("drop", index).catch(ignored);
      },
      get lost() {
        return calls.ended;
      },
    };
  }

  /** Ends the thread after what it does. */
  async close(): Promise<void> {
    await this.#worker.running?.end();
  }
}
