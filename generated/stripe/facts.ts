// Generated from spec/stripe/connector.yaml by `make generate`. Do not edit.

import type { ConnectorFacts, StorePlan } from "../../runtime/contract/public.ts";

export const chargesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    amount: { type: "integer", index: "exact" },
    created: { type: "timestamp", index: "exact" },
    currency: { type: "string", index: "exact" },
    customer: { type: "string", index: "exact", nullable: true },
    description: { type: "string", index: "text", nullable: true },
    failure: { type: "string", index: "text", nullable: true },
    livemode: { type: "boolean", index: "exact" },
    paid: { type: "boolean", index: "exact" },
    refunded: { type: "boolean", index: "exact" },
    refundedAmount: { type: "integer", index: "exact" },
    status: { type: "string", index: "exact", values: ["failed", "pending", "succeeded"] },
  },
};

export const customersStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    balance: { type: "integer", index: "exact", nullable: true },
    city: { type: "string", index: "name", nullable: true },
    created: { type: "timestamp", index: "exact", nullable: true },
    currency: { type: "string", index: "exact", nullable: true },
    delinquent: { type: "boolean", index: "exact", nullable: true },
    description: { type: "string", index: "text", nullable: true },
    email: { type: "string", index: "name", nullable: true },
    livemode: { type: "boolean", index: "exact", nullable: true },
    name: { type: "string", index: "name", nullable: true },
    phone: { type: "string", index: "exact", nullable: true },
  },
};

export const invoicesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    created: { type: "timestamp", index: "exact" },
    currency: { type: "string", index: "exact" },
    customer: { type: "string", index: "exact", nullable: true },
    description: { type: "string", index: "text", nullable: true },
    due: { type: "integer", index: "exact" },
    dueDate: { type: "timestamp", index: "exact", nullable: true },
    email: { type: "string", index: "name", nullable: true },
    livemode: { type: "boolean", index: "exact" },
    number: { type: "string", index: "exact", nullable: true },
    paid: { type: "integer", index: "exact" },
    status: { type: "string", index: "exact", nullable: true, values: ["draft", "open", "paid", "uncollectible", "void"] },
    total: { type: "integer", index: "exact" },
  },
};

export const pricesStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    active: { type: "boolean", index: "exact" },
    amount: { type: "integer", index: "exact", nullable: true },
    created: { type: "timestamp", index: "exact" },
    currency: { type: "string", index: "exact" },
    interval: { type: "string", index: "exact", nullable: true },
    livemode: { type: "boolean", index: "exact" },
    nickname: { type: "string", index: "name", nullable: true },
    product: { type: "string", index: "exact" },
    type: { type: "string", index: "exact", values: ["one_time", "recurring"] },
  },
};

export const productsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    active: { type: "boolean", index: "exact" },
    created: { type: "timestamp", index: "exact" },
    defaultPrice: { type: "string", index: "exact", nullable: true },
    description: { type: "string", index: "text", nullable: true },
    livemode: { type: "boolean", index: "exact" },
    name: { type: "string", index: "name" },
    updated: { type: "timestamp", index: "exact" },
  },
  semantic: { fields: { description: { window: 2048 } }, hit: { id: "id", name: "name", updated: "updated" } },
};

export const refundsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    amount: { type: "integer", index: "exact" },
    charge: { type: "string", index: "exact", nullable: true },
    created: { type: "timestamp", index: "exact" },
    currency: { type: "string", index: "exact" },
    reason: { type: "string", index: "exact", nullable: true },
    status: { type: "string", index: "exact", nullable: true },
  },
};

export const subscriptionsStore: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    cancelAtPeriodEnd: { type: "boolean", index: "exact" },
    canceledAt: { type: "timestamp", index: "exact", nullable: true },
    created: { type: "timestamp", index: "exact" },
    currency: { type: "string", index: "exact" },
    currentPeriodEnd: { type: "timestamp", index: "exact" },
    currentPeriodStart: { type: "timestamp", index: "exact" },
    customer: { type: "string", index: "exact", nullable: true },
    description: { type: "string", index: "text", nullable: true },
    livemode: { type: "boolean", index: "exact" },
    status: { type: "string", index: "exact" },
  },
};

export const stores: ConnectorFacts["stores"] = {
  charges: chargesStore,
  customers: customersStore,
  invoices: invoicesStore,
  prices: pricesStore,
  products: productsStore,
  refunds: refundsStore,
  subscriptions: subscriptionsStore,
};

export const facts: ConnectorFacts["facts"] = {
  name: "stripe",
  title: "Stripe",
  example: { action: "list", entity: "customers", params: { fields: ["id", "name", "email"], per_page: 2 } },
  platform: {
    title: "Stripe",
    auth: {
      kinds: [
        {
          name: "token",
          values: { token: "STRIPE_API_KEY" },
          doc: "A secret or restricted key. A restricted key decides what every action may see and change.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
        },
      ],
      secrets: ["[sr]k_(test|live)_[A-Za-z0-9]{10,255}"],
    },
    rest: {
      url: "https://api.stripe.com",
      env: "STRIPE_API_URL",
      headers: { "Stripe-Version": "2024-06-20" },
      idempotency: "Idempotency-Key",
    },
    rateLimit: {
      concurrent: 10,
      requestId: "request-id",
      writes: { perHour: 50000, perMinute: 1200, spacing: 40 },
      background: { concurrent: 1, reserve: 0 },
    },
    errors: {
      graphql: {},
      rest: {
        "400": { code: "platform_rejected" },
        "401": { code: "platform_unauthorized" },
        "402": { code: "platform_rejected" },
        "403": { code: "platform_forbidden" },
        "404": { code: "not_found" },
        "409": { code: "platform_failed", retry: true },
        resource_missing: { code: "not_found" },
      },
      places: { code: ["error.code", "error.type"], field: ["error.param"], message: ["error.message"] },
    },
  },
  simulator: new URL("../../spec/stripe/simulator/platform.yaml", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: { account: { params: [], doc: "The account of the key. It is part of every sync." } },
};
