// Generated from spec/stripe/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as charges } from "./charges.ts";
import { entity as customers } from "./customers.ts";
import { entity as invoices } from "./invoices.ts";
import { entity as prices } from "./prices.ts";
import { entity as products } from "./products.ts";
import { entity as refunds } from "./refunds.ts";
import { entity as subscriptions } from "./subscriptions.ts";

/** Customers, products, prices, charges, refunds, invoices and subscriptions of a Stripe account. */
export const stripe: Connector = {
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
  entities: { charges, customers, invoices, prices, products, refunds, subscriptions },
};
