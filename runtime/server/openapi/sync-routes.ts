import type { ErrorCode } from "../../base/error-codes.ts";
import { anyRoute, callers, connectorId, dataAnswer, type RouteDoc, syncStates, text, texts } from "./route-doc.ts";

const syncState = {
  type: "object",
  properties: {
    scope: { ...text, description: "The scope that was requested, such as `repository=owner/name`." },
    entity: text,
    state: { enum: syncStates },
    records: { type: "integer", minimum: 0 },
    hidden: {
      type: "integer",
      minimum: 0,
      description: "Records whose children the platform forbids to read. Children that are cached already stay.",
    },
    repeated: {
      type: "integer",
      minimum: 0,
      description:
        "Records that came more than once in the last sync, with different contents. Many mean that different records have the same key.",
    },
    misfits: {
      type: "object",
      additionalProperties: { type: "integer", minimum: 1 },
      description:
        "How many values do not fit the spec, by field and code of the warning, such as `number unexpected_type`, since everything was last read. They are cached as they are.",
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
    verification: {
      type: ["object", "null"],
      description: "When a part of the records was last read again, and what that took.",
    },
    position: { type: ["object", "null"], description: "How far the sync run under way has read." },
    problem: { type: ["object", "null"], description: "Why the last sync failed." },
    next_sync_at: { type: ["string", "null"], format: "date-time", description: "When the schedule begins the next sync." },
  },
  required: [
    "scope",
    "entity",
    "state",
    "records",
    "hidden",
    "repeated",
    "misfits",
    "synced_at",
    "full_sync_at",
    "calls",
    "points",
    "verified_at",
    "verification",
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
      properties: {
        running: { type: "boolean" },
        schedule: { type: ["object", "null"] },
        webhooks: {
          type: "object",
          description: "Absent where no webhooks are taken.",
          properties: {
            waiting: { type: "integer", minimum: 0, description: "Hints of webhooks that wait to be read." },
            scopes: {
              type: "array",
              items: {
                type: "object",
                properties: {
                  scope: text,
                  kept_by: {
                    enum: ["webhooks", "schedule"],
                    description:
                      "`webhooks` while they come in, so that it is synced less often; `schedule` when they have stopped.",
                  },
                  last_at: { ...text, format: "date-time", description: "When a webhook last named something of it." },
                },
                required: ["scope", "kept_by", "last_at"],
              },
            },
          },
          required: ["waiting", "scopes"],
        },
      },
      required: ["running", "schedule"],
    },
  },
  required: ["data", "meta"],
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
  "invalid_request",
  "sync_running",
  "context_store_unavailable",
  "store_unusable",
];

/** The routes that show, start and stop syncs. */
export const syncRoutes: readonly RouteDoc[] = [
  {
    route: "get /api/v1/integrations/connectors/{connector_id}/sync",
    operationId: "syncProgress",
    tag: "Sync",
    summary: "Show what is cached, how old it is, and what went wrong",
    description:
      "Takes the right `read` or `sync`. Shows only entities that the caller may use. `meta` has the sync that runs, and the schedule.",
    parameters: connectorId,
    answers: { "200": { description: "One entry per scope and entity.", schema: syncAnswer } },
    errors: [...anyRoute, ...callers, ...anySync.filter((code) => code !== "invalid_request" && code !== "sync_running")],
  },
  {
    route: "post /api/v1/integrations/connectors/{connector_id}/sync",
    operationId: "startSync",
    tag: "Sync",
    summary: "Start a sync, and do not wait for its end",
    description: "Takes the right `sync`. A caller who may use some entities only syncs these, and may name no others.",
    parameters: connectorId,
    requestBody: { content: { "application/json": { schema: syncRequest } } },
    answers: { "202": { description: "It has started.", schema: dataAnswer({ status: { const: "started" }, scopes: texts }) } },
    errors: [...anyRoute, ...callers, ...anySync, "invalid_json", "body_too_large", "unsupported_media_type"],
  },
  {
    route: "delete /api/v1/integrations/connectors/{connector_id}/sync",
    operationId: "stopSync",
    tag: "Sync",
    summary: "Stop a sync after the page that it reads; the next one continues from there",
    description:
      "Takes the right `sync`, for all entities: `forbidden` for a caller who may use some entities only, because the sync may be of others too.",
    parameters: connectorId,
    answers: {
      "200": { description: "No sync runs any longer.", schema: dataAnswer({ status: { enum: ["stopped", "not_running"] } }) },
    },
    errors: [...anyRoute, ...callers, ...anySync],
  },
  {
    route: "delete /api/v1/integrations/connectors/{connector_id}/sync/scopes/{scope}",
    operationId: "forgetScope",
    tag: "Sync",
    summary: "Remove the cached records of a scope",
    description:
      "Takes the right `sync`, for all entities: `forbidden` for a caller who may use some entities only, because a scope has records of others too.",
    parameters: { ...connectorId, scope: { in: "path", doc: "The scope, percent-encoded: `repository=owner%2Fname`." } },
    answers: {
      "200": {
        description: "The records are removed.",
        schema: dataAnswer({ scope: text, removed: { type: "integer", minimum: 0 } }),
      },
    },
    errors: [...anyRoute, ...callers, ...anySync],
  },
];
