/** A position in a change log. */
export interface FeedPosition {
  /** Empty before the first change. */
  readonly log: string;
  readonly from: number;
}

/** The request for the page after an answer. */
export function continued<Request extends { readonly digest: string }>(
  request: Request,
  { meta }: { readonly meta: { readonly cursor: string } },
): Request & { readonly after: FeedPosition | undefined } {
  return { ...request, after: readFeedCursor(request.digest, meta.cursor) };
}

/** The cursor of a request for a position. */
export function cursorOf({ digest }: { readonly digest: string }, position: FeedPosition): string {
  return writeFeedCursor(digest, position);
}

/** Makes a cursor: an opaque text for a position. */
export function writeFeedCursor(digest: string, { log, from }: FeedPosition): string {
  return Buffer.from(JSON.stringify([digest, log, from])).toString("base64url");
}

/** Reads the position from a cursor; undefined when the cursor was not made for this digest. */
export function readFeedCursor(digest: string, cursor: string): FeedPosition | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 3) return undefined;
  const [own, log, from] = parts as unknown[];
  if (own !== digest || typeof log !== "string" || typeof from !== "number") return undefined;
  return Number.isSafeInteger(from) && from >= 0 ? { log, from } : undefined;
}
