import type { RequestHandler, Response } from "express";
import { callerOf } from "../callers/bearer.ts";
import { requireRight } from "../callers/permission.ts";
import { send } from "../headers.ts";
import { type ListedInstance, organizationOf } from "../instance-of.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import { visibleSeries } from "../monitoring/visible-series.ts";

/** `GET /metrics`: what was counted, for Prometheus, but nothing of what the caller may not use. It takes the right `metrics`. */
export function metricsRoute(metrics: Metrics, list: () => Promise<readonly ListedInstance[]>): RequestHandler {
  return async (request, response) => {
    const { grant } = callerOf(response);
    requireRight(grant, "metrics");
    const { type, text } = await metrics.text();
    send(response, type, await visibleSeries(text, { grant, organization: organizationOf(request) }, list));
  };
}

/** Sends everything that was counted, in the text format of Prometheus. */
export async function sendMetrics(metrics: Metrics, response: Response): Promise<void> {
  const { type, text } = await metrics.text();
  send(response, type, text);
}
