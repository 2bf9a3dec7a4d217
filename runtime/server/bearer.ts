import { hash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import { TenonError } from "../base/errors.ts";

/** Hash of a bearer token, as it is stored. Tokens are random, so nobody can find one by hashing guesses. */
export function tokenHash(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** The token in the header. The usual spelling is read without the regular expression, which costs more. */
function bearerOf(header: string): string | undefined {
  if (header.startsWith("Bearer ") && header.length > 7 && !header.includes(" ", 7)) return header.slice(7);
  return /^Bearer +(\S+)$/i.exec(header)?.[1];
}

/**
 * Lets a request through when it carries the token (RFC 6750). Comparing takes the same time whatever the given token is; the length
 * of the right one need not be secret.
 *
 * @param expected hash of the right token
 */
export function requireBearer(expected: Buffer): RequestHandler {
  // Once the right token has come, its bytes are kept and compared, so that later requests need no hash.
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
