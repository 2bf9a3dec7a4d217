import type { Worker } from "node:worker_threads";
import { withDeadline } from "../base/deadline.ts";

/** Threads that have not ended. */
const threads = new Set<Worker>();

/** How long threads have to end after everything else has, in milliseconds. */
const patience = 1000;

/** Notes every thread that this process starts from now on. */
export function watchThreads(): void {
  process.on("worker", (worker) => {
    threads.add(worker);
    worker.once("exit", () => threads.delete(worker));
  });
}

/**
 * Ends the process. Whatever else is open, such as a call to a platform that hangs, does not keep it alive.
 *
 * `process.exit` waits for all threads, and one that hangs in native code would make it wait for ever. Such a process ends itself by
 * SIGKILL instead; its callers have been answered and its log is written by then.
 */
export async function leave(status: number): Promise<never> {
  const ended = Promise.all([...threads].map((thread) => thread.terminate())).then(() => true);
  if (!(await withDeadline(patience, ended, () => false))) {
    process.stderr.write("tenon: a thread does not end, so the process kills itself\n");
    process.kill(process.pid, "SIGKILL");
  }
  process.exit(status);
}
