/**
 * What a thread may be asked while a call runs in it, as a number in memory that both sides share. `stop`: nobody wants the result.
 * `giveWay`: others wait, so the call should end unless it is nearly done.
 */
export const requests = { goOn: 0, stop: 1, giveWay: 2 } as const;
