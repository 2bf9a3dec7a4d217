import { anyRoute, callers, type RouteDoc } from "./route-doc.ts";

const message = { type: "object", description: "A message of JSON-RPC 2.0." } as const;

/** The route of the Model Context Protocol. */
export const mcpRoute: RouteDoc = {
  route: "post /mcp",
  operationId: "mcp",
  tag: "MCP",
  summary: "Call the tools of the Model Context Protocol",
  description:
    "Streamable HTTP without sessions, in revision 2026-07-28 of the protocol and the earlier ones: each body is one message of JSON-RPC 2.0. Clients of the protocol need only the address and the bearer token, and send `Accept: application/json, text/event-stream`.",
  requestBody: { required: true, content: { "application/json": { schema: message } } },
  answers: {
    "200": { description: "The response of JSON-RPC.", schema: message },
    "202": { description: "The message was a notification, which has no response." },
    "400": { description: "An error of JSON-RPC: the message or the version of the protocol is not valid.", schema: message },
    "404": { description: "An error of JSON-RPC: revision 2026-07-28 has no such method.", schema: message },
    "406": {
      description: "An error of JSON-RPC: the header `Accept` must have `application/json` and `text/event-stream`.",
      schema: message,
    },
  },
  errors: ["invalid_request", "forbidden", ...anyRoute, ...callers, "invalid_json", "body_too_large", "unsupported_media_type"],
};
