import { answerHeaders, problemResponses } from "../../contract/index.ts";
import { type RouteDoc, text } from "./route-doc.ts";

/** The route as an operation of OpenAPI. */
export function operationOf({
  operationId,
  tag,
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
    tags: [tag],
    summary,
    description,
    ...(open ? { security: [] } : {}),
    ...(given.length === 0 ? {} : { parameters: given }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: merged(Object.fromEntries(responses), problemResponses(errors)),
  };
}

interface Response {
  readonly description: string;
  readonly headers: object;
  readonly content?: object;
}

/** All responses. Two of one status become one that has the content of either. */
function merged(own: Readonly<Record<string, Response>>, problems: Readonly<Record<string, Response>>): object {
  const both = Object.entries(problems).map(([status, problem]) => {
    const other = own[status];
    if (other === undefined) return [status, problem];
    const description = `${other.description} ${problem.description}`;
    const headers = { ...other.headers, ...problem.headers };
    return [status, { description, headers, content: { ...other.content, ...problem.content } }];
  });
  return { ...own, ...Object.fromEntries(both) };
}
