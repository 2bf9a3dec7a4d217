// What other rooms use of this one.
export { QuotaHistory } from "./quota-history.ts";
export { type AdminOptions, adminRoutes } from "./routes.ts";
export { SlowSearches } from "./slow-searches.ts";
