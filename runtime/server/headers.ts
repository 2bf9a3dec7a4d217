import type { Response } from "express";

/**
 * Writes the head of an answer: its status, the headers of every answer, and those that were set before. It is one call, because each
 * `setHeader` costs as much as writing the whole head.
 *
 * @param length bytes of the body
 */
export function writeHead(response: Response, type: string, length: number): void {
  response.writeHead(response.statusCode, {
    "X-Request-Id": String(response.locals["requestId"]),
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Content-Type": type,
    "Content-Length": length,
  });
}

/** Sends a whole answer. With its length told, it goes out in one write together with the head. */
export function send(response: Response, type: string, body: string | Uint8Array): void {
  writeHead(response, type, typeof body === "string" ? Buffer.byteLength(body) : body.length);
  response.end(body);
}
