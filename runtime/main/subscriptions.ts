import type { Logger } from "../base/logger.ts";
import { fetchFor } from "../platform/address-rules.ts";
import { type Instances, instanceOf } from "../server/instance-of.ts";
import { Subscriptions, SubscriptionWorker } from "../subscriptions/index.ts";
import type { Accounts } from "./accounts.ts";
import type { Settings } from "./settings/settings.ts";

/** Webhooks to receivers of callers. The worker is absent where there is no secret key, without which there are no subscriptions. */
export function subscriptionsOf(
  { allowPrivateAddresses: allowPrivate, auditDays }: Settings,
  { store, secured }: Accounts,
  instances: Instances,
  log: Logger,
): { readonly subscriptions: Subscriptions; readonly worker: SubscriptionWorker | undefined } {
  const send = fetchFor([], allowPrivate);
  const subscriptions = new Subscriptions({ store, keys: secured?.keys, allowPrivate, send });
  if (secured === undefined) return { subscriptions, worker: undefined };
  const worker = new SubscriptionWorker({
    store,
    keys: secured.keys,
    find: (id, grant) => instanceOf(instances, id, { grant }),
    send,
    log,
    audits: auditDays > 0,
  });
  return { subscriptions, worker };
}
