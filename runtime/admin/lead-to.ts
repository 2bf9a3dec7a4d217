import type { Response } from "express";

/** Answers 303, after which a browser asks for the other address with GET (RFC 9110, 15.4.4). */
export function leadTo(response: Response, path: string): void {
  response.writeHead(303, {
    "X-Request-Id": String(response.locals["requestId"]),
    Location: path,
    "Cache-Control": "no-store",
    "Content-Length": 0,
  });
  response.end();
}
