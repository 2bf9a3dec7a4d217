import type { StoredSubscription } from "../accounts/index.ts";
import type { WebhookSubscription } from "../contract/index.ts";
import { contentOf } from "./content.ts";

export function subscriptionOf(stored: StoredSubscription): WebhookSubscription {
  const { url, entity, filter, fields } = contentOf(stored);
  const { id, instance, caller, state, reason, position, replayFrom, replayTo, failures, lastOutcome } = stored;
  return {
    id,
    connector_id: instance,
    owner: caller,
    url,
    entity,
    ...(filter === undefined ? {} : { filter }),
    ...(fields === undefined ? {} : { fields }),
    state,
    reason,
    position,
    redelivery: replayFrom === null ? null : { from: replayFrom, to: replayTo ?? position },
    created_at: new Date(stored.createdAt).toISOString(),
    expires_at: timeOf(stored.expiresAt),
    failures,
    failing_since: timeOf(stored.failingSince),
    next_attempt_at: failures > 0 && state === "active" ? timeOf(stored.dueAt) : null,
    last_delivery_at: timeOf(stored.lastAt),
    last_outcome: lastOutcome,
  };
}

function timeOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
