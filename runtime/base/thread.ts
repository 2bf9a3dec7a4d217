import { Worker } from "node:worker_threads";

/**
 * Starts a module in a thread of its own.
 *
 * @param data what the module finds in `workerData.data`; it is copied, except for shared memory
 */
export function startThread(module: URL, data?: unknown): Worker {
  return new Worker(new URL("./thread-entry.js", import.meta.url), { workerData: { module: module.href, data } });
}
