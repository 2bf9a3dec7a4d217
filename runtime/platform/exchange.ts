import { isUtf8 } from "node:buffer";
import { withoutByteOrderMark } from "../base/byte-order-mark.ts";
import { parseExact } from "../base/exact-json.ts";
import { isOutOfMemory, LargeJson, TooManyValues } from "../base/large-json.ts";
import { type Mask, masked, maskedBytes } from "../base/redact.ts";
import { type AnswerRooms, AnswerTooLarge, mostMemory, mostValues } from "./answer-budget.ts";
import type { Headers as PlatformHeaders } from "./failure.ts";

export interface Exchanged {
  readonly status: number;
  readonly headers: PlatformHeaders;
  /** The parsed JSON of the body, or its text when it is not JSON; null where the status says that there is no body. */
  readonly data: unknown;
  /** The body has bytes that are not UTF-8. Each was read as U+FFFD. */
  readonly brokenText?: true;
}

export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
}

/** "No Content" and "Reset Content" (RFC 9110, 15.3.5 and 15.3.6): the call succeeded, and the answer has no body. */
export const noContent: readonly number[] = [204, 205];

/** A body of this many bytes or more is parsed in another thread, because parsing it here would hold up all other requests. */
const large = 256 * 1024;

/** The thread of this process for the responses of all platforms. */
const largeAnswers = new LargeJson({ values: mostValues, heap: mostMemory });

/**
 * Makes one HTTP exchange and reads the answer to its end. Redirects are not followed, because that could repeat a write or send the
 * token to another host.
 *
 * @param mask removes the credential of the call from body and headers, because what the platform sends goes to callers and into the cache
 * @param parser reads large answers
 * @throws AnswerTooLarge, TooManyLargeAnswers, or whatever fetch throws when the connection fails or the signal ends it
 */
export async function exchange(
  fetch: typeof globalThis.fetch,
  url: string,
  sent: Sent,
  budget: AnswerRooms,
  mask?: Mask,
  parser: LargeJson = largeAnswers,
): Promise<Exchanged> {
  const response = await fetch(url, { ...sent, redirect: "manual" });
  const { status, headers, body } = response;
  const room = budget.open({ status, headers });
  try {
    const pieces: Uint8Array[] = [];
    // The size is checked piece by piece, because the header gives only the compressed length. Leaving the loop ends the connection.
    for await (const piece of body ?? []) {
      room.take(piece.length);
      pieces.push(piece);
    }
    const bytes = Buffer.concat(pieces);
    const broken = isUtf8(bytes) ? {} : { brokenText: true as const };
    const data = bytes.length === 0 && noContent.includes(status) ? null : await parsed(bytes, sent.signal, mask, parser);
    return { status, headers: mask === undefined ? headers : maskedHeaders(headers, mask), data, ...broken };
  } catch (thrown) {
    if (thrown instanceof TooManyValues) throw new AnswerTooLarge({ status, headers }, "values");
    throw isOutOfMemory(thrown) ? new AnswerTooLarge({ status, headers }, "memory") : thrown;
  } finally {
    room.close();
  }
}

function maskedHeaders(headers: PlatformHeaders, mask: Mask): PlatformHeaders {
  return {
    get: (name) => {
      const value = headers.get(name);
      return value === null ? null : masked(value, mask);
    },
  };
}

async function parsed(
  bytes: Buffer<ArrayBuffer>,
  signal: AbortSignal,
  mask: Mask | undefined,
  parser: LargeJson,
): Promise<unknown> {
  if (bytes.length >= large) {
    const parsed = await parser.parse(bytes, signal, { mask });
    return parsed === undefined ? "" : parsed.value;
  }
  const text = withoutByteOrderMark(mask === undefined ? bytes : maskedBytes(bytes, mask)).toString();
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}
