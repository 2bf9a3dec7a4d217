import { setTimeout } from "node:timers/promises";

/**
 * Waits, or until a signal ends the wait. It never throws: whoever has to stop then looks at the signal.
 *
 * @param ms how long to wait, in milliseconds
 * @param idle set where the wait alone does not keep the process alive
 */
export async function pause(ms: number, signal: AbortSignal, idle?: "idle"): Promise<void> {
  await setTimeout(ms, undefined, { signal, ref: idle === undefined }).catch(() => undefined);
}
