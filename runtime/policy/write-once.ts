import { type IdempotentRequest, idempotentWrite, type WriteStore } from "../accounts/index.ts";
import type { ErrorCode } from "../base/error-codes.ts";
import { asTenonError } from "../base/errors.ts";
import { type ExecuteResult, resultText, StoreResult } from "../execute/index.ts";

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
  const own: ExecuteResult[] = [];
  const asText = async () => {
    const { data, meta } = await work();
    const json = Buffer.from(JSON.stringify(data) ?? "null");
    const result = { data, json, meta };
    own.push(result);
    return resultText(result);
  };
  const { answer, replayed } = await idempotentWrite(store, request, asText, endOf);
  const [done] = own;
  return done === undefined ? { result: earlierResult(answer), replayed } : { result: done, replayed };
}

const metaStart = ',"meta":';

/** The result of an earlier request, made by {@link resultText}. The record is passed on as it was stored. */
function earlierResult(answer: string): ExecuteResult {
  // The members of the answer are not the only ones of these names. Behind any other `meta` come brackets of what is around it.
  for (let at = answer.lastIndexOf(metaStart); at > 0; at = answer.lastIndexOf(metaStart, at - 1)) {
    const meta = parsedMeta(answer.slice(at + metaStart.length, -1));
    if (meta !== undefined) return new StoreResult(Buffer.from(answer.slice('{"data":'.length, at)), { ...meta, replayed: true });
  }
  throw new TypeError("what is stored of a write is not its result");
}

/** @returns undefined for what is no JSON */
function parsedMeta(text: string): ExecuteResult["meta"] | undefined {
  try {
    return JSON.parse(text) as ExecuteResult["meta"];
  } catch {
    return undefined;
  }
}
