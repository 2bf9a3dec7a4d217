import { errorCodes } from "../../base/error-codes.ts";
import { degradedKinds } from "../monitoring/degraded.ts";
import { anyRoute, callers, type RouteDoc, text, texts } from "./route-doc.ts";

const degraded = {
  type: "object",
  properties: {
    what: { enum: degradedKinds },
    connector: { type: ["string", "null"] },
    count: { type: "integer", minimum: 1, description: "Instances, scopes or secrets of callers that it is true of." },
    since: { type: ["string", "null"], format: "date-time", description: "When these scopes were last complete." },
    advice: { ...text, description: "What to do." },
  },
  required: ["what", "connector", "count", "since", "advice"],
} as const;

const readiness = {
  type: "object",
  properties: {
    status: { enum: ["ready", "not ready"] },
    connectors: texts,
    simulated: texts,
    off: texts,
    problem: { type: "string", description: "Why the service waits, such as for `tenon store migrate`." },
    degraded: { type: "array", items: degraded, description: "Only with `verbose` in the query." },
  },
  required: ["status", "connectors", "simulated", "off"],
} as const;

/** The routes that tell an operator how the service is. */
export const operatorRoutes: readonly RouteDoc[] = [
  {
    route: "get /metrics",
    operationId: "metrics",
    tag: "Operation",
    summary: "Show what was counted, for Prometheus",
    description:
      "Takes the right `metrics`. There are only series of instances and entities that the caller may use, series of a whole connector only for callers who may use all its instances, and names of scopes only with `read` or `sync` and for all entities.",
    answers: { "200": { description: "The text format of Prometheus.", type: "text/plain", schema: text } },
    errors: [...anyRoute, ...callers, "forbidden"],
  },
  {
    route: "get /healthz",
    operationId: "health",
    tag: "Operation",
    summary: "Report that the process responds",
    description: "For the liveness probe of an orchestrator. It looks at nothing else.",
    open: true,
    answers: {
      "200": {
        description: "The process works.",
        schema: { type: "object", properties: { status: { const: "ok" } }, required: ["status"] },
      },
    },
    errors: anyRoute,
  },
  {
    route: "get /readyz",
    operationId: "readiness",
    tag: "Operation",
    summary: "Report whether every connector can be used",
    description: "For the readiness probe of an orchestrator or a load balancer.",
    open: true,
    parameters: { verbose: { in: "query", doc: "Also reports what is degraded, such as failed and stale syncs." } },
    answers: {
      "200": { description: "Everything can be used.", schema: readiness },
      "503": { description: "Something is starting or ending.", schema: readiness },
    },
    errors: anyRoute.filter((code) => errorCodes[code].status !== 503),
  },
];
