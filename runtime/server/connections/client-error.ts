import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "../../base/error-codes.ts";
import { TenonError } from "../../base/errors.ts";
import { STATUS_CODES } from "../../base/node-http.ts";
import { hasSeveralHosts } from "../own-host.ts";
import { problemOf } from "../problem.ts";
import type { BoundedLog } from "./bounded-log.ts";

/** By the code of Node's error, or of an error of this file; whatever else the parser refuses is `invalid_http`. */
const problems: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  NO_HOST: ["invalid_http", "The request has no header Host."],
  SEVERAL_HOSTS: ["invalid_http", "The request has several headers Host."],
  EXPECTATION: ["invalid_http", "The only value of the header Expect that is supported is 100-continue."],
  SMALL_PIECES: ["invalid_http", "The body comes in too many small pieces. Send larger chunks, or a Content-Length."],
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The headers are larger than 16 KiB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request did not come in within the time that it may take."],
};

const noHost = Object.assign(new Error("a request has no header Host"), { code: "NO_HOST" });
const severalHosts = Object.assign(new Error("a request has several headers Host"), { code: "SEVERAL_HOSTS" });
const expectation = Object.assign(new Error("a request expects what nobody knows"), { code: "EXPECTATION" });
export const smallPieces = Object.assign(new Error("a body comes in too many small pieces"), { code: "SMALL_PIECES" });

/** Why a request is refused for its headers alone, as Node would do without a problem (RFC 9112, 3.2, and RFC 9110, 10.1.1). */
export function headError(request: IncomingMessage): Error | undefined {
  const { host, expect } = request.headers;
  if (host === undefined && request.httpVersion === "1.1") return noHost;
  if (hasSeveralHosts(request)) return severalHosts;
  return expect === undefined || /\b100-continue\b/i.test(expect) ? undefined : expectation;
}

/** Answers what Node could not read as a request with a problem, and ends the connection. */
export function answerClientError(error: Error, socket: Duplex, log: BoundedLog): void {
  const nodeCode = "code" in error ? String(error.code) : "";
  // The caller has gone, or an answer has begun: nothing can be said any longer.
  if (nodeCode === "ECONNRESET" || !socket.writable || hasBegun(socket)) {
    socket.destroy();
    return;
  }
  const known = Object.hasOwn(problems, nodeCode) ? problems[nodeCode] : undefined;
  const problem = new TenonError(...(known ?? (["invalid_http", "The request is not valid HTTP."] as const)));
  const requestId = randomUUID();
  log.warn({ requestId, code: problem.code, reason: nodeCode }, "a request could not be read");
  const body = JSON.stringify(problemOf(problem, requestId));
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    "Connection: close",
    "Content-Type: application/problem+json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "X-Content-Type-Options: nosniff",
    "Cache-Control: no-store",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

/** Whether a part of an answer has already been written; Node keeps the answer of a connection in this member. */
function hasBegun(socket: Duplex): boolean {
  if (!("_httpMessage" in socket)) return false;
  const answer = socket._httpMessage;
  return typeof answer === "object" && answer !== null && "headersSent" in answer && answer.headersSent === true;
}
