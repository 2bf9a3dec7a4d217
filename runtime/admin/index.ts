// What other rooms use of this one.
export type { ActionContext, Administration, Done, FormFields, PageAction, PreparedAction } from "./actions.ts";
export { FirstSeen } from "./first-seen.ts";
export { noteTroubles } from "./overview.ts";
export { QuotaHistory } from "./quota-history.ts";
export { RecentCalls } from "./recent-calls.ts";
export { type AdminOptions, adminRoutes } from "./routes.ts";
export type { SystemFacts } from "./service-view.ts";
export { SlowSearches } from "./slow-searches.ts";
export { Traffic } from "./traffic.ts";
