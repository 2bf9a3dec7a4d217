// Generated from spec/stripe/subscriptions.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { subscriptionsStore } from "./facts.ts";
import { listParams } from "./validators/subscriptions.js";

/** What customers pay for regularly. Canceled ones are listed only if `status` requests them. */
export interface Subscription {
  /** Id. */
  readonly id: string;
  /** Whether it ends with its period. */
  readonly cancelAtPeriodEnd: boolean;
  /** When it was canceled. */
  readonly canceledAt: string | null;
  /** When it was created. */
  readonly created: string;
  /** Currency, as three small letters. */
  readonly currency: string;
  /** When its period ends. */
  readonly currentPeriodEnd: string;
  /** When its period began. */
  readonly currentPeriodStart: string;
  /** Id of the customer. */
  readonly customer: string | null;
  /** Description. */
  readonly description: string | null;
  /** Whether it is real and not a test. */
  readonly livemode: boolean;
  /** State of the subscription, such as `active` or `past_due`. */
  readonly status: string;
  /** Texts of the account's own. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface SubscriptionsListParams {
  /** Only those of this customer. */
  readonly customer?: string;
  /** Only those with this status; `all` for every one. */
  readonly status?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const subscriptionPlan: RecordPlan = {
  name: "Subscription",
  fields: {
    id: { read: "id", always: true },
    cancelAtPeriodEnd: { read: "cancel_at_period_end", always: true, is: "boolean" },
    canceledAt: { read: "canceled_at", as: { kind: "seconds" }, is: "timestamp" },
    created: { read: "created", always: true, as: { kind: "seconds" }, is: "timestamp" },
    currency: { read: "currency", always: true },
    currentPeriodEnd: { read: "current_period_end", always: true, as: { kind: "seconds" }, is: "timestamp" },
    currentPeriodStart: { read: "current_period_start", always: true, as: { kind: "seconds" }, is: "timestamp" },
    customer: { read: "customer", as: { kind: "id" } },
    description: { read: "description" },
    livemode: { read: "livemode", always: true, is: "boolean" },
    status: { read: "status", always: true },
    metadata: { read: "metadata", always: true, open: true, onRequest: true },
  },
};

/** Lists subscriptions, newest first. */
export const list: Action<SubscriptionsListParams, Page<Subscription>> = {
  name: "subscriptions.list",
  traits: actionTraits.list,
  params: ["customer", "status", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/subscriptions",
    query: ["customer", "status", { param: "per_page", name: "limit" }],
    body: [],
    answer: "data",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "starting_after", next: "data[-1].id", end: { more: "has_more" } },
    },
    record: subscriptionPlan,
  },
};

/** What customers pay for regularly. Canceled ones are listed only if `status` requests them. */
export const entity: Entity = {
  actions: { list },
  record: subscriptionPlan,
  store: subscriptionsStore,
  brief: ["id", "customer", "status", "currentPeriodEnd"],
  sync: [{ scope: "account", action: list, size: { param: "per_page", value: 100 } }],
};
