import type { RequestHandler } from "express";
import type { AdminOptions, SlowSearches } from "../../admin/index.ts";
import type { ConnectorInstance } from "../../execute/index.ts";
import type { StoredInstances } from "../instances/stored-instances.ts";

/** The operator's page, and what it remembers. */
export interface OperatorPage {
  readonly routes: RequestHandler;
  readonly searches: SlowSearches;
  close(): void;
}

interface OperatorPageOptions extends Omit<AdminOptions, "history" | "searches" | "instances"> {
  readonly instances: AdminOptions["instances"] & { readonly stored?: StoredInstances | undefined };
}

/** Makes the page. Its room is loaded only here, because most services show no page. */
export async function operatorPage(options: OperatorPageOptions): Promise<OperatorPage> {
  const { adminRoutes, QuotaHistory, SlowSearches } = await import("../../admin/index.ts");
  const history = new QuotaHistory(() => everyInstance(options.instances));
  const searches = new SlowSearches();
  return { routes: adminRoutes({ ...options, history, searches }), searches, close: () => history.close() };
}

/** The instances that can be used now. */
async function everyInstance({ instances, stored }: OperatorPageOptions["instances"]): Promise<ConnectorInstance[]> {
  const added = ((await stored?.list()) ?? []).map(({ id }) => stored?.find(id).catch(() => undefined));
  const found = await Promise.all(added);
  return [...instances.values(), ...found.filter((one) => one !== undefined)];
}
