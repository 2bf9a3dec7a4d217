import { answerHeaders, problemResponses } from "../../contract/index.ts";
import { type RouteDoc, text } from "./route-doc.ts";

/** The route as an operation of OpenAPI. */
export function operationOf({
  operationId,
  summary,
  description,
  open,
  parameters,
  requestBody,
  answers,
  errors,
}: RouteDoc): object {
  const given = Object.entries(parameters ?? {}).map(([name, { in: place, doc }]) => ({
    name,
    in: place,
    required: place === "path",
    description: doc,
    schema: text,
  }));
  const responses = Object.entries(answers).map(([status, { description: what, type = "application/json", schema }]) => [
    status,
    { description: what, headers: answerHeaders, ...(schema === undefined ? {} : { content: { [type]: { schema } } }) },
  ]);
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(open ? { security: [] } : {}),
    ...(given.length === 0 ? {} : { parameters: given }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: { ...Object.fromEntries(responses), ...problemResponses(errors) },
  };
}
