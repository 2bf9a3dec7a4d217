import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Logger } from "../base/log.ts";

/** Gives every request an id, the caller's or a new one, and logs one line when it has ended. Neither headers nor bodies are logged. */
export function accessLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const given = request.headers["x-request-id"];
    const requestId = typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
    response.locals["requestId"] = requestId;
    response.on("close", () => {
      const { code, caller, client, connector, entity, action } = response.locals;
      log.info(
        {
          requestId,
          method: request.method,
          route: connector === undefined ? request.path.slice(0, 200) : undefined,
          caller: caller?.id ?? client,
          connector,
          entity,
          action,
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
