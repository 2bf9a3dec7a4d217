/** Headers of a response. */
type Headers = Pick<globalThis.Headers, "get">;

/**
 * Milliseconds to wait by the header `Retry-After`: seconds, or a date by the sender's clock (RFC 9110, 10.2.3).
 *
 * @param now milliseconds since 1970 by our clock
 * @returns undefined where the header is absent, or neither
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const after = headers.get("retry-after");
  if (after === null) return undefined;
  const seconds = Number(after);
  const left = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - clockOf(headers, now);
  return Number.isFinite(left) ? Math.max(0, left) : undefined;
}

/**
 * The time by the sender's clock, in milliseconds since 1970 (RFC 9110, 6.6.1); ours, where a response does not tell it.
 *
 * @param now milliseconds since 1970 by our clock
 */
export function clockOf(headers: Headers, now: number): number {
  const at = Date.parse(headers.get("date") ?? "");
  return Number.isFinite(at) ? at : now;
}
