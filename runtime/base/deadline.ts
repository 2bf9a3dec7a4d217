import { deferred } from "./deferred.ts";

/**
 * Waits for work, but not longer than a given time. When the time is up, the waiting ends and the work itself goes on.
 *
 * @param ms how long to wait, in milliseconds
 * @param late is called when the time is up; it returns the result or throws the error
 * @throws what the work throws before the time is up, or what `late` throws
 */
export async function withDeadline<Result>(ms: number, work: Promise<Result>, late: () => Result): Promise<Result> {
  const { promise, resolve, reject } = deferred<Result>();
  const timer = setTimeout(() => {
    try {
      resolve(late());
    } catch (thrown) {
      reject(thrown);
    }
  }, ms);
  work.then(resolve, reject);
  return promise.finally(() => clearTimeout(timer));
}
