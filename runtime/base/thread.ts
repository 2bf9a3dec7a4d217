import { Worker } from "node:worker_threads";

/**
 * Megabytes in which a thread keeps what it has just made. With the default of Node, three times as much, the six threads of a service
 * under load came to hold 50 MB more for good.
 */
const youngHeap = 16;

export interface ThreadLimits {
  /** Megabytes that it may keep. With more it ends with an error. */
  readonly heap?: number | undefined;
  /**
   * By how much its priority is lower than that of the process: what others wait for goes first. Only Linux has a priority for each
   * thread; elsewhere this does nothing.
   */
  readonly nice?: number | undefined;
}

/**
 * Starts a module in a thread of its own.
 *
 * @param data what the module finds in `workerData.data`; it is copied, except for shared memory
 */
export function startThread(module: URL, data?: unknown, { heap, nice = 0 }: ThreadLimits = {}): Worker {
  return new Worker(new URL("./thread-entry.js", import.meta.url), {
    workerData: { module: module.href, data, nice },
    resourceLimits: { maxYoungGenerationSizeMb: youngHeap, ...(heap === undefined ? {} : { maxOldGenerationSizeMb: heap }) },
  });
}
