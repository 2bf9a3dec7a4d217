import { callerErrors } from "./caller-errors.ts";
import type { ErrorRow, ErrorSource } from "./error-row.ts";
import { serviceErrors } from "./service-errors.ts";

/**
 * The one table of error codes. It gives the HTTP status, the `retryable` flag, the exit status of the command line, what can be answered
 * with it, and the title and advice of the docs page. HTTP statuses follow RFC 9110; exit statuses follow sysexits.h where one of them
 * fits.
 */
export const errorCodes = { ...callerErrors, ...serviceErrors } as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorCodes;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

/** The codes that come from at least one of these sources, in the order of the table. */
export function errorsFrom(sources: readonly ErrorSource[]): ErrorCode[] {
  const rows: readonly (readonly [string, ErrorRow])[] = Object.entries(errorCodes);
  return rows.filter(([, { from }]) => from.some((one) => sources.includes(one))).map(([code]) => code as ErrorCode);
}
