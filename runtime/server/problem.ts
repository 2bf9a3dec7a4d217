import type { ErrorRequestHandler, Response } from "express";
import { asTenonError, type ErrorCode, errorCodes, TenonError } from "../errors.ts";
import type { ExecuteResult } from "../execute/index.ts";
import type { Logger } from "../log.ts";

/** Body of an error: RFC 9457, with our members beside the standard ones (decision 3). */
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
    errors: error.faults,
  };
}

export function sendProblem(response: Response, error: TenonError): void {
  response.locals["code"] = error.code;
  if (error.retryAfter !== undefined) response.setHeader("Retry-After", String(error.retryAfter));
  response.statusCode = error.status;
  sendJson(response, "application/problem+json", problemOf(error, String(response.locals["requestId"])));
}

/** With its length told, a text goes out in one write together with the headers. */
export function sendJson(response: Response, type: string, value: unknown): void {
  const body = JSON.stringify(value);
  response.setHeader("Content-Type", `${type}; charset=utf-8`);
  response.setHeader("Content-Length", Buffer.byteLength(body));
  response.end(body);
}

/** An answer whose records may stand ready as bytes: these go out as they are. */
export function sendResult(response: Response, result: ExecuteResult): void {
  const { json, meta } = result;
  if (json === undefined) {
    sendJson(response, "application/json", result);
    return;
  }
  const body = Buffer.concat([Buffer.from('{"data":'), json, Buffer.from(`,"meta":${JSON.stringify(meta)}}`)]);
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", body.length);
  response.end(body);
}

/** The last handler: whatever was thrown becomes a problem, and what was not foreseen is logged with its cause. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    const error = fromParser(thrown) ?? asTenonError(thrown);
    if (error.code === "internal")
      log.error({ err: error.cause, requestId: String(response.locals["requestId"]) }, "unexpected error");
    if (response.headersSent) next(thrown);
    else sendProblem(response, error);
  };
}

/** Errors of express.json() and of Express itself carry a `type` or a `status`. */
function fromParser(thrown: unknown): TenonError | undefined {
  if (typeof thrown !== "object" || thrown === null || thrown instanceof TenonError) return undefined;
  const type = "type" in thrown ? String(thrown.type) : "";
  const known: Readonly<Record<string, readonly [ErrorCode, string]>> = {
    "entity.parse.failed": ["invalid_json", "The body is not valid JSON."],
    "entity.verify.failed": ["invalid_json", "The body is empty."],
    "entity.too.large": ["body_too_large", "The body is larger than 1 MiB."],
    "encoding.unsupported": ["unsupported_media_type", "This Content-Encoding is not supported."],
    "charset.unsupported": ["unsupported_media_type", "The charset must be utf-8."],
    "request.aborted": ["invalid_json", "The body was cut off."],
    "request.size.invalid": ["invalid_json", "The body is not as long as Content-Length says."],
  };
  const found = Object.hasOwn(known, type) ? known[type] : undefined;
  if (found !== undefined) return new TenonError(...found);
  // An address that is not well percent-encoded leads nowhere.
  if (thrown instanceof URIError) return new TenonError("unknown_route", "There is nothing at this address.");
  const status = "status" in thrown ? Number(thrown.status) : 0;
  return status >= 400 && status < 500
    ? new TenonError(status === 404 ? "unknown_route" : "invalid_json", "The request cannot be read.")
    : undefined;
}
