import type { Express } from "express";
import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { bareApp } from "./bare-app.ts";
import type { Metrics } from "./metrics.ts";
import { sendMetrics } from "./metrics-route.ts";
import { problemHandler } from "./problem.ts";

/** The application of the port that is for metrics alone: `/metrics` without a token, and nothing else. */
export function createMetricsApp(metrics: Metrics, log: Logger): Express {
  const app = bareApp();
  app.get("/metrics", (_request, response) => sendMetrics(metrics, response));
  app.use((_request, _response, next) => next(new TenonError("unknown_route", "This port has only GET /metrics.")));
  app.use(problemHandler(log));
  return app;
}
