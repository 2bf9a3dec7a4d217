import { startThread } from "../base/thread.ts";
import type { Ready } from "./serve-thread.ts";

/** A simulated platform that runs in a thread of its own. */
export interface Simulator extends Ready {
  close(): Promise<void>;
}

/**
 * Starts a simulated platform in a thread of its own, so that it takes no time from the service's event loop.
 *
 * @param module what a spec names as its simulator
 * @throws Error when the module fails, or ends before it is ready
 */
export async function startSimulator(module: URL): Promise<Simulator> {
  // A file of records is served by the machine for platforms that are simulated from their description.
  const worker = module.pathname.endsWith(".yaml")
    ? startThread(new URL("./described/main.ts", import.meta.url), module.href)
    : startThread(module);
  const ready = await new Promise<Ready>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the simulated platform ended before it was ready")));
  });
  return { ...ready, close: async () => void (await worker.terminate()) };
}
