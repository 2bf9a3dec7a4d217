// Generated from spec/stripe/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as charges from "./charges.ts";
import type * as customers from "./customers.ts";
import type * as invoices from "./invoices.ts";
import type * as prices from "./prices.ts";
import type * as products from "./products.ts";
import type * as refunds from "./refunds.ts";
import type * as subscriptions from "./subscriptions.ts";

export * from "../../runtime/client/index.ts";
export type { Charge, ChargeStatus, ChargesGetParams, ChargesListParams } from "./charges.ts";
export type { Address, Customer, CustomersApiSearchParams, CustomersCreateParams, CustomersDeleteParams, CustomersGetParams, CustomersListParams, CustomersUpdateParams, Deleted } from "./customers.ts";
export type { Invoice, InvoiceStatus, InvoicesListParams } from "./invoices.ts";
export type { Price, PriceType, PricesListParams } from "./prices.ts";
export type { Product, ProductsCreateParams, ProductsGetParams, ProductsListParams, ProductsUpdateParams } from "./products.ts";
export type { Refund, RefundReason, RefundsCreateParams, RefundsListParams } from "./refunds.ts";
export type { Subscription, SubscriptionsListParams } from "./subscriptions.ts";

/** What the methods of {@link Stripe} take and return. */
export interface StripeEntities {
  /** Attempts to move money to the account. */
  charges: {
    name: "charges";
    actions: Pick<typeof charges, "get" | "list">;
    record: charges.Charge;
    search: { id: "string"; amount: "integer"; created: "timestamp"; currency: "string"; customer: "string"; description: "string"; failure: "string"; livemode: "boolean"; paid: "boolean"; refunded: "boolean"; refundedAmount: "integer"; status: "string" };
  };
  /** People and companies that pay. */
  customers: {
    name: "customers";
    actions: Pick<typeof customers, "get" | "list" | "apiSearch" | "create" | "update"> & { delete: typeof customers.deleteAction };
    record: customers.Customer;
    search: { id: "string"; balance: "integer"; city: "string"; created: "timestamp"; currency: "string"; delinquent: "boolean"; description: "string"; email: "string"; livemode: "boolean"; name: "string"; phone: "string" };
  };
  /** What customers owe. */
  invoices: {
    name: "invoices";
    actions: Pick<typeof invoices, "list">;
    record: invoices.Invoice;
    search: { id: "string"; created: "timestamp"; currency: "string"; customer: "string"; description: "string"; due: "integer"; dueDate: "timestamp"; email: "string"; livemode: "boolean"; number: "string"; paid: "integer"; status: "string"; total: "integer" };
  };
  /** What products cost. */
  prices: {
    name: "prices";
    actions: Pick<typeof prices, "list">;
    record: prices.Price;
    search: { id: "string"; active: "boolean"; amount: "integer"; created: "timestamp"; currency: "string"; interval: "string"; livemode: "boolean"; nickname: "string"; product: "string"; type: "string" };
  };
  /** Goods and services that are sold. */
  products: {
    name: "products";
    actions: Pick<typeof products, "get" | "list" | "create" | "update">;
    record: products.Product;
    search: { id: "string"; active: "boolean"; created: "timestamp"; defaultPrice: "string"; description: "string"; livemode: "boolean"; name: "string"; updated: "timestamp" };
    semantic: "description";
  };
  /** Money that was paid back. */
  refunds: {
    name: "refunds";
    actions: Pick<typeof refunds, "list" | "create">;
    record: refunds.Refund;
    search: { id: "string"; amount: "integer"; charge: "string"; created: "timestamp"; currency: "string"; reason: "string"; status: "string" };
  };
  /** What customers pay for regularly. Canceled ones are listed only if `status` requests them. */
  subscriptions: {
    name: "subscriptions";
    actions: Pick<typeof subscriptions, "list">;
    record: subscriptions.Subscription;
    search: { id: "string"; cancelAtPeriodEnd: "boolean"; canceledAt: "timestamp"; created: "timestamp"; currency: "string"; currentPeriodEnd: "timestamp"; currentPeriodStart: "timestamp"; customer: "string"; description: "string"; livemode: "boolean"; status: "string" };
  };
}

/** The credentials that Stripe takes. */
export type StripeCredential =
  | { readonly kind: "token"; readonly token: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<StripeCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<StripeCredential>;

/** Entities and actions of Stripe, for both modes of its client. */
export const plan: ClientPlan = {
  name: "stripe",
  title: "Stripe",
  entities: {
    charges: { get: {}, list: { cursor: "after" } },
    customers: {
      get: {},
      list: { cursor: "after" },
      api_search: { cursor: "after" },
      create: { writes: true },
      update: { writes: true },
      delete: { writes: true },
    },
    invoices: { list: { cursor: "after" } },
    prices: { list: { cursor: "after" } },
    products: { get: {}, list: { cursor: "after" }, create: { writes: true }, update: { writes: true } },
    refunds: { list: { cursor: "after" }, create: { writes: true } },
    subscriptions: { list: { cursor: "after" } },
  },
};

/** Client of Stripe, in hosted mode only, as browsers use it. Customers, products, prices, charges, refunds, invoices and subscriptions of a Stripe account. */
export const Stripe: ConnectorClass<StripeEntities, StripeCredential> = connectorClass(plan);

export type Stripe = Client<StripeEntities>;
