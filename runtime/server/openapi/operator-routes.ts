import { errorCodes } from "../../base/error-codes.ts";
import { anyRoute, callers, type RouteDoc, text, texts } from "./route-doc.ts";

const readiness = {
  type: "object",
  properties: { status: { enum: ["ready", "not ready"] }, connectors: texts, off: texts },
  required: ["status", "connectors", "off"],
} as const;

/** The routes that tell an operator how the service is. */
export const operatorRoutes: readonly RouteDoc[] = [
  {
    route: "get /metrics",
    operationId: "metrics",
    summary: "Show what was counted, for Prometheus",
    description: "Takes the right `metrics`.",
    answers: { "200": { description: "The text format of Prometheus.", type: "text/plain", schema: text } },
    errors: [...anyRoute, ...callers, "forbidden"],
  },
  {
    route: "get /healthz",
    operationId: "health",
    summary: "Say that the process answers",
    open: true,
    answers: {
      "200": {
        description: "It answers.",
        schema: { type: "object", properties: { status: { const: "ok" } }, required: ["status"] },
      },
    },
    errors: anyRoute,
  },
  {
    route: "get /readyz",
    operationId: "readiness",
    summary: "Say whether every connector can be used",
    open: true,
    answers: {
      "200": { description: "Everything can be used.", schema: readiness },
      "503": { description: "Something is starting or ending.", schema: readiness },
    },
    errors: anyRoute.filter((code) => errorCodes[code].status !== 503),
  },
];
