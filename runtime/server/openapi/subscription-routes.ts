import type { ErrorCode } from "../../base/error-codes.ts";
import { subscriptionLimits } from "../../subscriptions/index.ts";
import { anyRoute, callers, dataAnswer, type RouteDoc, text, texts } from "./route-doc.ts";

const time = { type: ["string", "null"], format: "date-time" } as const;
const count = { type: "integer", minimum: 0 } as const;

const entity = {
  description: "An entity or a list of entities; null or absent for all that the owner may use.",
  oneOf: [text, texts, { type: "null" }],
} as const;
const url = {
  ...text,
  maxLength: subscriptionLimits.url,
  description: "https address in a public network, which takes the deliveries.",
};
const filter = { type: ["object", "null"], description: "Conditions as in cached search. It needs one entity." } as const;
const fields = { description: "Fields of the present record to send along. It needs one entity." } as const;

const subscription = {
  id: text,
  connector_id: text,
  owner: { ...text, description: "Id of the key or client that made it. Its rights hold at each delivery." },
  url,
  entity: { type: ["array", "null"], items: text },
  state: { enum: ["active", "paused", "disabled"] },
  reason: { type: ["string", "null"], description: "Why it is not active." },
  position: { ...count, description: "Sequence number of the first change that is not delivered yet." },
  redelivery: {
    type: ["object", "null"],
    description: "Sequence numbers that are delivered once more: from the first to before the second.",
    properties: { from: count, to: count },
    required: ["from", "to"],
  },
  created_at: time,
  expires_at: time,
  failures: { ...count, description: "Failed attempts since the last delivery." },
  failing_since: time,
  next_attempt_at: time,
  last_delivery_at: time,
  last_outcome: {
    type: ["string", "null"],
    description: "Status of the last response, or `timeout`, `unreachable`, `private_address`.",
  },
} as const;
const optional = { filter, fields } as const;
const required = Object.keys(subscription);

const whole = {
  type: "object",
  properties: {
    data: { type: "object", properties: { ...subscription, ...optional }, required },
    meta: { type: "object" },
  },
  required: ["data", "meta"],
} as const;
const withSecret = {
  ...whole,
  properties: {
    ...whole.properties,
    data: {
      type: "object",
      properties: {
        ...subscription,
        ...optional,
        secret: { ...text, description: "`whsec_…`: verify deliveries with it. It is shown only here." },
      },
      required: [...required, "secret"],
    },
  },
} as const;

const subscriptionId = { subscription_id: { in: "path", doc: "Id of the subscription." } } as const;
const known: readonly ErrorCode[] = [...anyRoute, ...callers, "forbidden", "unknown_subscription"];
const withBody: readonly ErrorCode[] = [
  ...(["invalid_json", "invalid_request", "body_too_large", "unsupported_media_type"] as const),
];
const ofConnector: readonly ErrorCode[] = ["unknown_connector", "connector_not_configured", "bad_cursor"];
const tag = "Subscriptions";

const body = (properties: object, isRequired: readonly string[] = []) => ({
  required: isRequired.length > 0,
  content: {
    "application/json": { schema: { type: "object", properties, required: isRequired, additionalProperties: false } },
  },
});

/** The routes about webhooks to receivers of callers. */
export const subscriptionRoutes: readonly RouteDoc[] = [
  {
    route: "post /api/v1/subscriptions",
    operationId: "createSubscription",
    tag,
    summary: "Have changes of cached records sent to a webhook",
    description: `Takes the right \`read\`. Deliveries have the form of Standard Webhooks. A caller has at most ${subscriptionLimits.ofCaller} subscriptions.`,
    requestBody: body(
      {
        connector_id: text,
        url,
        entity,
        filter,
        fields,
        cursor: { ...text, description: "Where delivery begins: a cursor of the changes, or `latest` (default)." },
      },
      ["connector_id", "url"],
    ),
    answers: { "201": { description: "The subscription with its secret.", schema: withSecret } },
    errors: [...known, ...withBody, ...ofConnector, "too_many_subscriptions", "context_store_unavailable", "store_unusable"],
  },
  {
    route: "get /api/v1/subscriptions",
    operationId: "subscriptions",
    tag,
    summary: "List subscriptions",
    description: "The caller's own, the oldest first; with the right `admin` those of others too.",
    answers: {
      "200": {
        description: "The subscriptions.",
        schema: {
          type: "object",
          properties: {
            data: { type: "array", items: whole.properties.data },
            meta: { type: "object" },
          },
          required: ["data", "meta"],
        },
      },
    },
    errors: [...anyRoute, ...callers, "forbidden"],
  },
  {
    route: "get /api/v1/subscriptions/{subscription_id}",
    operationId: "subscription",
    tag,
    summary: "Show a subscription and how far it is",
    description: "Its owner may see it, and callers with the right `admin` for what it sends.",
    parameters: subscriptionId,
    answers: { "200": { description: "The subscription.", schema: whole } },
    errors: known,
  },
  {
    route: "patch /api/v1/subscriptions/{subscription_id}",
    operationId: "updateSubscription",
    tag,
    summary: "Change a subscription, pause it or resume it",
    description: "Members that are absent stay. Its place in the log stays too, so that nothing is lost while it is paused.",
    parameters: subscriptionId,
    requestBody: body({ url, entity, filter, fields, state: { enum: ["active", "paused"] } }),
    answers: { "200": { description: "The subscription.", schema: whole } },
    errors: [...known, ...withBody, ...ofConnector],
  },
  {
    route: "delete /api/v1/subscriptions/{subscription_id}",
    operationId: "deleteSubscription",
    tag,
    summary: "Delete a subscription",
    description: "A delivery that is under way may still arrive.",
    parameters: subscriptionId,
    answers: { "200": { description: "Its id.", schema: dataAnswer({ id: text, deleted: { const: true } }) } },
    errors: known,
  },
  {
    route: "post /api/v1/subscriptions/{subscription_id}/rotate",
    operationId: "rotateSubscription",
    tag,
    summary: "Replace the secret that signs deliveries",
    description: "Meanwhile deliveries have a signature with each of the two secrets.",
    parameters: subscriptionId,
    requestBody: body({
      overlap_hours: {
        type: "integer",
        minimum: 0,
        maximum: subscriptionLimits.overlap.most,
        description: `Hours for which the former secret signs too; ${subscriptionLimits.overlap.default} where it is absent.`,
      },
    }),
    answers: { "200": { description: "The subscription with its new secret.", schema: withSecret } },
    errors: [...known, ...withBody],
  },
  {
    route: "post /api/v1/subscriptions/{subscription_id}/redeliver",
    operationId: "redeliver",
    tag,
    summary: "Deliver changes once more",
    description: "The changes have the same `webhook-id` again. A subscription that was paused or disabled is active again.",
    parameters: subscriptionId,
    requestBody: body(
      {
        from: {
          oneOf: [text, count],
          description: "`webhook-id` or sequence number of the first change, or the cursor of the one before it.",
        },
        to: { oneOf: [text, count], description: "Of the last one; where it is absent, everything up to now." },
      },
      ["from"],
    ),
    answers: { "200": { description: "The subscription.", schema: whole } },
    errors: [...known, ...withBody],
  },
];
