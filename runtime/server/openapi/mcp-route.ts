import { anyRoute, callers, type RouteDoc } from "./route-doc.ts";

/** The route of the Model Context Protocol. */
export const mcpRoute: RouteDoc = {
  route: "post /mcp",
  operationId: "mcp",
  summary: "Call the tools of the Model Context Protocol",
  description:
    "Streamable HTTP without sessions: each body is one message of JSON-RPC 2.0. Clients of the protocol need only the address and the bearer token, and send `Accept: application/json, text/event-stream`.",
  requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } },
  answers: { "200": { description: "The answer of JSON-RPC.", schema: { type: "object" } } },
  errors: ["invalid_request", ...anyRoute, ...callers, "invalid_json", "body_too_large", "unsupported_media_type"],
};
