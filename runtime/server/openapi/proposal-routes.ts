import { proposalStates } from "../../contract/index.ts";
import { anyRoute, callers, dataAnswer, type RouteDoc, text } from "./route-doc.ts";

const time = { type: ["string", "null"], format: "date-time" } as const;
const object = { type: "object" } as const;
const anything = {} as const;

const summary = {
  id: text,
  state: { enum: [...proposalStates, "expired"] },
  connector_id: text,
  entity: text,
  action: text,
  proposed_by: { type: "object", properties: { id: text, name: text }, required: ["id", "name"] },
  intent: { type: ["string", "null"], description: "Why, in words of the caller." },
  reason: { type: ["string", "null"], description: "Why the policy requires an approval." },
  created_at: time,
  expires_at: time,
  decided_by: { type: ["string", "null"], description: "Id of the key that approved or rejected it." },
  decided_at: time,
  hash: { ...text, description: "Hash of everything that is shown." },
  idempotency_key: { ...text, description: "The `Idempotency-Key` with which the caller learns the outcome." },
} as const;

const whole = dataAnswer({
  ...summary,
  params: { ...object, description: "The exact request." },
  changes: {
    type: "array",
    description: "What the write sets (`to`) beside what the platform has (`from`). A value that is not known is absent.",
    items: { type: "object", properties: { field: text, from: anything, to: anything }, required: ["field"] },
  },
  outcome: { description: "What the write responded, or the code and message of its error; null before." },
});

const proposalId = { proposal_id: { in: "path", doc: "Id of the proposal." } } as const;
const decided = ["forbidden", "unknown_proposal", "proposal_closed"] as const;

/** The routes about writes that wait for an approval. */
export const proposalRoutes: readonly RouteDoc[] = [
  {
    route: "get /api/v1/proposals",
    operationId: "proposals",
    tag: "Approvals",
    summary: "List the writes that wait for an approval, or did",
    description: "The latest 100, the latest first: the caller's own, and with the right `approve` those of other callers too.",
    parameters: { state: { in: "query", doc: `Only those in this state: ${proposalStates.join(", ")}.` } },
    answers: {
      "200": {
        description: "The proposals.",
        schema: {
          type: "object",
          properties: {
            data: { type: "array", items: { type: "object", properties: summary, required: Object.keys(summary) } },
            meta: object,
          },
          required: ["data", "meta"],
        },
      },
    },
    errors: [...anyRoute, ...callers, "invalid_request"],
  },
  {
    route: "get /api/v1/proposals/{proposal_id}",
    operationId: "proposal",
    tag: "Approvals",
    summary: "Show a write that waits for an approval: its exact request, what it changes, and its outcome",
    description: "Its own caller may see it, and callers with the right `approve`.",
    parameters: proposalId,
    answers: { "200": { description: "The proposal.", schema: whole } },
    errors: [...anyRoute, ...callers, "unknown_proposal"],
  },
  {
    route: "post /api/v1/proposals/{proposal_id}/approve",
    operationId: "approve",
    tag: "Approvals",
    summary: "Approve a write, which is then sent once",
    description:
      "Takes the right `approve`, and another key than that of the proposal. Responds when the write has ended. Where what it would change has changed, nothing is sent, and the error `target_changed` has a new proposal.",
    parameters: proposalId,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { hash: { ...text, description: "The `hash` of the proposal, which says what was shown." } },
            required: ["hash"],
            additionalProperties: false,
          },
        },
      },
    },
    answers: { "200": { description: "The proposal with its outcome.", schema: whole } },
    errors: [
      ...anyRoute,
      ...callers,
      ...decided,
      "target_changed",
      "too_many_proposals",
      "invalid_json",
      "invalid_request",
      "body_too_large",
      "unsupported_media_type",
      "write_rejected",
      "policy_unusable",
      "unknown_connector",
      "connector_not_configured",
      "idempotency_conflict",
      "idempotency_running",
      "in_doubt",
      "not_found",
      "platform_unauthorized",
      "platform_forbidden",
      "authorization_required",
      "platform_rejected",
      "rate_limited",
      "platform_failed",
      "unexpected_response",
      "write_in_doubt",
      "deadline_exceeded",
      "write_deadline_exceeded",
    ],
  },
  {
    route: "post /api/v1/proposals/{proposal_id}/reject",
    operationId: "reject",
    tag: "Approvals",
    summary: "Reject a write, which is then never sent",
    description:
      "Takes the right `approve`, and another key than that of the proposal. The same request of its caller is refused until the proposal would have expired.",
    parameters: proposalId,
    answers: { "200": { description: "The proposal.", schema: whole } },
    errors: [...anyRoute, ...callers, ...decided],
  },
];
