import type { Logger } from "../base/logger.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import { AddedWebhooks, Redelivery, WebhookInbox } from "../webhooks/index.ts";
import type { Accounts } from "./accounts.ts";
import type { StoredInstances } from "./instances/stored-instances.ts";

/** Requests again what platforms could not deliver; undefined where there is no secret key, and so no webhook can be added. */
export function redeliveryOf(
  { store, secured }: Accounts,
  {
    instances,
    stored,
    find,
    onHints,
    log,
  }: {
    readonly instances: ReadonlyMap<string, ConnectorInstance>;
    readonly stored: StoredInstances | undefined;
    readonly find: (id: string) => Promise<ConnectorInstance | undefined>;
    readonly onHints: () => void;
    readonly log: Logger;
  },
): Redelivery | undefined {
  if (secured === undefined) return undefined;
  return new Redelivery({
    added: new AddedWebhooks(store, secured.keys),
    hints: store,
    inbox: new WebhookInbox(store, onHints),
    instances: async () => [...instances.keys(), ...((await stored?.list()) ?? []).map(({ id }) => id)],
    find,
    log,
  });
}
