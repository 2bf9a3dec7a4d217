// Generated from spec/stripe/prices.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { pricesStore } from "./facts.ts";
import { listParams } from "./validators/prices.js";

/** How often it is paid. */
export type PriceType = "one_time" | "recurring";

/** What products cost. */
export interface Price {
  /** Id. */
  readonly id: string;
  /** Whether it can be used. */
  readonly active: boolean;
  /** Amount in the smallest unit of the currency, such as cents. */
  readonly amount: number | null;
  /** When it was created. */
  readonly created: string;
  /** Currency, as three small letters. */
  readonly currency: string;
  /** `day`, `week`, `month` or `year`. */
  readonly interval: string | null;
  /** Whether it is real and not a test. */
  readonly livemode: boolean;
  /** Name for the account's own use. */
  readonly nickname: string | null;
  /** Id of the product. */
  readonly product: string;
  /** How often it is paid. */
  readonly type: PriceType;
  /** Texts of the account's own. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface PricesListParams {
  /** Only those that can or cannot be used. */
  readonly active?: boolean;
  /** Only those of this product. */
  readonly product?: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const pricePlan: RecordPlan = {
  name: "Price",
  fields: {
    id: { read: "id", always: true },
    active: { read: "active", always: true, is: "boolean" },
    amount: { read: "unit_amount", is: "integer" },
    created: { read: "created", always: true, as: { kind: "seconds" }, is: "timestamp" },
    currency: { read: "currency", always: true },
    interval: { read: "recurring.interval" },
    livemode: { read: "livemode", always: true, is: "boolean" },
    nickname: { read: "nickname" },
    product: { read: "product", always: true, as: { kind: "id" } },
    type: { read: "type", always: true, values: ["one_time", "recurring"] },
    metadata: { read: "metadata", always: true, open: true, onRequest: true },
  },
};

/** Lists prices, newest first. */
export const list: Action<PricesListParams, Page<Price>> = {
  name: "prices.list",
  traits: actionTraits.list,
  params: ["active", "product", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/prices",
    query: ["active", "product", { param: "per_page", name: "limit" }],
    body: [],
    answer: "data",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "starting_after", next: "data[-1].id", end: { more: "has_more" } },
    },
    record: pricePlan,
  },
};

/** What products cost. */
export const entity: Entity = {
  actions: { list },
  record: pricePlan,
  store: pricesStore,
  brief: ["id", "product", "amount", "currency", "type"],
  sync: [{ scope: "account", action: list, size: { param: "per_page", value: 100 } }],
};
