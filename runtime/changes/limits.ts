/** Limits of the change feed. `wait` is in seconds, `bytes` those of the records from which one page is made. */
export const changeLimits = { default: 100, most: 1000, wait: 25, bytes: 4 * 1024 * 1024 } as const;
