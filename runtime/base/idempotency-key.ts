import { requestLimits } from "./request-limits.ts";

/** What an idempotency key must be, in words that follow its name. */
export const idempotencyKeyRule = `must have 1 to ${requestLimits.idempotencyKey} visible ASCII characters, without spaces`;

export function isIdempotencyKey(text: string): boolean {
  return text.length <= requestLimits.idempotencyKey && /^[\x21-\x7e]+$/.test(text);
}
