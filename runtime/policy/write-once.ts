import { type IdempotentRequest, idempotentWrite, type WriteStore } from "../accounts/index.ts";
import type { ErrorCode } from "../base/error-codes.ts";
import { asTenonError } from "../base/errors.ts";
import type { ExecuteResult } from "../execute/index.ts";

/** Errors after which nobody knows whether a write was done. All others say that nothing was done. */
const doubtful: readonly ErrorCode[] = ["write_in_doubt", "write_deadline_exceeded", "in_doubt", "internal"];

/** What an error says about a write: nobody knows whether it was done, or certainly nothing was. */
export function endOf(thrown: unknown): "in_doubt" | "nothing" {
  return doubtful.includes(asTenonError(thrown).code) ? "in_doubt" : "nothing";
}

/** The result of a write with a key. */
export interface KeyedResult {
  readonly result: ExecuteResult;
  /** It is the result of an earlier request with this key, and nothing was sent. `meta.replayed` of the result says so too. */
  readonly replayed: boolean;
}

/**
 * Does a write once for its `Idempotency-Key`.
 *
 * @throws TenonError as `once` of the accounts does, and what `work` throws
 */
export async function writeOnce(
  store: WriteStore,
  request: IdempotentRequest,
  work: () => Promise<ExecuteResult>,
): Promise<KeyedResult> {
  const asJson = async () => {
    const { data, meta } = await work();
    return JSON.stringify({ data, meta });
  };
  const { answer, replayed } = await idempotentWrite(store, request, asJson, endOf);
  const { data, meta } = JSON.parse(answer) as Pick<ExecuteResult, "data" | "meta">;
  return { result: { data, meta: replayed ? { ...meta, replayed } : meta }, replayed };
}
