export type { DeliveryResult } from "./deliveries.ts";
export { subscriptionLimits } from "./limits.ts";
export type { FindInstance } from "./owner.ts";
export {
  type InstanceSubscriptions,
  type Manager,
  Subscriptions,
} from "./subscriptions.ts";
export { type DeliveryTotals, SubscriptionWorker } from "./worker.ts";
