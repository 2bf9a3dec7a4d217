import { Worker } from "node:worker_threads";

/**
 * Megabytes in which a thread keeps what it has just made. With the default of Node, three times as much, the six threads of a service
 * under load came to hold 50 MB more for good.
 */
const youngHeap = 16;

/**
 * Starts a module in a thread of its own.
 *
 * @param data what the module finds in `workerData.data`; it is copied, except for shared memory
 * @param heap megabytes that it may keep; with more it ends with an error
 */
export function startThread(module: URL, data?: unknown, heap?: number): Worker {
  return new Worker(new URL("./thread-entry.js", import.meta.url), {
    workerData: { module: module.href, data },
    resourceLimits: { maxYoungGenerationSizeMb: youngHeap, ...(heap === undefined ? {} : { maxOldGenerationSizeMb: heap }) },
  });
}
