import { errorCodes } from "../base/error-codes.ts";
import { maxFaults } from "../base/errors.ts";

// What the descriptions of the HTTP interface (OpenAPI) say of errors and warnings. Those of the connectors, which the generator
// writes, and that of the service, which the service makes on request, take it from here.

const text = { type: "string" } as const;

const fault = {
  type: "object",
  description: "One fault of the request.",
  properties: {
    pointer: { ...text, description: "Its place in the body of the request, as JSON Pointer (RFC 6901)." },
    code: text,
    message: { ...text, description: "What is wrong." },
    allowed: { type: "array", items: { type: ["string", "number", "boolean", "null"] }, description: "What is allowed there." },
    suggestion: {
      type: ["string", "number"],
      description: "What is probably meant: the closest allowed name, or the number that a text has.",
    },
  },
  required: ["pointer", "code", "message"],
  additionalProperties: false,
} as const;

const problem = {
  type: "object",
  description: "An error (RFC 9457).",
  properties: {
    type: { type: "string", format: "uri-reference", description: "Address of the page about the code." },
    title: text,
    status: { type: "integer", minimum: 400, maximum: 599 },
    detail: text,
    instance: { ...text, description: "Id of the request, as in the header X-Request-Id and in the log." },
    code: { type: "string", enum: Object.keys(errorCodes).sort() },
    message: { ...text, description: "The same text as `detail`." },
    retryable: { type: "boolean", description: "Whether the same request may succeed later." },
    what_to_do: { ...text, description: "The next step: what to send instead, how long to wait, or whom to ask." },
    errors: { type: "array", maxItems: maxFaults, items: { $ref: "#/components/schemas/tenon.fault" } },
    proposal: { type: "object", description: "The write that waits for an approval: see `GET /api/v1/proposals/{proposal_id}`." },
  },
  required: ["type", "title", "status", "detail", "instance", "code", "message", "retryable", "what_to_do", "errors"],
  additionalProperties: false,
} as const;

const warning = {
  type: "object",
  description: "Reports that something is missing in a response, or is probably a mistake of the caller.",
  properties: {
    path: { ...text, description: "A place in the response (`data.3.labels`), or a JSON Pointer into the request." },
    code: text,
    message: text,
  },
  required: ["path", "code", "message"],
  additionalProperties: false,
} as const;

/** Schemas of errors and warnings, by their names under `components.schemas`. */
export const problemSchemas = { "tenon.fault": fault, "tenon.problem": problem, "tenon.warning": warning } as const;

const headers = {
  "X-Request-Id": { description: "Id of the request: the caller's own, or a new one.", schema: text },
} as const;

/** Headers that every answer has. */
export const answerHeaders = headers;

interface ProblemResponse {
  readonly description: string;
  readonly headers: object;
  readonly content: object;
}

/** The error answers of a route, by their status: all of the table, or those of some codes. */
export function problemResponses(codes: readonly string[] = Object.keys(errorCodes)): Record<string, ProblemResponse> {
  const all = Object.entries(errorCodes).filter(([code]) => codes.includes(code));
  const statuses = [...new Set(all.map(([, { status }]) => status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const rows = all.filter(([, row]) => row.status === status);
      const retry = status === 429 || status === 503;
      const wait = { "Retry-After": { description: "Seconds after which a retry may succeed.", schema: { type: "integer" } } };
      const response = {
        description: rows.map(([code, { title }]) => `\`${code}\`: ${title}.`).join(" "),
        headers: { ...headers, ...(retry ? wait : {}) },
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/tenon.problem" } } },
      };
      return [String(status), response];
    }),
  );
}
