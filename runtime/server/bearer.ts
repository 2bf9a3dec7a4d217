import { hash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import { TenonError } from "../errors.ts";

/** Hash of a bearer token, as it is kept. Tokens are random, so a plain hash cannot be searched for them. */
export function tokenHash(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/**
 * Lets a request through when it carries the token (RFC 6750). Hashes are compared, so that neither length nor content of the
 * right one shows in the time.
 */
export function requireBearer(expected: Buffer): RequestHandler {
  return (request, response, next) => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (token !== undefined && timingSafeEqual(tokenHash(token), expected)) {
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
