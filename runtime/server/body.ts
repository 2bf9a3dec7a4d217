import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import express, { type RequestHandler } from "express";
import type { ErrorCode } from "../base/error-codes.ts";
import { TenonError } from "../base/errors.ts";
import { bytesText, requestLimits } from "../base/request-limits.ts";

/**
 * Reads the body of a request as JSON in UTF-8: any value, because whether it is a request is checked later.
 *
 * @param limit bytes that it may have
 */
export function jsonUpTo(limit: number): readonly RequestHandler[] {
  return [
    (request, _response, next) => next(headerProblem(request.headers, limit)),
    express.json({
      limit,
      strict: false,
      type: () => true,
      verify: (_request, _response, body) => {
        if (body.length === 0) throw new BodyError("body.empty");
        // Decoding would put U+FFFD where bytes are wrong, and a write would carry that to the platform.
        if (!isUtf8(body)) throw new BodyError("body.not.utf8");
      },
    }),
  ];
}

/** Reads a body of the usual size. */
export const jsonBody = jsonUpTo(requestLimits.body);

/** Reads a body as {@link jsonBody} does, where there is one. */
export const optionalJsonBody: readonly RequestHandler[] = jsonBody.map(
  (handler): RequestHandler =>
    (request, response, next) => {
      const { "content-length": length, "transfer-encoding": encoding } = request.headers;
      if (encoding === undefined && Number(length ?? 0) === 0) next();
      else handler(request, response, next);
    },
);

/** The error that the headers alone show. The body is then not read. */
function headerProblem(headers: IncomingHttpHeaders, limit: number): TenonError | undefined {
  const type = headers["content-type"] ?? "";
  const problem = type === "application/json" ? undefined : typeProblem(type);
  if (problem !== undefined) return problem;
  return Number(headers["content-length"] ?? 0) > limit ? problemOfParser("entity.too.large", limit) : undefined;
}

function typeProblem(header: string): TenonError | undefined {
  const [type = "", ...params] = header.toLowerCase().split(";");
  if (type.trim() !== "application/json")
    return new TenonError("unsupported_media_type", "Send the header Content-Type: application/json.");
  if (params.some((param) => /^\s*charset\b/.test(param) && !/^\s*charset="?utf-8"?\s*$/.test(param)))
    return new TenonError("invalid_json", "The body must be in UTF-8: send charset=utf-8, or no charset at all.");
  return undefined;
}

/** The type goes through Express to {@link parserError}. */
class BodyError extends Error {
  readonly type: keyof typeof parserProblems;

  constructor(type: keyof typeof parserProblems) {
    super(type);
    this.type = type;
  }
}

/** By the `type` of an error of express.json(), or of ours. */
const parserProblems = {
  "entity.parse.failed": ["invalid_json", "The body is not valid JSON."],
  "body.empty": ["invalid_json", "The body is empty."],
  "body.not.utf8": ["invalid_json", "The body is not valid UTF-8."],
  "entity.too.large": ["body_too_large", "The body is larger than"],
  "encoding.unsupported": ["unsupported_media_type", "This Content-Encoding is not supported."],
  "request.aborted": ["invalid_json", "The body was cut off."],
  "request.size.invalid": ["invalid_json", "The body is not as long as Content-Length says."],
} as const satisfies Readonly<Record<string, readonly [ErrorCode, string]>>;

/** @param limit bytes that the body could have had */
function problemOfParser(type: keyof typeof parserProblems, limit: number = requestLimits.body): TenonError {
  const [code, message] = parserProblems[type];
  return new TenonError(code, code === "body_too_large" ? `${message} ${bytesText(limit)}.` : message);
}

/** The problem behind an error of express.json() or of Express itself, which carry a `type` or a `status`; else undefined. */
export function parserError(thrown: unknown): TenonError | undefined {
  if (typeof thrown !== "object" || thrown === null || thrown instanceof TenonError) return undefined;
  const type = "type" in thrown ? String(thrown.type) : "";
  const limit = "limit" in thrown && typeof thrown.limit === "number" ? thrown.limit : undefined;
  if (Object.hasOwn(parserProblems, type)) return problemOfParser(type as keyof typeof parserProblems, limit);
  // Express could not decode the percent-encoding of the address.
  if (thrown instanceof URIError) return new TenonError("unknown_route", "There is nothing at this address.");
  const status = "status" in thrown ? Number(thrown.status) : 0;
  return status >= 400 && status < 500
    ? new TenonError(status === 404 ? "unknown_route" : "invalid_json", "The request cannot be read.")
    : undefined;
}
