import type { Express } from "express";
import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { bareApp } from "./bare-app.ts";
import { send } from "./headers.ts";
import { problemHandler } from "./problem.ts";

/**
 * The Express application of a process that waits for its database before it can know any caller: it lives, is not ready, and asks
 * everybody to come back.
 *
 * @param problem why it waits, for the operator's probes
 */
export function createWaitingApp(log: Logger, problem: () => string): Express {
  const app = bareApp();
  app.get("/healthz", (_request, response) => send(response, "application/json; charset=utf-8", '{"status":"ok"}'));
  app.get("/readyz", (_request, response) => {
    response.statusCode = 503;
    send(response, "application/json; charset=utf-8", JSON.stringify({ status: "not ready", problem: problem() }));
  });
  app.use((_request, _response, next) =>
    next(new TenonError("database_unavailable", "The service waits for its database.", { retryAfter: 1 })),
  );
  app.use(problemHandler(log));
  return app;
}
