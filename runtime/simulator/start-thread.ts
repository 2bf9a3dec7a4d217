import { RestartedWorker, WorkerCalls } from "../base/worker-calls.ts";
import type { DescribedApi } from "./described/main.ts";
import type { Ready, SimulatorApi } from "./serve-thread.ts";

/** A simulated platform that runs outside the service's event loop. */
export interface Simulator extends Ready {
  close(): Promise<void>;
}

/** All platforms that are simulated from their descriptions share a thread: each of their own would load the same modules again. */
const described = new RestartedWorker<DescribedApi>(
  () =>
    new WorkerCalls(new URL("./described/main.ts", import.meta.url), {
      name: "the thread that simulates platforms",
      idle: "may end",
    }),
);
/** How many platforms a thread simulates. */
const simulated = new WeakMap<WorkerCalls<DescribedApi>, number>();

/**
 * Starts a simulated platform in a thread, so that it takes no time from the service's event loop.
 *
 * @param module what a spec names as its simulator
 * @throws Error when the module fails, or ends before it is ready
 */
export async function startSimulator(module: URL): Promise<Simulator> {
  if (module.pathname.endsWith(".yaml")) return openDescribed(module);
  const calls = new WorkerCalls<SimulatorApi>(module, { name: "the thread that simulates a platform", idle: "may end" });
  return { ...(await calls.call("open")), close: () => calls.terminate() };
}

async function openDescribed(module: URL): Promise<Simulator> {
  const { calls } = described;
  const count = (change: number) => {
    const now = (simulated.get(calls) ?? 0) + change;
    simulated.set(calls, now);
    return now;
  };
  const leave = async () => {
    if (count(-1) === 0) await calls.terminate();
  };
  count(1);
  try {
    const ready = await calls.call("open", module.href);
    let isOpen = true;
    const close = async () => {
      if (!isOpen) return;
      isOpen = false;
      await calls.call("close", ready.rest);
      await leave();
    };
    return { ...ready, close };
  } catch (thrown) {
    await leave();
    throw thrown;
  }
}
