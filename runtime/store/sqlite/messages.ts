import { type ErrorCode, errorCodes } from "../../base/error-codes.ts";
import { type Fault, TenonError } from "../../base/errors.ts";
import type { Plans } from "../catalogue.ts";
import { engineError } from "./store-error.ts";

/** The data with which a thread is started. */
export interface ThreadOptions {
  readonly file: string;
  readonly plans: Plans;
  /** Whether the writer reads the whole file and refuses it when it is damaged, before it uses the file. */
  readonly verify?: boolean;
  /** One number that both threads share: the request to the running call, one of `requests`. */
  readonly request: Int32Array<SharedArrayBuffer>;
}

/** A call of one method of the object that a thread serves. */
export interface Call {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Message that asks a thread to end after the calls that were made before. */
export const end = "end";

export type Reply =
  | { readonly kind: "ready" }
  | { readonly kind: "told"; readonly text: string }
  | { readonly kind: "done"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failed"; readonly id: number | undefined; readonly error: Failure };

/** An error in the form in which it is sent between threads, because copying an error loses its class and its members. */
export interface Failure {
  readonly code: ErrorCode | undefined;
  readonly message: string;
  /** The stack of an error that is logged and not shown to callers. */
  readonly stack: string | undefined;
  readonly faults: readonly Fault[];
  readonly retryAfter: number | undefined;
}

export function failureOf(given: unknown): Failure {
  const thrown = engineError(given);
  if (thrown instanceof TenonError) {
    const { code, message, faults, retryAfter } = thrown;
    return { code, message, stack: undefined, faults, retryAfter };
  }
  const { message, stack } = thrown instanceof Error ? thrown : { message: String(thrown), stack: undefined };
  return { code: undefined, message, stack, faults: [], retryAfter: undefined };
}

export function errorOf({ code, message, stack, faults, retryAfter }: Failure): Error {
  if (code === undefined || !Object.hasOwn(errorCodes, code))
    return Object.assign(new Error(message), stack === undefined ? {} : { stack });
  return new TenonError(code, message, { faults, ...(retryAfter === undefined ? {} : { retryAfter }) });
}
