// Generated from spec/figma/webhooks.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { webhooksStore } from "./facts.ts";
import { createParams, deleteActionParams, getParams, listParams, updateParams } from "./validators/webhooks.js";

/** What a webhook is called for. */
export type WebhookEvent = "DEV_MODE_STATUS_UPDATE" | "FILE_COMMENT" | "FILE_DELETE" | "FILE_UPDATE" | "FILE_VERSION_UPDATE" | "LIBRARY_PUBLISH" | "PING";
/** Whether a webhook is called. */
export type WebhookStatus = "ACTIVE" | "PAUSED";

/** Addresses that Figma calls when something happens in a team. */
export interface Webhook {
  /** Id. */
  readonly id: string;
  /** What it listens to: a team, a folder or a file. */
  readonly context: string;
  /** Id of what it listens to. */
  readonly contextId: string;
  /** Description. */
  readonly description: string | null;
  /** Address that is called. */
  readonly endpoint: string;
  /** What it is called for. */
  readonly event: WebhookEvent;
  /** Whether it is called. */
  readonly status: WebhookStatus;
}

export interface WebhooksGetParams {
  /** Id of the webhook. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export interface WebhooksListParams {
  /** Id of the team. */
  readonly team: string;
  /** What `team` is the id of: `team`, `folder` or `file`. Default `team`. */
  readonly context?: string;
  readonly fields?: readonly FieldPath[];
}

export interface WebhooksCreateParams {
  /** What it listens to: `team`, `folder` or `file`. */
  readonly context: string;
  /** Id of what it listens to. */
  readonly contextId: string;
  /** Address that is called. */
  readonly endpoint: string;
  /** What it is called for. */
  readonly event: WebhookEvent;
  /** Text that Figma sends along. */
  readonly passcode: string;
  /** Description. */
  readonly description?: string;
  readonly fields?: readonly FieldPath[];
}

export interface WebhooksUpdateParams {
  /** Id of the webhook. */
  readonly id: string;
  /** New description. */
  readonly description?: string;
  /** New address. */
  readonly endpoint?: string;
  /** Whether it is called. */
  readonly status?: WebhookStatus;
  readonly fields?: readonly FieldPath[];
}

export interface WebhooksDeleteParams {
  /** Id of the webhook. */
  readonly id: string;
  readonly fields?: readonly FieldPath[];
}

export const webhookPlan: RecordPlan = {
  name: "Webhook",
  fields: {
    id: { read: "id", always: true },
    context: { read: "context", always: true },
    contextId: { read: "context_id", always: true },
    description: { read: "description" },
    endpoint: { read: "endpoint", always: true },
    event: {
      read: "event_type",
      always: true,
      values: [
        "DEV_MODE_STATUS_UPDATE",
        "FILE_COMMENT",
        "FILE_DELETE",
        "FILE_UPDATE",
        "FILE_VERSION_UPDATE",
        "LIBRARY_PUBLISH",
        "PING",
      ],
    },
    status: { read: "status", always: true, values: ["ACTIVE", "PAUSED"] },
  },
};

/** Reads one webhook. */
export const get: Action<WebhooksGetParams, Single<Webhook>> = {
  name: "webhooks.get",
  traits: actionTraits.get,
  params: ["id"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/v2/webhooks/{id}", query: [], body: [], record: webhookPlan },
};

/** Lists the webhooks of a team. */
export const list: Action<WebhooksListParams, Page<Webhook>> = {
  name: "webhooks.list",
  traits: actionTraits.list,
  params: ["team", "context"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v2/webhooks",
    query: [{ param: "team", name: "context_id" }, "context"],
    body: [],
    answer: "webhooks",
    list: { by: { kind: "single" } },
    record: webhookPlan,
  },
};

/** Has an address called when something happens. */
export const create: Action<WebhooksCreateParams, Answer<Webhook>> = {
  name: "webhooks.create",
  traits: actionTraits.create,
  params: ["context", "contextId", "endpoint", "event", "passcode", "description"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v2/webhooks",
    query: [],
    body: [
      "context",
      { param: "contextId", name: "context_id" },
      "endpoint",
      { param: "event", name: "event_type" },
      "passcode",
      "description",
    ],
    record: webhookPlan,
  },
};

/** Changes a webhook. */
export const update: Action<WebhooksUpdateParams, Answer<Webhook>> = {
  name: "webhooks.update",
  traits: actionTraits.update,
  params: ["id", "description", "endpoint", "status"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PUT",
    path: "/v2/webhooks/{id}",
    query: [],
    body: ["description", "endpoint", "status"],
    record: webhookPlan,
  },
  changes: ["description", "endpoint", "status"],
};

/** Removes a webhook. */
export const deleteAction: Action<WebhooksDeleteParams, Answer<Webhook>> = {
  name: "webhooks.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["id"],
  validate: deleteActionParams,
  operation: { kind: "rest", method: "DELETE", path: "/v2/webhooks/{id}", query: [], body: [], record: webhookPlan },
};

/** Addresses that Figma calls when something happens in a team. */
export const entity: Entity = {
  actions: { get, list, create, update, delete: deleteAction },
  record: webhookPlan,
  store: webhooksStore,
  brief: ["id", "event", "status", "context", "contextId"],
  sync: [{ scope: "team", action: list }],
};
