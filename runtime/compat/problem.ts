import type { ErrorCode } from "../base/error-codes.ts";
import { didYouMean, doubtAdvice, type Fault, TenonError } from "../base/errors.ts";
import { problemOf } from "../server/problem.ts";

/**
 * Statuses that differ from our own. The client's tools for agents send a request again after 429 and after every status from 500 on,
 * whatever the answer says: a write that may have been done would be done twice.
 */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  write_in_doubt: 409,
  write_deadline_exceeded: 409,
  context_store_unavailable: 422,
};

/** An error during a write about which nothing is known: nobody can say whether the write was done. */
export function ofWrite(error: TenonError): TenonError {
  if (error.code !== "internal") return error;
  return new TenonError("write_in_doubt", `${error.message} ${doubtAdvice}`, { cause: error.cause });
}

/**
 * The body of an error. The client shows only `message`, or the texts of `errors`, so each of these says where it is and what may be meant.
 */
export function compatProblem(error: TenonError, requestId: string) {
  const problem = problemOf(error, requestId);
  return {
    ...problem,
    status: statuses[error.code] ?? problem.status,
    errors: error.faults.map((fault) => ({ ...fault, userPresentableMessage: textOf(fault) })),
  };
}

function textOf(fault: Fault): string {
  const { pointer, message } = fault;
  return `${pointer === "" ? "" : `${pointer}: `}${message}${didYouMean(fault)}`;
}
