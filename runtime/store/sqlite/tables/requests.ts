/**
 * Requests to a running call of another thread, as a number in shared memory. `goOn`: there is no request. `stop`: the result is no longer
 * needed. `giveWay`: other calls wait, so the call should stop once it has done more than a little work.
 */
export const requests = { goOn: 0, stop: 1, giveWay: 2 } as const;
