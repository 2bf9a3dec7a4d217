import type { ErrorRequestHandler, Request, Response } from "express";
import { errorCodes } from "../base/error-codes.ts";
import { asTenonError, TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { Redact } from "../base/redact.ts";
import { requestLimits } from "../base/request-limits.ts";
import { whatToDo } from "../base/what-to-do.ts";
import { send, writeHead } from "./headers.ts";
import { dropRest } from "./intake/rest.ts";
import { traceOf } from "./monitoring/trace.ts";

/** Body of an error: RFC 9457, with our members (`code`, `message`, `retryable`, `what_to_do`, `errors`) beside the standard ones. */
export function problemOf(error: TenonError, requestId: string) {
  const { status, retryable, title } = errorCodes[error.code];
  return {
    type: `/docs/errors/${error.code}`,
    title,
    status,
    detail: error.message,
    instance: requestId,
    code: error.code,
    message: error.message,
    retryable,
    what_to_do: whatToDo(error),
    errors: error.faults,
    ...(error.proposal === undefined ? {} : { proposal: error.proposal }),
  };
}

const type = "application/problem+json; charset=utf-8";

/** A body of an error, and the status with which it is sent. */
export type Problem = Pick<ReturnType<typeof problemOf>, "code" | "message"> & { readonly status: number };

export type ProblemMaker = (error: TenonError, requestId: string) => Problem;

/** The value of `WWW-Authenticate` for a caller who lacks a right; undefined where no other token would have it. */
export type ScopeChallenge = (response: Response) => string | undefined;

function challengeOf(response: Response): string | undefined {
  const challenge: ScopeChallenge | undefined = response.app.locals["scopeChallenge"];
  return challenge?.(response);
}

/** @param as makes the body */
export function sendProblem(response: Response, error: TenonError, as: ProblemMaker = problemOf): void {
  traceOf(response).failure = error;
  if (error.retryAfter !== undefined) response.setHeader("Retry-After", String(error.retryAfter));
  const challenge = error.code === "forbidden" ? challengeOf(response) : undefined;
  if (challenge !== undefined) response.setHeader("WWW-Authenticate", challenge);
  const problem = as(error, String(response.locals["requestId"]));
  response.statusCode = problem.status;
  // A caller may have put a secret where a name belongs, and an error repeats wrong names.
  const body = redactorOf(response)(JSON.stringify(problem));
  if (restIsShort(response.req)) {
    dropRest(response.req);
    send(response, type, body);
  } else closeAfter(response, body);
}

/** Removes secrets from what callers see, as the application is set up to. */
export function redactorOf({ app }: Response): Redact {
  const redact: Redact | undefined = app.locals["redact"];
  return redact ?? ((text) => text);
}

/** Whether the rest of the request's body is short enough to be read and dropped, so that the connection can be kept. */
function restIsShort({ complete, headers }: Request): boolean {
  if (complete) return true;
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) <= requestLimits.body;
}

/** For how long (ms) and how much (bytes) the rest of a body is read after its request was refused. */
const linger = { time: 2000, bytes: 8 * 1024 * 1024 };

/**
 * Answers a request whose body is not read, and ends its connection, because nothing separates the next request from the body. The
 * connection stays open for a moment: closed at once, it would be reset while the caller still sends, and the answer would be lost.
 */
function closeAfter(response: Response, body: string): void {
  const { req } = response;
  response.setHeader("Connection", "close");
  writeHead(response, type, Buffer.byteLength(body));
  response.write(body);
  let left = linger.bytes;
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, linger.time);
  req.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  });
  req.once("end", end);
  response.once("close", end);
  dropRest(req);
}

/**
 * The last handler: every error becomes a problem, and an unexpected one is logged with its cause.
 *
 * @param as makes the body of a problem
 */
export function problemHandler(log: Logger, as: ProblemMaker = problemOf): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    const error = routerError(thrown) ?? asTenonError(thrown);
    if (error.code === "internal")
      log.error({ err: error.cause, requestId: String(response.locals["requestId"]) }, "unexpected error");
    if (response.headersSent) next(thrown);
    else sendProblem(response, error, as);
  };
}

/** The problem behind an error of Express itself; undefined for any other. */
function routerError(thrown: unknown): TenonError | undefined {
  // Express could not decode the percent-encoding of the address.
  if (thrown instanceof URIError) return new TenonError("unknown_route", "There is nothing at this address.");
  if (typeof thrown !== "object" || thrown === null || thrown instanceof TenonError) return undefined;
  const status = "status" in thrown ? Number(thrown.status) : 0;
  if (status < 400 || status >= 500) return undefined;
  return new TenonError(status === 404 ? "unknown_route" : "invalid_http", "The request cannot be read.");
}
