import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Logger } from "../base/log.ts";
import type { Trace } from "./trace.ts";

/** Gives every request an id, the caller's or a new one, and logs one line when it has ended. Neither headers nor bodies are logged. */
export function accessLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const given = request.headers["x-request-id"];
    const requestId = typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
    response.locals["requestId"] = requestId;
    response.on("close", () => {
      const { code, caller, client, trace } = response.locals;
      const about: Trace | undefined = trace;
      log.info(
        {
          requestId,
          method: request.method,
          route: about?.instance === undefined ? request.path.slice(0, 200) : undefined,
          caller: caller?.id ?? client,
          ...about?.fields,
          status: response.headersSent ? response.statusCode : undefined,
          code,
          ms: Math.round((performance.now() - started) * 10) / 10,
          aborted: response.writableFinished ? undefined : true,
        },
        "request",
      );
    });
    next();
  };
}
