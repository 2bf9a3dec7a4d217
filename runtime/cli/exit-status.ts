/** Exit statuses of sysexits.h that no error code has: EX_USAGE, EX_UNAVAILABLE, EX_SOFTWARE, EX_CONFIG. */
export const exitStatus = { usage: 64, unavailable: 69, failed: 70, badConfiguration: 78 } as const;
