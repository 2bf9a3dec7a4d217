import { anyRoute, type RouteDoc, text } from "./route-doc.ts";

const openapi = { description: "An OpenAPI 3.1 document.", schema: { type: "object" } } as const;

/** The routes that describe the service itself: its errors, its routes and its connectors. */
export const descriptionRoutes: readonly RouteDoc[] = [
  {
    route: "get /api/v1/problem.schema.json",
    operationId: "problemSchema",
    summary: "Show the JSON Schema of every error body",
    open: true,
    answers: { "200": { description: "The schema.", type: "application/schema+json", schema: { type: "object" } } },
    errors: anyRoute,
  },
  {
    route: "get /docs/errors/{code}",
    operationId: "errorPage",
    summary: "Explain an error code",
    open: true,
    parameters: { code: { in: "path", doc: "A code, as problems have it." } },
    answers: { "200": { description: "The page of the code.", type: "text/markdown", schema: text } },
    errors: [...anyRoute, "unknown_route"],
  },
  {
    route: "get /openapi.json",
    operationId: "openapi",
    summary: "Describe all routes and connectors",
    open: true,
    answers: { "200": openapi },
    errors: anyRoute,
  },
  {
    route: "get /openapi/{connector}.json",
    operationId: "connectorOpenapi",
    summary: "Describe the actions of one connector",
    open: true,
    parameters: { connector: { in: "path", doc: "Name of the connector." } },
    answers: { "200": openapi },
    errors: [...anyRoute, "unknown_connector"],
  },
];
