import type { Express } from "express";
import { TenonError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import { bareApp } from "../bare-app.ts";
import type { Edge } from "../edge.ts";
import { onlyOwnPages } from "../own-host.ts";
import { problemHandler } from "../problem.ts";
import { sendMetrics } from "../routes/metrics-route.ts";
import type { Metrics } from "./metrics.ts";

/**
 * The application of the port that is for metrics alone: `/metrics` without a token, and nothing else.
 *
 * @param hosts names by which it is reached, besides those of the machine itself; undefined where any name is
 */
export function createMetricsApp(metrics: Metrics, log: Logger, hosts: Edge["hosts"]): Express {
  const app = bareApp();
  // Nothing but the name tells a page of another site from whoever is on this machine.
  app.use(onlyOwnPages({ hosts, origins: [] }));
  app.get("/metrics", (_request, response) => sendMetrics(metrics, response));
  app.use((_request, _response, next) => next(new TenonError("unknown_route", "This port has only GET /metrics.")));
  app.use(problemHandler(log));
  return app;
}
