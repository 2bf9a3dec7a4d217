/**
 * Waits for work, but only for so long. When the time is up, the work itself goes on; only the waiting ends.
 *
 * @param ms how long to wait, in milliseconds
 * @param late gives the result, or throws the error, when the time is up
 * @throws what the work throws in time
 */
export async function within<Result>(ms: number, work: Promise<Result>, late: () => Result): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
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
