import { changeRoutes } from "./change-routes.ts";
import { descriptionRoutes } from "./description-routes.ts";
import { instanceRoutes } from "./instance-routes.ts";
import { mcpRoute } from "./mcp-route.ts";
import { operatorRoutes } from "./operator-routes.ts";
import { proposalRoutes } from "./proposal-routes.ts";
import type { RouteDoc } from "./route-doc.ts";
import { subscriptionRoutes } from "./subscription-routes.ts";
import { syncRoutes } from "./sync-routes.ts";
import { metadataRoutes, tokenRoute } from "./token-route.ts";
import { webhookRouteDocs } from "./webhook-routes.ts";

/**
 * What the description of the service says of each of its routes, but for the one that runs actions, whose schemas come from the
 * connectors. A test compares this table with the routes of the application.
 */
export const routeDocs: readonly RouteDoc[] = [
  tokenRoute,
  ...metadataRoutes,
  ...instanceRoutes,
  ...syncRoutes,
  ...webhookRouteDocs,
  ...changeRoutes,
  ...proposalRoutes,
  ...subscriptionRoutes,
  mcpRoute,
  ...operatorRoutes,
  ...descriptionRoutes,
];
