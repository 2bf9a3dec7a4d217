import type { StoredSubscription, SubscriptionState } from "../accounts/index.ts";
import { contentOf } from "./content.ts";

/** A subscription as callers see it. Times are ISO 8601. */
export interface Subscription {
  readonly id: string;
  readonly connector_id: string;
  /** Id of the caller who owns it. */
  readonly owner: string;
  readonly url: string;
  readonly entity: readonly string[] | null;
  readonly filter?: unknown;
  readonly fields?: unknown;
  readonly state: SubscriptionState;
  /** Why it is not active. */
  readonly reason: string | null;
  /** Sequence number of the first change that is not delivered yet. */
  readonly position: number;
  /** Sequence numbers that are delivered once more: from the first to before the second. */
  readonly redelivery: { readonly from: number; readonly to: number } | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly failures: number;
  readonly failing_since: string | null;
  readonly next_attempt_at: string | null;
  readonly last_delivery_at: string | null;
  readonly last_outcome: string | null;
}

export function subscriptionOf(stored: StoredSubscription): Subscription {
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
