import { TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";
import type { CallContext } from "./call.ts";
import type { Verdict } from "./failure.ts";

/** Tries of a read, including the first. */
const mostTries = 4;
/** How often one call may ask for less. Halving a hundred, the most that a page or a batch has, ends after seven times. */
const mostShrinks = 16;
/** Milliseconds of the pause after the first failure, and the longest pause. */
const firstPause = 250;
const longestPause = 8_000;

/**
 * Waits until another try makes sense.
 *
 * @param title of the platform
 * @param tries how many tries there were
 * @param shrunk whether the next try asks for less, so that an answer that was too large may come
 * @throws TenonError when another try makes no sense, or not before the deadline
 */
export async function waitForRetry(
  title: string,
  verdict: Verdict,
  tries: number,
  shrunk: boolean,
  { signal, deadline }: CallContext,
): Promise<void> {
  if (verdict.kind === "final") throw verdict.error;
  if (verdict.kind === "heavy") {
    if (!shrunk || tries > mostShrinks) throw verdict.error;
    if (signal.aborted || performance.now() >= deadline) throw tooLate(title);
    return;
  }
  if (verdict.kind === "limited") {
    if (tries > mostTries)
      throw new TenonError("rate_limited", `${title} keeps refusing calls because of its rate limits.`, {
        retryAfter: Math.max(1, Math.ceil((verdict.wait ?? 0) / 1000)),
      });
    // The scheduler waits as long as needed before it sends the next try.
    return;
  }
  if (signal.aborted || performance.now() >= deadline) throw tooLate(title);
  if (tries >= mostTries) throw new TenonError("platform_failed", verdict.message, { retryAfter: 5 });
  const wait = Math.random() * Math.min(longestPause, firstPause * 2 ** (tries - 1));
  if (performance.now() + wait >= deadline) throw tooLate(title);
  await pause(wait, signal);
  if (signal.aborted) throw tooLate(title);
}

/** The error of a call whose deadline has passed. @param title of the platform */
export function tooLate(title: string): TenonError {
  return new TenonError("deadline_exceeded", `${title} did not respond in time.`);
}
