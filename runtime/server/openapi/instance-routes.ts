import { anyRoute, callers, connectorId, dataAnswer, type RouteDoc, syncStates, text, texts } from "./route-doc.ts";

const instance = {
  type: "object",
  properties: {
    id: { ...text, description: "Its `connector_id`." },
    connector: { ...text, description: "Name of its spec." },
    title: text,
    workspace_name: text,
    organization_id: { type: ["string", "null"] },
    status: { enum: ["ready", "off", "authorization_required"] },
    simulated: { type: "boolean", enum: [true], description: "Its data is invented. Real ones do not have this member." },
  },
  required: ["id", "connector", "title", "workspace_name", "organization_id", "status"],
} as const;

const instancesAnswer = {
  type: "object",
  properties: { data: { type: "array", items: instance }, meta: { type: "object" } },
  required: ["data", "meta"],
} as const;

const object = { type: "object" } as const;

const cached = {
  type: "object",
  properties: {
    scope: text,
    entity: text,
    state: { enum: syncStates },
    records: { type: "integer", minimum: 0 },
    synced_at: { type: ["string", "null"], format: "date-time", description: "When the last complete sync ended." },
  },
  required: ["scope", "entity", "state", "records", "synced_at"],
} as const;

const description = dataAnswer({
  id: text,
  connector: text,
  title: text,
  workspace_name: text,
  organization_id: { type: ["string", "null"] },
  rights: texts,
  entities: {
    ...object,
    description:
      "By name: the actions with the names of their schemas, and the table in SQL: types of columns by name, and the tables that it joins with.",
  },
  scopes: object,
  limits: { ...object, description: "What the caller may use in a minute." },
  quota_left: { ...object, description: "Calls that the platform still allows in this hour; null while it has not said." },
  cache: {
    type: ["array", "null"],
    description:
      "How far each entity of each scope is cached, of the entities that the caller may use; null where there is no cache, and for callers without the right `read` or `sync`.",
    items: cached,
  },
  schemas: { ...object, description: "JSON Schemas by name." },
});

/** The routes that list, describe and authorize connector instances. */
export const instanceRoutes: readonly RouteDoc[] = [
  {
    route: "get /api/v1/integrations/connectors",
    operationId: "connectors",
    tag: "Connectors",
    summary: "List the connector instances that the caller may use",
    description: "With the header `X-Organization-Id` only those of this organization.",
    parameters: {
      workspace_name: { in: "query", doc: "Only the instances of this workspace." },
      connector: { in: "query", doc: "Only the instances of this connector." },
    },
    answers: { "200": { description: "The instances, ordered by id.", schema: instancesAnswer } },
    errors: [...anyRoute, ...callers, "invalid_request"],
  },
  {
    route: "get /api/v1/integrations/connectors/{connector_id}",
    operationId: "describe",
    tag: "Connectors",
    summary: "Describe a connector instance: entities, actions, schemas, limits, cache and quota",
    description: "The header `If-None-Match` with an earlier `ETag` gets 304 as long as nothing has changed.",
    parameters: connectorId,
    answers: {
      "200": { description: "The description.", schema: description },
      "304": { description: "Nothing has changed." },
    },
    errors: [...anyRoute, ...callers, "unknown_connector", "connector_not_configured", "store_unusable"],
  },
  {
    route: "post /api/v1/integrations/connectors/{connector_id}/authorization",
    operationId: "authorize",
    tag: "Authentication",
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
    errors: [...anyRoute, ...callers, "forbidden", "unknown_connector", "connector_not_configured", "invalid_request"],
  },
  {
    route: "post /api/v1/integrations/connectors/{connector_id}/webhook",
    operationId: "receiveWebhook",
    tag: "Sync",
    summary: "Take a delivery of the platform's webhook",
    description:
      "The platform calls it, and proves itself by its signature with a secret of TENON_WEBHOOK_SECRETS, or with that of the webhook of `scope`. The payload only names what to read. It is stored before the response, and one that comes again changes nothing.",
    open: true,
    parameters: connectorId,
    requestBody: { required: true, content: { "application/json": { schema: {} } } },
    answers: {
      "202": {
        description: "The delivery is stored. `ignored`: its event is of nothing that is cached.",
        schema: dataAnswer({ status: { enum: ["accepted", "duplicate", "ignored"] } }),
      },
    },
    errors: [
      ...anyRoute,
      "unauthorized",
      "invalid_json",
      "body_too_large",
      "unsupported_media_type",
      "accounts_unusable",
      "database_unavailable",
      "shutting_down",
    ],
  },
  {
    route: "get /api/v1/integrations/callback",
    operationId: "authorizationCallback",
    tag: "Authentication",
    summary: "End an authorization: the platform sends the user here",
    description: "`state` names the authorization, and is valid once. The service exchanges `code` for tokens and stores them.",
    open: true,
    parameters: {
      state: { in: "query", doc: "Says which authorization it is." },
      code: { in: "query", doc: "What the platform gives for the user." },
      error: { in: "query", doc: "Why the platform gives nothing." },
      iss: { in: "query", doc: "Which platform sends the user (RFC 9207). Another one than that of the connector is refused." },
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
];
