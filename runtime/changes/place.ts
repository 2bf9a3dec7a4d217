/** A place in a change log. */
export interface FeedPlace {
  /** Empty before the first change. */
  readonly log: string;
  readonly from: number;
}

/** The request for the page after an answer. */
export function continued<Request extends { readonly digest: string }>(
  request: Request,
  { meta }: { readonly meta: { readonly cursor: string } },
): Request & { readonly after: FeedPlace | undefined } {
  return { ...request, after: readPlace(request.digest, meta.cursor) };
}

/** The cursor of a request for a place. */
export function cursorOf({ digest }: { readonly digest: string }, place: FeedPlace): string {
  return writePlace(digest, place);
}

/** Makes a cursor: an opaque text for a place. */
export function writePlace(digest: string, { log, from }: FeedPlace): string {
  return Buffer.from(JSON.stringify([digest, log, from])).toString("base64url");
}

/** Reads the place from a cursor; undefined when the cursor was not made for this digest. */
export function readPlace(digest: string, cursor: string): FeedPlace | undefined {
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
