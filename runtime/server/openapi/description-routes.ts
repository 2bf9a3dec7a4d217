import { anyRoute, type RouteDoc, text } from "./route-doc.ts";

const openapi = {
  "200": { description: "An OpenAPI 3.1 document.", schema: { type: "object" } },
  "304": { description: "Nothing has changed." },
} as const;

/** The routes that describe the service itself: its errors, its routes and its connectors. */
export const descriptionRoutes: readonly RouteDoc[] = [
  {
    route: "get /api/v1/problem.schema.json",
    operationId: "problemSchema",
    tag: "Documentation",
    description: "All errors have one form, that of RFC 9457.",
    summary: "Show the JSON Schema of every error body",
    open: true,
    answers: { "200": { description: "The schema.", type: "application/schema+json", schema: { type: "object" } } },
    errors: anyRoute,
  },
  {
    route: "get /docs/errors/{code}",
    operationId: "errorPage",
    tag: "Documentation",
    description: "The member `type` of a problem is the address of this page.",
    summary: "Explain an error code",
    open: true,
    parameters: { code: { in: "path", doc: "A code, as problems have it." } },
    answers: { "200": { description: "The page of the code.", type: "text/markdown", schema: text } },
    errors: [...anyRoute, "unknown_route"],
  },
  {
    route: "get /openapi.json",
    operationId: "openapi",
    tag: "Documentation",
    description: "This document: all routes, and the schemas of all connectors under their names.",
    summary: "Describe all routes and connectors",
    open: true,
    answers: openapi,
    errors: anyRoute,
  },
  {
    route: "get /openapi/{connector}.json",
    operationId: "connectorOpenapi",
    tag: "Documentation",
    description: "The execute endpoint of the connector, with a schema of every record, request and response.",
    summary: "Describe the actions of one connector",
    open: true,
    parameters: { connector: { in: "path", doc: "Name of the connector." } },
    answers: openapi,
    errors: [...anyRoute, "unknown_connector"],
  },
];
