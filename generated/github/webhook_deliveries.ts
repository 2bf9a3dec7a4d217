// Generated from spec/github/webhook_deliveries.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { webhookDeliveriesStore } from "./facts.ts";
import { type Done, donePlan } from "./shared.ts";
import { listParams, redeliverActionParams } from "./validators/webhook_deliveries.js";

/** What GitHub sent to a webhook in the last days, and how the address responded. */
export interface WebhookDelivery {
  /** Numeric ID. */
  readonly id: number;
  /** What happened. */
  readonly action: string | null;
  /** When it was sent. */
  readonly deliveredAt: string;
  /** Event that it reports. */
  readonly event: string;
  /** What names the delivery to the address, in the header `X-GitHub-Delivery`; a delivery that is sent again has the same. */
  readonly guid: string;
  /** Whether it was sent again. */
  readonly isRedelivery: boolean;
  /** What became of it. */
  readonly status: string;
  /** HTTP status with which the address responded; 0 for none. */
  readonly statusCode: number;
}

export interface WebhookDeliveriesListParams {
  /** ID of the webhook. */
  readonly hook_id: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** `success` or `failure`: only those that the address took, or did not. */
  readonly status?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface WebhookDeliveriesRedeliverParams {
  /** ID of the delivery. */
  readonly delivery_id: number;
  /** ID of the webhook. */
  readonly hook_id: number;
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  readonly fields?: readonly FieldPath[];
}

export const webhookDeliveryPlan: RecordPlan = {
  name: "WebhookDelivery",
  fields: {
    id: { read: "id", always: true, is: "integer" },
    action: { read: "action" },
    deliveredAt: { read: "delivered_at", always: true, is: "timestamp" },
    event: { read: "event", always: true },
    guid: { read: "guid", always: true },
    isRedelivery: { read: "redelivery", always: true, is: "boolean" },
    status: { read: "status", always: true },
    statusCode: { read: "status_code", always: true, is: "integer" },
  },
};

/** Lists what was sent to a webhook, the newest first. */
export const list: Action<WebhookDeliveriesListParams, Page<WebhookDelivery>> = {
  name: "webhook_deliveries.list",
  traits: actionTraits.list,
  params: ["hook_id", "owner", "repo", "status", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/repos/{owner}/{repo}/hooks/{hook_id}/deliveries",
    query: ["status", "per_page"],
    body: [],
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" } },
    record: webhookDeliveryPlan,
  },
};

/** Has GitHub send a delivery again. */
export const redeliverAction: Action<WebhookDeliveriesRedeliverParams, Answer<Done>> = {
  name: "webhook_deliveries.redeliver",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["delivery_id", "hook_id", "owner", "repo"],
  validate: redeliverActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/repos/{owner}/{repo}/hooks/{hook_id}/deliveries/{delivery_id}/attempts",
    query: [],
    body: [],
    record: donePlan,
  },
};

/** What GitHub sent to a webhook in the last days, and how the address responded. */
export const entity: Entity = {
  actions: { list, redeliver: redeliverAction },
  record: webhookDeliveryPlan,
  store: webhookDeliveriesStore,
  brief: ["id", "event", "action", "statusCode", "deliveredAt"],
  sync: [],
};
