import { anyRoute, callers, type RouteDoc, text } from "./route-doc.ts";

/** Without `client_id` and `client_secret` where the header has them. */
const credentials = {
  type: "object",
  properties: {
    grant_type: { const: "client_credentials", description: "Required in a form." },
    client_id: text,
    client_secret: text,
  },
} as const;

const accessToken = {
  type: "object",
  properties: {
    access_token: text,
    token_type: { const: "Bearer" },
    expires_in: { type: "integer", description: "Seconds that the token lasts." },
  },
  required: ["access_token", "token_type", "expires_in"],
} as const;

/** The route that gives access tokens to clients. */
export const tokenRoute: RouteDoc = {
  route: "post /api/v1/account/applications/token",
  operationId: "accessToken",
  tag: "Authentication",
  summary: "Exchange the id and the secret of a client for an access token",
  description:
    "OAuth 2.0 client credentials (RFC 6749, 4.4). Id and secret may also be sent in the header `Authorization: Basic`.",
  open: true,
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: credentials },
      "application/x-www-form-urlencoded": { schema: { ...credentials, required: ["grant_type"] } },
    },
  },
  answers: { "200": { description: "The token.", schema: accessToken } },
  errors: [...anyRoute, ...callers, "invalid_request", "invalid_json", "unsupported_media_type", "body_too_large"],
};

const metadata = { "200": { description: "The metadata.", schema: { type: "object" } } } as const;

/** The routes that tell a client how it gets a token. */
export const metadataRoutes: readonly RouteDoc[] = [
  {
    route: "get /.well-known/oauth-protected-resource",
    operationId: "resourceMetadata",
    tag: "Authentication",
    summary: "Show from whom clients get tokens for the service",
    description: "OAuth 2.0 protected-resource metadata (RFC 9728). The header `WWW-Authenticate` of a 401 names this address.",
    open: true,
    answers: metadata,
    errors: anyRoute,
  },
  {
    route: "get /.well-known/oauth-protected-resource/mcp",
    operationId: "mcpMetadata",
    tag: "Authentication",
    summary: "Show from whom clients get tokens for /mcp",
    description: "The same for the tools of MCP, which are a separate resource.",
    open: true,
    answers: metadata,
    errors: anyRoute,
  },
  {
    route: "get /.well-known/oauth-authorization-server",
    operationId: "issuerMetadata",
    tag: "Authentication",
    summary: "Show how clients of the service get tokens",
    description: "OAuth 2.0 authorization-server metadata (RFC 8414) of the endpoint for access tokens.",
    open: true,
    answers: metadata,
    errors: [...anyRoute, "unknown_route"],
  },
];
