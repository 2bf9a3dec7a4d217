import type { ErrorCode } from "../../base/error-codes.ts";
import { anyRoute, callers, dataAnswer, type RouteDoc, text } from "./route-doc.ts";

const time = { type: ["string", "null"], format: "date-time" } as const;
const orNull = { type: ["string", "null"] } as const;
const connectorId = { connector_id: { in: "path", doc: "Id of the connector." } } as const;
const ofScope = { ...connectorId, scope: { in: "path", doc: "The scope, percent-encoded: `repository=owner%2Fname`." } } as const;

const webhook = {
  scope: text,
  id: { ...orNull, description: "Its id on the platform; null where it was entered there by hand." },
  url: { ...text, description: "The address that the platform calls." },
  added_at: time,
  last_at: { ...time, description: "When it last named something of the scope." },
  secrets: { type: "integer", minimum: 0, description: "Secrets that are valid now: two for a day after a rotation." },
} as const;

const managed = dataAnswer({
  scope: text,
  status: { enum: ["done", "enter"], description: "`enter`: a person has to do it on the platform." },
  enter: {
    type: ["object", "null"],
    description: "What to enter there; null where nothing is left to do.",
    properties: {
      where: text,
      url: text,
      secret: { ...orNull, description: "It is shown this once. Null where the platform makes it, or it has not changed." },
      reason: { ...text, description: "Why Tenon did not do it." },
    },
    required: ["where", "url", "secret", "reason"],
  },
});

const errors: readonly ErrorCode[] = [
  ...anyRoute,
  ...callers,
  "forbidden",
  "unknown_connector",
  "connector_not_configured",
  "invalid_request",
  "platform_unauthorized",
  "platform_rejected",
  "rate_limited",
  "platform_failed",
  "unexpected_response",
  "write_in_doubt",
];

const path = "/api/v1/integrations/connectors/{connector_id}/webhooks";

/** The routes with which an operator manages webhooks on the platform. */
export const webhookRouteDocs: readonly RouteDoc[] = [
  {
    route: `get ${path}`,
    operationId: "webhooks",
    tag: "Sync",
    summary: "List the webhooks that were added",
    description: "Takes the right `admin`. No secret is shown.",
    parameters: connectorId,
    answers: {
      "200": {
        description: "The webhooks, ordered by scope.",
        schema: {
          type: "object",
          properties: {
            data: { type: "array", items: { type: "object", properties: webhook, required: Object.keys(webhook) } },
            meta: { type: "object" },
          },
          required: ["data", "meta"],
        },
      },
    },
    errors,
  },
  {
    route: `post ${path}`,
    operationId: "addWebhook",
    tag: "Sync",
    summary: "Add a webhook of a scope on the platform",
    description:
      "Takes the right `admin`. It makes a secret and stores it encrypted. Where the credential may not add webhooks, the response has what a person has to enter on the platform.",
    parameters: connectorId,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: {
              scope: { ...text, description: "Such as `repository=owner/name`." },
              url: { ...text, description: "Where the platform reaches this service. Default: TENON_PUBLIC_URL." },
            },
            required: ["scope"],
            additionalProperties: false,
          },
        },
      },
    },
    answers: { "200": { description: "It is there, or has to be entered by hand.", schema: managed } },
    errors: [...errors, "invalid_json", "body_too_large", "unsupported_media_type"],
  },
  {
    route: `post ${path}/{scope}/test`,
    operationId: "testWebhook",
    tag: "Sync",
    summary: "Have the platform call a webhook, and report how that ended",
    description: "Takes the right `admin`. It waits for at most ten seconds for what the platform says.",
    parameters: ofScope,
    answers: {
      "200": {
        description: "What became of the test, as the platform says.",
        schema: dataAnswer({
          scope: text,
          outcome: { enum: ["accepted", "refused", "unknown"] },
          http_status: { type: ["integer", "null"], description: "What the platform got; 0 for no response." },
        }),
      },
    },
    errors: [...errors, "unknown_webhook"],
  },
  {
    route: `post ${path}/{scope}/rotate`,
    operationId: "rotateWebhook",
    tag: "Sync",
    summary: "Give a webhook a new secret",
    description: "Takes the right `admin`. The former secret stays valid for one more day.",
    parameters: ofScope,
    answers: { "200": { description: "The platform has the new secret, or has to be given it by hand.", schema: managed } },
    errors: [...errors, "unknown_webhook"],
  },
  {
    route: `delete ${path}/{scope}`,
    operationId: "removeWebhook",
    tag: "Sync",
    summary: "Remove a webhook, on the platform too",
    description: "Takes the right `admin`. What is still signed with its secrets is refused.",
    parameters: ofScope,
    answers: { "200": { description: "It is removed, or has to be removed on the platform by hand.", schema: managed } },
    errors: [...errors, "unknown_webhook"],
  },
];
