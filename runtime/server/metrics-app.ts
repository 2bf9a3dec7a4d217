import { randomUUID } from "node:crypto";
import express, { type Express } from "express";
import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "./metrics.ts";
import { sendMetrics } from "./metrics-route.ts";
import { problemHandler } from "./problem.ts";

/** The application of the port that is for metrics alone: `/metrics` without a token, and nothing else. */
export function createMetricsApp(metrics: Metrics, log: Logger): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", false);
  app.use((_request, response, next) => {
    response.locals["requestId"] = randomUUID();
    next();
  });
  app.get("/metrics", (_request, response) => sendMetrics(metrics, response));
  app.use((_request, _response, next) => next(new TenonError("unknown_route", "This port has only GET /metrics.")));
  app.use(problemHandler(log));
  return app;
}
