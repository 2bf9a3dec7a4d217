import { TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";

/** Milliseconds before the second try; then twice as many each time, up to the longest. */
const firstPause = 50;
const longestPause = 1_000;
/** How many changes of this process may wait for their next try. When there are more, a further one is tried once. */
const mostWaiting = 1_000;

let waiting = 0;

/**
 * Stores something, and tries again for as long as the database is away. A process that ends does not wait for it.
 *
 * @param store must have the same effect when it is done twice
 * @param until when it is given up, as of `performance.now()`
 * @returns whether it was stored
 */
export async function retryWhileAway(store: () => Promise<void>, until: number): Promise<boolean> {
  for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
    try {
      await store();
      return true;
    } catch (thrown) {
      if (!isAway(thrown) || waiting >= mostWaiting || performance.now() + wait > until) return false;
    }
    waiting++;
    await pause(wait, undefined, "idle");
    waiting--;
  }
}

function isAway(thrown: unknown): boolean {
  return thrown instanceof TenonError && (thrown.code === "database_unavailable" || thrown.code === "overloaded");
}
