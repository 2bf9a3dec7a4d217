/** A promise and what settles it. */
export interface Deferred<Result> {
  readonly promise: Promise<Result>;
  readonly resolve: (result: Result | PromiseLike<Result>) => void;
  readonly reject: (reason: unknown) => void;
}

/** What `Promise.withResolvers` returns, which Node 20 does not have: applications use the client library there. */
export function deferred<Result>(): Deferred<Result> {
  let resolve: Deferred<Result>["resolve"] = () => {};
  let reject: Deferred<Result>["reject"] = () => {};
  const promise = new Promise<Result>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}
