// Generated from spec/stripe/refunds.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { refundsStore } from "./facts.ts";
import { createParams, listParams } from "./validators/refunds.js";

/** Why money is paid back. */
export type RefundReason = "duplicate" | "fraudulent" | "requested_by_customer";

/** Money that was paid back. */
export interface Refund {
  /** Id. */
  readonly id: string;
  /** Amount in the smallest unit of the currency, such as cents. */
  readonly amount: number;
  /** Id of the charge. */
  readonly charge: string | null;
  /** When it was created. */
  readonly created: string;
  /** Currency, as three small letters. */
  readonly currency: string;
  /** Why. */
  readonly reason: string | null;
  /** `pending`, `succeeded`, `failed` or `canceled`. */
  readonly status: string | null;
  /** Texts of the account's own. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

export interface RefundsListParams {
  /** Only those of this charge. */
  readonly charge?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface RefundsCreateParams {
  /** Id of the charge. */
  readonly charge: string;
  /** How much, in the smallest unit. Default: all that is left. 1 to 99999999. */
  readonly amount?: number;
  /** Texts of your own, by up to 50 names. An empty text removes one. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Why. */
  readonly reason?: RefundReason;
  readonly fields?: readonly FieldPath[];
}

export const refundPlan: RecordPlan = {
  name: "Refund",
  fields: {
    id: { read: "id", always: true },
    amount: { read: "amount", always: true, is: "integer" },
    charge: { read: "charge", as: { kind: "id" } },
    created: { read: "created", always: true, as: { kind: "seconds" }, is: "timestamp" },
    currency: { read: "currency", always: true },
    reason: { read: "reason" },
    status: { read: "status" },
    metadata: { read: "metadata", open: true, onRequest: true },
  },
};

/** Lists refunds, newest first. */
export const list: Action<RefundsListParams, Page<Refund>> = {
  name: "refunds.list",
  traits: actionTraits.list,
  params: ["charge", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/refunds",
    query: ["charge", { param: "per_page", name: "limit" }],
    body: [],
    answer: "data",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "starting_after", next: "data[-1].id", end: { more: "has_more" } },
    },
    record: refundPlan,
  },
};

/** Pays a charge back. */
export const create: Action<RefundsCreateParams, Answer<Refund>> = {
  name: "refunds.create",
  traits: actionTraits.create,
  params: ["charge", "amount", "metadata", "reason"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v1/refunds",
    query: [],
    body: ["charge", "amount", "metadata", "reason"],
    form: true,
    record: refundPlan,
  },
};

/** Money that was paid back. */
export const entity: Entity = {
  actions: { list, create },
  record: refundPlan,
  store: refundsStore,
  brief: ["id", "charge", "amount", "currency", "status"],
  sync: [{ scope: "account", action: list, size: { param: "per_page", value: 100 } }],
};
