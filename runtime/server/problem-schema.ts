import type { RequestHandler } from "express";
import { problemSchemas } from "../contract/index.ts";
import { send } from "./headers.ts";

/** The JSON Schema of every error body, from the same table as the OpenAPI documents. */
export function problemSchema(): object {
  const { "tenon.problem": problem, "tenon.fault": fault } = problemSchemas;
  const { errors } = problem.properties;
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...problem,
    properties: { ...problem.properties, errors: { ...errors, items: { $ref: "#/$defs/fault" } } },
    $defs: { fault },
  };
}

/** `GET /api/v1/problem.schema.json`. */
export function problemSchemaRoute(): RequestHandler {
  const text = JSON.stringify(problemSchema());
  return (_request, response) => send(response, "application/schema+json; charset=utf-8", text);
}
