/**
 * `paused`: by its owner, or because its owner may not read any longer what it delivers. `disabled`: its receiver was not reached for a
 * day, or does not want more.
 */
export type SubscriptionState = "active" | "paused" | "disabled";

/** Why the service itself stops a subscription. The audit log has it as the outcome of `subscription.stop`. */
export const stopReasons = [
  "receiver_gone",
  "receiver_failed",
  "owner_revoked",
  "owner_forbidden",
  "secret_lost",
  "unknown_names",
  "unknown_connector",
] as const;

export type StopReason = (typeof stopReasons)[number];

/** Changes of cached records that the service sends to an address, as callers see it. Times are ISO 8601. */
export interface WebhookSubscription {
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
