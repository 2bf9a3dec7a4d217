import type { IncomingHttpHeaders } from "node:http";
import { TenonError } from "../../base/errors.ts";
import { bytesText, requestLimits } from "../../base/request-limits.ts";

/** The types of bodies, each with the message for a request of another type. */
const advice = {
  "application/json": "Send the header Content-Type: application/json.",
  "application/x-www-form-urlencoded": "Send the header Content-Type: application/x-www-form-urlencoded.",
} as const;

export type BodyType = keyof typeof advice;

/** Whether a request has a body. */
export function hasBody({ "content-length": length, "transfer-encoding": encoding }: IncomingHttpHeaders): boolean {
  return encoding !== undefined || Number(length ?? 0) > 0;
}

/** Bytes that a body may have unpacked, as far as its headers show it. @param body the most that it may have */
export function announced(headers: IncomingHttpHeaders, body: number = requestLimits.body): number {
  const { "content-length": length, "transfer-encoding": encoding, "content-encoding": packed } = headers;
  const { growth, growthFrom } = requestLimits;
  const size = encoding === undefined ? Number(length ?? 0) : body;
  return Math.min(body, packed === undefined || size === 0 ? size : Math.max(growthFrom, size * growth));
}

export function isOfType({ "content-type": header = "" }: IncomingHttpHeaders, type: BodyType): boolean {
  return header === type || header.split(";", 1)[0]?.trim().toLowerCase() === type;
}

/**
 * Checks what the headers alone show of a body, before it is read.
 *
 * @param limit bytes that it may have
 * @throws TenonError
 */
export function checkHead(headers: IncomingHttpHeaders, type: BodyType, limit: number): void {
  if (!isOfType(headers, type)) throw new TenonError("unsupported_media_type", advice[type]);
  const [, ...params] = (headers["content-type"] ?? "").toLowerCase().split(";");
  if (params.some((param) => /^\s*charset\b/.test(param) && !/^\s*charset="?utf-8"?\s*$/.test(param)))
    throw new TenonError("invalid_json", "The body must be in UTF-8: send charset=utf-8, or no charset at all.");
  if (Number(headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
}

export function tooLarge(limit: number): TenonError {
  return new TenonError("body_too_large", `The body is larger than ${bytesText(limit)}.`);
}
