import { deferred } from "./deferred.ts";
import { type PieceApi, type PieceLimits, put, type TimedReply } from "./json-pieces.ts";
import type { Mask } from "./redact.ts";
import { RestartedWorker, WorkerCalls } from "./worker-calls.ts";

/** What a text was parsed to. */
export interface Parsed {
  readonly value: unknown;
}

/** Thrown for a text that has more values than it may have. */
export class TooManyValues extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super(`a text has more than ${limit} values`);
    this.limit = limit;
  }
}

/** Whether an error says that the thread ended because a text took more memory than it may keep. */
export function isOutOfMemory(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_WORKER_OUT_OF_MEMORY";
}

export interface ParseOptions {
  /** Removes secrets from the text before it is parsed. */
  readonly mask?: Mask | undefined;
  /** Called with the milliseconds of work, here and in the thread, as they are spent. */
  readonly spent?: (ms: number) => void;
}

export interface LargeJsonOptions {
  /** The most values in a text. Default: no limit. */
  readonly values?: number;
  /** Megabytes of memory that the thread may keep. Beyond that it ends, and nothing else with it. */
  readonly heap?: number;
  /** Milliseconds after which a thread that has nothing to do ends, and gives its memory back. */
  readonly idle?: number;
}

/**
 * Parses large JSON texts without holding up the event loop. A thread parses the texts and sends each value back in pieces, each of which
 * takes only a moment. Whatever else the process does goes before it. The thread starts with the first text, ends when there was none for
 * some time, and does not keep the process alive meanwhile.
 */
export class LargeJson {
  readonly #values: number;
  readonly #worker: RestartedWorker<PieceApi>;
  #next = 0;

  constructor({ values = Number.POSITIVE_INFINITY, heap = 256, idle = 10_000 }: LargeJsonOptions = {}) {
    this.#values = values;
    const name = "the thread that parses large texts";
    const data: PieceLimits = { values };
    const options = { name, data, heap, nice: 5, idle: "may end", idleTime: idle } as const;
    this.#worker = new RestartedWorker(() => new WorkerCalls(new URL("./json-thread.ts", import.meta.url), options));
  }

  /**
   * @param bytes the text in UTF-8
   * @returns undefined when the text is not JSON or nested too deeply
   * @throws TooManyValues; the signal's reason when the signal is aborted first; an Error when the thread ends before
   */
  async parse(bytes: Buffer, signal: AbortSignal, options: ParseOptions = {}): Promise<Parsed | undefined> {
    signal.throwIfAborted();
    const id = this.#next++;
    const { calls } = this.#worker;
    const aborted = deferred<never>();
    const abort = () => {
      aborted.reject(signal.reason as Error);
      calls.call("forget", id).catch(() => undefined);
    };
    aborted.promise.catch(() => undefined);
    signal.addEventListener("abort", abort, { once: true });
    const own = new Uint8Array(bytes);
    const first = calls.hand([own.buffer], "begin", id, own, options.mask);
    try {
      return await Promise.race([aborted.promise, this.#read(calls, id, first, signal, options)]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Puts each piece in its place and then asks for the next one, so that other work goes on between two pieces. */
  async #read(
    calls: WorkerCalls<PieceApi>,
    id: number,
    first: Promise<TimedReply>,
    signal: AbortSignal,
    { spent = () => undefined }: ParseOptions,
  ): Promise<Parsed | undefined> {
    let value: unknown;
    let reply = await first;
    for (; reply.kind === "piece"; reply = await calls.call("next", id)) {
      const began = performance.now();
      if (!signal.aborted) value = put(value, { path: reply.path, value: JSON.parse(reply.text) as unknown });
      spent(reply.ms + performance.now() - began);
      if (signal.aborted) return undefined;
    }
    spent(reply.ms);
    if (reply.kind === "too-many") throw new TooManyValues(this.#values);
    return reply.kind === "end" ? { value } : undefined;
  }
}
