import { hash } from "node:crypto";
import type { Request, Response } from "express";

/** Bytes of JSON that are sent more than once, and a text that says which bytes they are. */
export interface Tagged {
  readonly bytes: Uint8Array;
  readonly tag: string;
}

export function tagged(json: string | Uint8Array): Tagged {
  const bytes = typeof json === "string" ? Buffer.from(json) : json;
  return { bytes, tag: hash("sha256", bytes, "base64url") };
}

/** One tag for what is made of several parts. */
export function tagOf(parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url");
}

/**
 * Sets the header `ETag` (RFC 9110, 8.8.3), and responds with 304 to a caller who has what it names already.
 *
 * @returns whether the response is sent
 */
export function isUnchanged(request: Request, response: Response, tag: string): boolean {
  const etag = `"${tag}"`;
  response.setHeader("ETag", etag);
  if (!matches(request.headers["if-none-match"], etag)) return false;
  response.statusCode = 304;
  response.setHeader("X-Request-Id", String(response.locals["requestId"]));
  response.end();
  return true;
}

/** Whether a header `If-None-Match` (RFC 9110, 13.1.2) names the tag. */
function matches(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined && (header.trim() === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag))
  );
}
