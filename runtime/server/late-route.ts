import type { RequestHandler } from "express";
import { madeOnce } from "../base/made-once.ts";

/** Milliseconds after which a handler is loaded that nobody has called. */
const patience = 10_000;

/**
 * A handler whose libraries are loaded with its first call, or some time after the start: loading holds up all other requests, so that a
 * caller must not choose when it happens.
 */
export function lateRoute(load: () => Promise<RequestHandler>): RequestHandler {
  const route = madeOnce(load);
  // Where it fails, the first call fails, and says why.
  setTimeout(() => void route().catch(() => undefined), patience).unref();
  return async (request, response, next) => {
    await (await route())(request, response, next);
  };
}
