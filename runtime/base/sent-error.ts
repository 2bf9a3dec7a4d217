import { type ErrorCode, errorCodes } from "./error-codes.ts";
import { type Fault, TenonError } from "./errors.ts";

/** An error in the form in which it is sent between threads and processes, because copying an error loses its class and its members. */
export interface SentError {
  readonly code: ErrorCode | undefined;
  readonly message: string;
  /** The stack of an error that is logged and not shown to callers. */
  readonly stack: string | undefined;
  readonly faults: readonly Fault[];
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;
}

/** The form in which something that was thrown is sent. */
export function sentError(thrown: unknown): SentError {
  if (thrown instanceof TenonError) {
    const { code, message, faults, retryAfter } = thrown;
    return { code, message, stack: undefined, faults, retryAfter };
  }
  const { message, stack } = thrown instanceof Error ? thrown : { message: String(thrown), stack: undefined };
  return { code: undefined, message, stack, faults: [], retryAfter: undefined };
}

/** The error that was sent. */
export function errorOf({ code, message, stack, faults, retryAfter }: SentError): Error {
  if (code === undefined || !Object.hasOwn(errorCodes, code))
    return Object.assign(new Error(message), stack === undefined ? {} : { stack });
  return new TenonError(code, message, { faults, ...(retryAfter === undefined ? {} : { retryAfter }) });
}
