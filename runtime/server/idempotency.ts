import type { Request } from "express";
import { type OnceAnswer, type OnceRequest, once, type WriteStore } from "../accounts/index.ts";
import type { ErrorCode } from "../base/error-codes.ts";
import { asTenonError, invalidRequest } from "../base/errors.ts";
import { requestLimits } from "../base/request-limits.ts";
import type { ExecuteResult } from "../execute/index.ts";

/** Errors after which nobody knows whether a write was done. All others say that nothing was done. */
const doubtful: readonly ErrorCode[] = ["write_in_doubt", "write_deadline_exceeded", "internal"];

/** The `Idempotency-Key` of a request; undefined where there is none. @throws TenonError `invalid_request` */
export function idempotencyKeyOf(request: Request): string | undefined {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return undefined;
  if (typeof header === "string" && /^[\x21-\x7e]+$/.test(header) && header.length <= requestLimits.idempotencyKey) return header;
  const message = `Idempotency-Key must have 1 to ${requestLimits.idempotencyKey} visible ASCII characters.`;
  throw invalidRequest([{ pointer: "/headers/idempotency-key", code: "wrong_form", message }]);
}

/**
 * Does a write once for its `Idempotency-Key`.
 *
 * @throws TenonError as `once` of the accounts does, and what `work` throws
 */
export function writeOnce(store: WriteStore, request: OnceRequest, work: () => Promise<ExecuteResult>): Promise<OnceAnswer> {
  const answer = async () => {
    const { data, meta } = await work();
    return JSON.stringify({ data, meta });
  };
  return once(store, request, answer, (thrown) => (doubtful.includes(asTenonError(thrown).code) ? "in_doubt" : "nothing"));
}
