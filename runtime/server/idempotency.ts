import type { Request } from "express";
import { invalidRequest } from "../base/errors.ts";
import { idempotencyKeyRule, isIdempotencyKey } from "../base/idempotency-key.ts";

/** The `Idempotency-Key` of a request; undefined where there is none. @throws TenonError `invalid_request` */
export function idempotencyKeyOf(request: Request): string | undefined {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return undefined;
  if (typeof header === "string" && isIdempotencyKey(header)) return header;
  const message = `Idempotency-Key ${idempotencyKeyRule}.`;
  throw invalidRequest([{ pointer: "/headers/idempotency-key", code: "wrong_form", message }]);
}
