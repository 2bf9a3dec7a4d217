import { type ErrorCode, errorCodes } from "../../base/errors.ts";
import { answerHeaders, problemResponses } from "../../contract/index.ts";

// What the description of the service says of each of its routes. A test compares this table with the routes of the application.

interface RouteDoc {
  /** Method in lower case and path with `{name}` for its parts, as in OpenAPI. */
  readonly route: `${"get" | "post" | "put" | "patch" | "delete"} /${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Whether the route wants the header `Authorization`. */
  readonly open?: true;
  /** What its path and query take, by name. */
  readonly parameters?: Readonly<Record<string, { readonly in: "path" | "query"; readonly doc: string }>>;
  readonly requestBody?: object;
  /** Answers besides errors, by status. One without a schema has no body. */
  readonly answers: Readonly<Record<string, { readonly description: string; readonly type?: string; readonly schema?: object }>>;
  /** Codes of the errors that it can answer. */
  readonly errors: readonly ErrorCode[];
}

const anyRoute: readonly ErrorCode[] = ["headers_too_large", "request_timeout", "overloaded", "internal"];
const callers: readonly ErrorCode[] = [
  "unauthorized",
  "shutting_down",
  "too_many_requests",
  "accounts_unusable",
  "database_unavailable",
];
const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;
const connectorId = { connector_id: { in: "path", doc: "Id of the connector instance." } } as const;

const readiness = {
  type: "object",
  properties: { status: { enum: ["ready", "not ready"] }, connectors: texts, off: texts },
  required: ["status", "connectors", "off"],
} as const;

const syncState = {
  type: "object",
  properties: {
    scope: { ...text, description: "What was asked for, such as `repository=owner/name`." },
    entity: text,
    state: { enum: ["running", "interrupted", "complete", "failed", "gone", "never"] },
    records: { type: "integer", minimum: 0 },
    hidden: {
      type: "integer",
      minimum: 0,
      description: "Records of which the platform forbids to read what belongs to them. What was known of it stays.",
    },
    synced_at: { type: ["string", "null"], format: "date-time", description: "When the last complete sync ended." },
    full_sync_at: { type: ["string", "null"], format: "date-time", description: "When everything was last read." },
    calls: { type: ["integer", "null"], description: "Calls to the platform in the last sync." },
    points: { type: ["integer", "null"], description: "What these calls took from the platform's hourly budget." },
    verified_at: {
      type: ["string", "null"],
      format: "date-time",
      description: "Every record was compared with the platform at this time or later.",
    },
    reread: { type: ["object", "null"], description: "When a part of the records was last read again, and what that took." },
    position: { type: ["object", "null"], description: "How far the pass under way has read." },
    problem: { type: ["object", "null"], description: "Why the last sync failed." },
    next_sync_at: { type: ["string", "null"], format: "date-time", description: "When the schedule begins the next sync." },
  },
  required: [
    "scope",
    "entity",
    "state",
    "records",
    "hidden",
    "synced_at",
    "full_sync_at",
    "calls",
    "points",
    "verified_at",
    "reread",
    "position",
    "problem",
    "next_sync_at",
  ],
} as const;

const syncAnswer = {
  type: "object",
  properties: {
    data: { type: "array", items: syncState },
    meta: {
      type: "object",
      properties: { running: { type: "boolean" }, schedule: { type: ["object", "null"] } },
      required: ["running", "schedule"],
    },
  },
  required: ["data", "meta"],
} as const;

const credentials = {
  type: "object",
  properties: { grant_type: { const: "client_credentials" }, client_id: text, client_secret: text },
  required: ["client_id", "client_secret"],
} as const;

const accessToken = {
  type: "object",
  properties: { access_token: text, token_type: { const: "Bearer" }, expires_in: { type: "integer", description: "Seconds." } },
  required: ["access_token", "token_type", "expires_in"],
} as const;

const openapi = { description: "An OpenAPI 3.1 document.", schema: { type: "object" } } as const;

const instance = {
  type: "object",
  properties: {
    id: { ...text, description: "Its `connector_id`." },
    connector: { ...text, description: "Name of its spec." },
    title: text,
    workspace_name: text,
    organization_id: { type: ["string", "null"] },
    status: { enum: ["ready", "starting", "off", "authorization_required"] },
  },
  required: ["id", "connector", "title", "workspace_name", "organization_id", "status"],
} as const;

const instancesAnswer = {
  type: "object",
  properties: { data: { type: "array", items: instance }, meta: { type: "object" } },
  required: ["data", "meta"],
} as const;

const clientCredentials = {
  type: "object",
  properties: {
    grant_type: { const: "client_credentials", description: "Required in a form." },
    client_id: text,
    client_secret: text,
  },
} as const;

const tokenAnswer = {
  type: "object",
  properties: {
    access_token: text,
    token_type: { const: "Bearer" },
    expires_in: { type: "integer", description: "Seconds that the token lasts." },
  },
  required: ["access_token", "token_type", "expires_in"],
} as const;

const syncRequest = {
  type: "object",
  properties: {
    scopes: { ...texts, description: "What to read, such as `repository=owner/name`. Default: the scopes of the schedule." },
    entities: { ...texts, description: "Read only these entities." },
    full: { type: "boolean", description: "Read everything again." },
    allow_mass_delete: { type: "boolean", description: "Remove records even when most of them are gone from the platform." },
  },
  additionalProperties: false,
} as const;

const anySync: readonly ErrorCode[] = [
  "forbidden",
  "unknown_connector",
  "connector_not_configured",
  "starting",
  "invalid_request",
  "sync_running",
  "context_store_unavailable",
  "store_unusable",
  "accounts_unusable",
];

function dataAnswer(properties: Readonly<Record<string, object>>): object {
  const data = { type: "object", properties, required: Object.keys(properties) };
  return { type: "object", properties: { data, meta: { type: "object" } }, required: ["data", "meta"] };
}

const object = { type: "object" } as const;

const description = dataAnswer({
  id: text,
  connector: text,
  title: text,
  workspace_name: text,
  organization_id: { type: ["string", "null"] },
  rights: texts,
  entities: { ...object, description: "By name: the actions, and the names of their schemas." },
  scopes: object,
  limits: { ...object, description: "What the caller may use in a minute." },
  quota_left: { ...object, description: "Calls that the platform still allows in this hour; null while it has not said." },
  cache: { type: ["array", "null"], description: "How far each entity of each scope is cached." },
  schemas: { ...object, description: "JSON Schemas by name." },
});

/** Every route but the one that runs actions, whose schemas come from the connectors. */
export const routeDocs: readonly RouteDoc[] = [
  {
    route: "post /api/v1/account/applications/token",
    operationId: "token",
    summary: "Exchange the id and the secret of a client for an access token",
    description:
      "OAuth 2.0 client credentials (RFC 6749, 4.4). Id and secret may also stand in the header `Authorization: Basic`.",
    open: true,
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: clientCredentials },
        "application/x-www-form-urlencoded": { schema: clientCredentials },
      },
    },
    answers: { "200": { description: "The token.", schema: tokenAnswer } },
    errors: [
      ...anyRoute,
      ...callers,
      "invalid_json",
      "body_too_large",
      "unsupported_media_type",
      "invalid_request",
      "too_many_requests",
      "accounts_unusable",
    ],
  },
  {
    route: "get /api/v1/integrations/connectors",
    operationId: "connectors",
    summary: "List the connector instances that the caller may use",
    description: "With the header `X-Organization-Id` only those of this organization.",
    parameters: {
      workspace_name: { in: "query", doc: "Only the instances of this workspace." },
      connector: { in: "query", doc: "Only the instances of this connector." },
    },
    answers: { "200": { description: "The instances, ordered by id.", schema: instancesAnswer } },
    errors: [...anyRoute, ...callers, "invalid_request", "accounts_unusable"],
  },
  {
    route: "get /api/v1/integrations/connectors/{connector_id}/sync",
    operationId: "syncProgress",
    summary: "Show what is cached, how old it is, and what went wrong",
    parameters: connectorId,
    answers: { "200": { description: "One entry per scope and entity.", schema: syncAnswer } },
    errors: [...anyRoute, ...callers, ...anySync.filter((code) => code !== "invalid_request" && code !== "sync_running")],
  },
  {
    route: "post /api/v1/account/applications/token",
    operationId: "accessToken",
    summary: "Exchange the id and the secret of a client for an access token",
    description:
      "OAuth 2.0 client credentials (RFC 6749, 4.4). Id and secret may also stand in the header `Authorization: Basic`.",
    open: true,
    requestBody: {
      content: {
        "application/json": { schema: credentials },
        "application/x-www-form-urlencoded": { schema: { ...credentials, required: ["grant_type"] } },
      },
    },
    answers: { "200": { description: "An access token.", schema: accessToken } },
    errors: [
      ...anyRoute,
      "unauthorized",
      "invalid_request",
      "invalid_json",
      "unsupported_media_type",
      "body_too_large",
      "too_many_requests",
      "store_unusable",
      "database_unavailable",
      "shutting_down",
    ],
  },
  {
    route: "get /api/v1/integrations/connectors/{connector_id}",
    operationId: "describe",
    summary: "Describe a connector instance: entities, actions, schemas, limits, cache and quota",
    description: "The header `If-None-Match` with an earlier `ETag` gets 304 as long as nothing has changed.",
    parameters: connectorId,
    answers: {
      "200": { description: "The description.", schema: description },
      "304": { description: "Nothing has changed." },
    },
    errors: [...anyRoute, ...callers, "unknown_connector", "connector_not_configured", "starting", "store_unusable"],
  },
  {
    route: "post /api/v1/integrations/connectors/{connector_id}/sync",
    operationId: "startSync",
    summary: "Start a sync, and do not wait for its end",
    description: "Takes the right `sync`.",
    parameters: connectorId,
    requestBody: { content: { "application/json": { schema: syncRequest } } },
    answers: { "202": { description: "It has begun.", schema: dataAnswer({ status: { const: "started" }, scopes: texts }) } },
    errors: [...anyRoute, ...callers, ...anySync, "invalid_json", "body_too_large", "unsupported_media_type"],
  },
  {
    route: "delete /api/v1/integrations/connectors/{connector_id}/sync",
    operationId: "stopSync",
    summary: "End a sync after the page that it reads; the next one goes on from there",
    description: "Takes the right `sync`.",
    parameters: connectorId,
    answers: {
      "200": { description: "No sync runs any longer.", schema: dataAnswer({ status: { enum: ["stopped", "not_running"] } }) },
    },
    errors: [...anyRoute, ...callers, ...anySync],
  },
  {
    route: "delete /api/v1/integrations/connectors/{connector_id}/sync/scopes/{scope}",
    operationId: "forgetScope",
    summary: "Remove the cached records of a scope",
    description: "Takes the right `sync`.",
    parameters: { ...connectorId, scope: { in: "path", doc: "The scope, percent-encoded: `repository=owner%2Fname`." } },
    answers: {
      "200": {
        description: "The records are removed.",
        schema: dataAnswer({ scope: text, removed: { type: "integer", minimum: 0 } }),
      },
    },
    errors: [...anyRoute, ...callers, ...anySync],
  },
  {
    route: "post /api/v1/integrations/connectors/{connector_id}/authorization",
    operationId: "authorize",
    summary: "Begin to authorize a connector instance by a user of the platform",
    description:
      "Takes the right `admin`. A user opens the address in a browser; the platform sends the user back to the service.",
    parameters: connectorId,
    answers: {
      "200": {
        description: "The address of the platform's page.",
        schema: dataAnswer({ url: { ...text, format: "uri" }, expires_at: { ...text, format: "date-time" } }),
      },
    },
    errors: [
      ...anyRoute,
      ...callers,
      "forbidden",
      "unknown_connector",
      "connector_not_configured",
      "starting",
      "invalid_request",
    ],
  },
  {
    route: "get /api/v1/integrations/callback",
    operationId: "authorizationCallback",
    summary: "End an authorization: the platform sends the user here",
    open: true,
    parameters: {
      state: { in: "query", doc: "Says which authorization it is." },
      code: { in: "query", doc: "What the platform gives for the user." },
      error: { in: "query", doc: "Why the platform gives nothing." },
    },
    answers: { "200": { description: "The connector is authorized.", type: "text/plain", schema: text } },
    errors: [
      ...anyRoute,
      "invalid_request",
      "platform_forbidden",
      "platform_rejected",
      "platform_failed",
      "too_many_requests",
      "accounts_unusable",
      "shutting_down",
    ],
  },
  {
    route: "get /metrics",
    operationId: "metrics",
    summary: "Show what was counted, for Prometheus",
    description: "Takes the right `metrics`.",
    answers: { "200": { description: "The text format of Prometheus.", type: "text/plain", schema: text } },
    errors: [...anyRoute, ...callers, "forbidden"],
  },
  {
    route: "get /api/v1/problem.schema.json",
    operationId: "problemSchema",
    summary: "Show the JSON Schema of every error body",
    open: true,
    answers: { "200": { description: "The schema.", type: "application/schema+json", schema: { type: "object" } } },
    errors: anyRoute,
  },
  {
    route: "get /healthz",
    operationId: "health",
    summary: "Say that the process answers",
    open: true,
    answers: {
      "200": {
        description: "It answers.",
        schema: { type: "object", properties: { status: { const: "ok" } }, required: ["status"] },
      },
    },
    errors: anyRoute,
  },
  {
    route: "get /readyz",
    operationId: "readiness",
    summary: "Say whether every connector can be used",
    open: true,
    answers: {
      "200": { description: "Everything can be used.", schema: readiness },
      "503": { description: "Something is starting or ending.", schema: readiness },
    },
    errors: anyRoute.filter((code) => errorCodes[code].status !== 503),
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
    route: "post /mcp",
    operationId: "mcp",
    summary: "Call the tools of the Model Context Protocol",
    description:
      "Streamable HTTP without sessions: each body is one message of JSON-RPC 2.0. Clients of the protocol need only the address and the bearer token, and send `Accept: application/json, text/event-stream`.",
    requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } },
    answers: { "200": { description: "The answer of JSON-RPC.", schema: { type: "object" } } },
    errors: ["invalid_request", ...anyRoute, ...callers, "invalid_json", "body_too_large", "unsupported_media_type"],
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
