// Generated from spec/stripe/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as charges } from "./charges.ts";
import { entity as customers } from "./customers.ts";
import { facts } from "./facts.ts";
import { entity as invoices } from "./invoices.ts";
import { entity as prices } from "./prices.ts";
import { entity as products } from "./products.ts";
import { entity as refunds } from "./refunds.ts";
import { entity as subscriptions } from "./subscriptions.ts";

/** Customers, products, prices, charges, refunds, invoices and subscriptions of a Stripe account. */
export const stripe: Connector = {
  ...facts,
  entities: { charges, customers, invoices, prices, products, refunds, subscriptions },
};
