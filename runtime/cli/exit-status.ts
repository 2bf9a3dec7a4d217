/**
 * Exit statuses that no error code has. Those below 128 are from sysexits.h: EX_USAGE, EX_UNAVAILABLE, EX_SOFTWARE, EX_IOERR, EX_CONFIG.
 * The others are what a shell gives for a program that a signal has ended: SIGINT and SIGPIPE.
 */
export const exitStatus = {
  usage: 64,
  unavailable: 69,
  failed: 70,
  cannotWrite: 74,
  badConfiguration: 78,
  interrupted: 130,
  readerLeft: 141,
} as const;
