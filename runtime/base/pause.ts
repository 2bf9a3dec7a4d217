/**
 * Waits, or until a signal ends the wait. It never throws: whoever has to stop then looks at the signal. Browsers have it too.
 *
 * @param ms how long to wait, in milliseconds
 * @param idle set where the wait alone does not keep the process alive
 */
export function pause(ms: number, signal?: AbortSignal, idle?: "idle"): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (idle !== undefined) timer.unref();
    signal?.addEventListener("abort", end);
  });
}
