// Generated from spec/stripe/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import { localMode } from "../../runtime/client/local-mode.ts";
import { type StripeCredential, type StripeEntities, plan } from "./hosted.ts";

export * from "../../runtime/client/index.ts";
export type * from "./hosted.ts";
export type { ClientOptions, LocalOptions } from "./hosted.ts";

/** Client of Stripe. Customers, products, prices, charges, refunds, invoices and subscriptions of a Stripe account. */
export const Stripe: ConnectorClass<StripeEntities, StripeCredential> = connectorClass(plan, localMode(async () => (await import("./index.ts")).stripe));

export type Stripe = Client<StripeEntities>;
