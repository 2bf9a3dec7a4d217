export type { DeliveryResult } from "./deliveries.ts";
export { subscriptionLimits } from "./limits.ts";
export type { FindInstance } from "./owner.ts";
export {
  type EventGrant,
  type EventSubscription,
  type InstanceSubscriptions,
  type Manager,
  Subscriptions,
  type SubscriptionsOptions,
} from "./subscriptions.ts";
export { type DeliveryTotals, SubscriptionWorker, type SubscriptionWorkerOptions } from "./worker.ts";
