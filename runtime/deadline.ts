/**
 * Waits for work, but not for ever. The work itself goes on when its time is up; whoever waits for it no longer does.
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
