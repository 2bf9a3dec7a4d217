import { hash, timingSafeEqual } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { type Caller, type Callers, fullGrant } from "../../accounts/index.ts";
import { TenonError } from "../../base/errors.ts";
import { networkOfCaller } from "./caller-address.ts";
import type { Strangers } from "./strangers.ts";

/** Hash of a bearer token, as it is stored. Tokens are random, so nobody can find one by hashing guesses. */
export function tokenHash(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** The caller who has the key of the settings, or the key that the service made. */
export const operator: Caller = { id: "operator", name: "operator", grant: fullGrant, isOperator: true };

/** The token in the header. The usual spelling is read without the regular expression, which costs more. */
function bearerOf(header: string): string | undefined {
  if (header.startsWith("Bearer ") && header.length > 7 && !header.includes(" ", 7)) return header.slice(7);
  return /^Bearer +(\S+)$/i.exec(header)?.[1];
}

/**
 * Gives the caller to whom a token belongs; undefined for a token that is not accepted. It gives a promise only where a store has to be
 * asked.
 */
export type TokenCheck = (token: string) => Caller | undefined | Promise<Caller | undefined>;

/**
 * Whether a token is the operator's. Comparing takes the same time whatever the given token is; the length of the right one need not be
 * secret.
 */
function operatorCheck(expected: Buffer): (token: string) => boolean {
  // Once the right token has come, its bytes are kept and compared, so that later requests need no hash.
  let right: Buffer | undefined;
  return (token) => {
    const given = Buffer.from(token);
    if (right !== undefined) return given.length === right.length && timingSafeEqual(given, right);
    if (!timingSafeEqual(tokenHash(token), expected)) return false;
    right = given;
    return true;
  };
}

/**
 * Checks tokens.
 *
 * @param expected hash of the operator's token
 * @param callers the other callers, where some can be stored
 */
export function tokenCheck(expected: Buffer, callers?: Pick<Callers, "admit">): TokenCheck {
  const isOperator = operatorCheck(expected);
  return (token) => (isOperator(token) ? operator : callers?.admit(token));
}

/**
 * Lets a request through when it carries a token that is accepted (RFC 6750), and notes its caller. The other parameters are those of
 * {@link tokenCheck}.
 *
 * @param strangers limits the tokens that are not accepted
 * @param metadataUrl the address at which a client finds out how it gets a token (RFC 9728)
 */
export function admitCaller(
  expected: Buffer,
  callers: Pick<Callers, "admit"> | undefined,
  strangers: Strangers,
  metadataUrl: (request: Request) => string | undefined = () => undefined,
): RequestHandler {
  const isOperator = operatorCheck(expected);
  const admitted = async (token: string, network: () => string): Promise<Caller | undefined> => {
    const refusal = strangers.refusal(network, token);
    if (refusal !== undefined) throw refusal;
    const caller = await callers?.admit(token);
    if (caller === undefined) strangers.failed(network());
    else strangers.accepted(token);
    return caller;
  };
  return (request, response, next) => {
    const token = bearerOf(request.headers.authorization ?? "");
    const end = (caller: Caller | undefined) => {
      if (caller === undefined) next(unauthorized(response, token, metadataUrl(request)));
      else {
        noteCaller(response, caller);
        next();
      }
    };
    if (token !== undefined && isOperator(token)) return end(operator);
    const network = () => networkOfCaller(request, response);
    if (token !== undefined) {
      admitted(token, network).then(end, next);
      return;
    }
    // Noted for the log.
    network();
    end(undefined);
  };
}

/**
 * Looks up anew whose request one is that was let through before: a key may have been revoked, or may have other rights. The parameters are
 * those of {@link tokenCheck}.
 *
 * @returns a function that throws TenonError `unauthorized` when the token is not accepted any longer
 */
export function recheckCaller(
  expected: Buffer,
  callers: Pick<Callers, "admit"> | undefined,
): (request: Request, response: Response) => Promise<Caller> {
  const check = tokenCheck(expected, callers);
  return async (request, response) => {
    const token = bearerOf(request.headers.authorization ?? "");
    const caller = token === undefined ? undefined : await check(token);
    if (caller === undefined) throw new TenonError("unauthorized", "The bearer token is not valid any longer.");
    noteCaller(response, caller);
    return caller;
  };
}

const member = "caller";

/** Notes whose request it is, for {@link callerOf} and the log. */
export function noteCaller(response: Response, caller: Caller): void {
  response.locals[member] = caller;
}

/** Whose request it is, as {@link noteCaller} has noted; undefined for a request that has passed no check of its caller. */
export function knownCaller({ locals }: Response): Caller | undefined {
  return locals[member];
}

/** Whose request it is, as {@link noteCaller} has noted. */
export function callerOf(response: Response): Caller {
  const caller = knownCaller(response);
  if (caller === undefined) throw new Error("the request has passed no check of its caller");
  return caller;
}

/** Whether the caller has a token of another issuer. */
export function isIssued(response: Response): boolean {
  return knownCaller(response)?.issued === true;
}

function unauthorized(response: Response, token: string | undefined, metadata: string | undefined): TenonError {
  const members = [
    'realm="tenon"',
    ...(token === undefined ? [] : ['error="invalid_token"']),
    ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
  ];
  response.setHeader("WWW-Authenticate", `Bearer ${members.join(", ")}`);
  return new TenonError(
    "unauthorized",
    token === undefined ? "This request needs the header Authorization: Bearer <token>." : "The bearer token is not valid.",
  );
}
