import type { RequestHandler, Response } from "express";
import { callerOf } from "./bearer.ts";
import { send } from "./headers.ts";
import type { Metrics } from "./metrics.ts";
import { requireRight } from "./permission.ts";

/** `GET /metrics`: everything that was counted, for Prometheus. It takes the right `metrics`. */
export function metricsRoute(metrics: Metrics): RequestHandler {
  return async (_request, response) => {
    requireRight(callerOf(response).grant, "metrics");
    await sendMetrics(metrics, response);
  };
}

/** Sends everything that was counted, in the text format of Prometheus. */
export async function sendMetrics(metrics: Metrics, response: Response): Promise<void> {
  const { type, text } = await metrics.text();
  send(response, type, text);
}
