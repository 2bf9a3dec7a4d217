import { setTimeout as sleep } from "node:timers/promises";
import { TenonError } from "../../base/errors.ts";

/** Waits for some work, for at most `ms` milliseconds. @returns whether the work has ended by then */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController();
  const ended = work.then(() => true);
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([ended, late]).finally(() => timer.abort());
}

export function shuttingDown(): TenonError {
  return new TenonError("shutting_down", "The service is shutting down.", { retryAfter: 5 });
}
