// Generated from spec/stripe/charges.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { type Customer, customerPlan } from "./customers.ts";
import { chargesStore } from "./facts.ts";
import { getParams, listParams } from "./validators/charges.js";

/** How it ended. */
export type ChargeStatus = "failed" | "pending" | "succeeded";

/** Attempts to move money to the account. */
export interface Charge {
  /** Id. */
  readonly id: string;
  /** Amount in the smallest unit of the currency, such as cents. */
  readonly amount: number;
  /** When it was created. */
  readonly created: string;
  /** Currency, as three small letters. */
  readonly currency: string;
  /** Id of the customer. */
  readonly customer: string | null;
  /** Description. */
  readonly description: string | null;
  /** Why it failed. */
  readonly failure: string | null;
  /** Whether it is real and not a test. */
  readonly livemode: boolean;
  /** Whether it was paid. */
  readonly paid: boolean;
  /** Address of the receipt. */
  readonly receipt: string | null;
  /** Whether all of it was paid back. */
  readonly refunded: boolean;
  /** What was paid back. */
  readonly refundedAmount: number;
  /** How it ended. */
  readonly status: ChargeStatus;
  /** The customer, where `expand` names it. */
  readonly customerObject?: Customer | null;
  /** Texts of the account's own. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ChargesGetParams {
  /** Id. */
  readonly id: string;
  /** Objects to give in full: `customer`. */
  readonly expand?: readonly string[];
  readonly fields?: readonly FieldPath[];
}

export interface ChargesListParams {
  /** Only what was created then. */
  readonly created?: { readonly gt?: number; readonly gte?: number; readonly lt?: number; readonly lte?: number };
  /** Only those of this customer. */
  readonly customer?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const chargePlan: RecordPlan = {
  name: "Charge",
  fields: {
    id: { read: "id", always: true },
    amount: { read: "amount", always: true, is: "integer" },
    created: { read: "created", always: true, as: { kind: "seconds" }, is: "timestamp" },
    currency: { read: "currency", always: true },
    customer: { read: "customer", as: { kind: "id" } },
    description: { read: "description" },
    failure: { read: "failure_message" },
    livemode: { read: "livemode", always: true, is: "boolean" },
    paid: { read: "paid", always: true, is: "boolean" },
    receipt: { read: "receipt_url" },
    refunded: { read: "refunded", always: true, is: "boolean" },
    refundedAmount: { read: "amount_refunded", always: true, is: "integer" },
    status: { read: "status", always: true, values: ["failed", "pending", "succeeded"] },
    customerObject: { read: "customer", as: { kind: "expanded" }, onRequest: true, of: () => customerPlan },
    metadata: { read: "metadata", always: true, open: true, onRequest: true },
  },
};

/** Reads one charge. */
export const get: Action<ChargesGetParams, Single<Charge>> = {
  name: "charges.get",
  traits: actionTraits.get,
  params: ["id", "expand"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/charges/{id}",
    query: [{ param: "expand", name: "expand", join: "brackets" }],
    body: [],
    record: chargePlan,
  },
};

/** Lists charges, newest first. */
export const list: Action<ChargesListParams, Page<Charge>> = {
  name: "charges.list",
  traits: actionTraits.list,
  params: ["created", "customer", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/charges",
    query: [
      { param: "created", name: "created", join: "brackets", members: ["gt", "gte", "lt", "lte"] },
      "customer",
      { param: "per_page", name: "limit" },
    ],
    body: [],
    answer: "data",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "starting_after", next: "data[-1].id", end: { more: "has_more" } },
    },
    record: chargePlan,
  },
};

/** Attempts to move money to the account. */
export const entity: Entity = {
  actions: { get, list },
  record: chargePlan,
  store: chargesStore,
  brief: ["id", "customer", "amount", "currency", "status", "created"],
  sync: [{ scope: "account", action: list, size: { param: "per_page", value: 100 } }],
};
