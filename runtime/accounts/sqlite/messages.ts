import type { ErrorCode } from "../../base/error-codes.ts";
import { TenonError } from "../../base/errors.ts";
import type { WriterApi } from "./writer.ts";

// What goes between the thread that answers requests and the one that writes.

/** Methods of the writer that can be called from another thread. */
export type WriterMethod = keyof WriterApi;

export type Call = { readonly id: number; readonly method: WriterMethod; readonly args: readonly unknown[] };

/** Asks the thread to end after the calls that were made before. */
export const end = "end";

/** An error in the form in which it goes between threads, because copying an error loses its class and its members. */
export interface Failure {
  readonly code: ErrorCode | undefined;
  readonly message: string;
  readonly stack: string | undefined;
}

export type Reply =
  | { readonly kind: "ready" }
  | { readonly kind: "unusable"; readonly failure: Failure }
  | { readonly kind: "done"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failed"; readonly id: number; readonly failure: Failure };

export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof TenonError) return { code: thrown.code, message: thrown.message, stack: undefined };
  const { message, stack } = thrown instanceof Error ? thrown : { message: String(thrown), stack: undefined };
  return { code: undefined, message, stack };
}

export function errorOf({ code, message, stack }: Failure): Error {
  if (code !== undefined) return new TenonError(code, message);
  return Object.assign(new Error(message), stack === undefined ? {} : { stack });
}
