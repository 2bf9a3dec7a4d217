import { hash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import { TenonError } from "../errors.ts";

/** Hash of a bearer token, as it is kept. Tokens are random, so a plain hash cannot be searched for them. */
export function tokenHash(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** What follows the scheme. As nearly everybody writes it, it is found without the cost of a regular expression. */
function bearerOf(header: string): string | undefined {
  if (header.startsWith("Bearer ") && header.length > 7 && !header.includes(" ", 7)) return header.slice(7);
  return /^Bearer +(\S+)$/i.exec(header)?.[1];
}

/**
 * Lets a request through when it carries the token (RFC 6750). Comparing takes the same time whatever the content; the length of
 * the right one is no secret.
 */
export function requireBearer(expected: Buffer): RequestHandler {
  // Once the right one has come, its bytes are compared, which spares hashing every request's.
  let right: Buffer | undefined;
  const isRight = (token: string) => {
    const given = Buffer.from(token);
    if (right !== undefined) return given.length === right.length && timingSafeEqual(given, right);
    if (!timingSafeEqual(tokenHash(token), expected)) return false;
    right = given;
    return true;
  };
  return (request, response, next) => {
    const token = bearerOf(request.headers.authorization ?? "");
    if (token !== undefined && isRight(token)) {
      next();
      return;
    }
    response.setHeader(
      "WWW-Authenticate",
      token === undefined ? 'Bearer realm="tenon"' : 'Bearer realm="tenon", error="invalid_token"',
    );
    next(
      new TenonError(
        "unauthorized",
        token === undefined ? "This request needs the header Authorization: Bearer <token>." : "The bearer token is not valid.",
      ),
    );
  };
}
