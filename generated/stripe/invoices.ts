// Generated from spec/stripe/invoices.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { invoicesStore } from "./facts.ts";
import { listParams } from "./validators/invoices.js";

/** State of the invoice. */
export type InvoiceStatus = "draft" | "open" | "paid" | "uncollectible" | "void";

/** What customers owe. */
export interface Invoice {
  /** Id. */
  readonly id: string;
  /** When it was created. */
  readonly created: string;
  /** Currency, as three small letters. */
  readonly currency: string;
  /** Id of the customer. */
  readonly customer: string | null;
  /** Description. */
  readonly description: string | null;
  /** What is to be paid. */
  readonly due: number;
  /** When it is due. */
  readonly dueDate: string | null;
  /** E-mail address of the customer. */
  readonly email: string | null;
  /** Whether it is real and not a test. */
  readonly livemode: boolean;
  /** Number that the customer sees. */
  readonly number: string | null;
  /** What was paid. */
  readonly paid: number;
  /** State of the invoice. */
  readonly status: InvoiceStatus | null;
  /** Sum in the smallest unit. */
  readonly total: number;
  /** Its web page. */
  readonly url: string | null;
  /** Texts of the account's own. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

export interface InvoicesListParams {
  /** Only those of this customer. */
  readonly customer?: string;
  /** Only those. */
  readonly status?: InvoiceStatus;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const invoicePlan: RecordPlan = {
  name: "Invoice",
  fields: {
    id: { read: "id", always: true },
    created: { read: "created", always: true, as: { kind: "seconds" }, is: "timestamp" },
    currency: { read: "currency", always: true },
    customer: { read: "customer", as: { kind: "id" } },
    description: { read: "description" },
    due: { read: "amount_due", always: true, is: "integer" },
    dueDate: { read: "due_date", as: { kind: "seconds" }, is: "timestamp" },
    email: { read: "customer_email" },
    livemode: { read: "livemode", always: true, is: "boolean" },
    number: { read: "number" },
    paid: { read: "amount_paid", always: true, is: "integer" },
    status: { read: "status", values: ["draft", "open", "paid", "uncollectible", "void"] },
    total: { read: "total", always: true, is: "integer" },
    url: { read: "hosted_invoice_url" },
    metadata: { read: "metadata", open: true, onRequest: true },
  },
};

/** Lists invoices, newest first. */
export const list: Action<InvoicesListParams, Page<Invoice>> = {
  name: "invoices.list",
  traits: actionTraits.list,
  params: ["customer", "status", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/invoices",
    query: ["customer", "status", { param: "per_page", name: "limit" }],
    body: [],
    answer: "data",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "starting_after", next: "data[-1].id", end: { more: "has_more" } },
    },
    record: invoicePlan,
  },
};

/** What customers owe. */
export const entity: Entity = {
  actions: { list },
  record: invoicePlan,
  store: invoicesStore,
  brief: ["id", "number", "customer", "total", "status"],
  sync: [{ scope: "account", action: list, size: { param: "per_page", value: 100 } }],
};
