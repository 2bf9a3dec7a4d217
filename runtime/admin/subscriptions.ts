import type { Caller } from "../accounts/index.ts";
import type { SentChanges } from "./actions.ts";
import type { TroubleView } from "./troubles.ts";
import { count, type ShownTime, timeOf } from "./words.ts";

// Webhooks to receivers on the operator's page.

export const subscriptionsPath = "/admin/subscriptions";

export interface SubscriptionsView {
  readonly subscriptions: readonly SubscriptionView[];
  readonly none: readonly string[];
  readonly more: readonly number[];
}

interface SubscriptionView {
  readonly id: string;
  readonly connector: string;
  readonly owner: string;
  readonly url: string;
  readonly entity: string;
  readonly filter: string;
  readonly fields: string;
  readonly state: string;
  readonly level: string;
  readonly outcome: string;
  readonly place: string;
  readonly last: readonly ShownTime[];
  readonly next: readonly ShownTime[];
  readonly isActive: boolean;
  /** Only its owner changes it, or sees a new secret. */
  readonly isOwn: boolean;
}

/** Subscriptions that the page shows: those that deliver nothing first. */
const mostShown = 200;

export function subscriptionsView(all: readonly SentChanges[], { id: viewer }: Caller, now = Date.now()): SubscriptionsView {
  const rank = (one: SentChanges) => (isStopped(one) ? 0 : one.failures > 0 ? 1 : 2);
  const sorted = all.toSorted((one, other) => rank(one) - rank(other));
  return {
    subscriptions: sorted.slice(0, mostShown).map((one): SubscriptionView => {
      const { id, connector_id: connector, owner, url, entity, filter, fields, state, reason, failures, redelivery } = one;
      return {
        id,
        connector,
        owner,
        url,
        entity: entity?.join(", ") ?? "",
        filter: filter === undefined ? "" : JSON.stringify(filter),
        fields: fields === undefined ? "" : JSON.stringify(fields),
        state: reason === null ? state : `${state} (${reason})`,
        level: isStopped(one) ? "failed" : failures > 0 ? "stale" : "fine",
        outcome: one.last_outcome === null ? "nothing sent yet" : `last response ${one.last_outcome}`,
        place: `before change ${count(one.position)}${redelivery === null ? "" : ", sending again"}${failures === 0 ? "" : `, ${count(failures)} failures in a row`}`,
        last: timeOf(one.last_delivery_at, now),
        next: timeOf(one.next_attempt_at, now),
        isActive: state === "active",
        isOwn: owner === viewer,
      };
    }),
    none: all.length === 0 ? ["There are no webhooks yet."] : [],
    more: all.length > mostShown ? [all.length - mostShown] : [],
  };
}

/** Whether it delivers nothing, and its owner has not paused it. */
function isStopped({ state, reason }: SentChanges): boolean {
  return state !== "active" && reason !== "by_owner";
}

/** What is wrong with subscriptions. */
export function subscriptionTroubles(all: readonly SentChanges[], now = Date.now()): TroubleView[] {
  return all
    .filter((one) => isStopped(one) || one.failures > 0)
    .map((one): TroubleView => {
      const { id, connector_id: instance, reason, failing_since: since, last_outcome: outcome } = one;
      const stopped = isStopped(one);
      return {
        instance,
        scope: id,
        level: stopped ? "failed" : "stale",
        what: stopped ? "A webhook to a receiver has ended" : "The receiver of a webhook fails",
        sinceWhat: "since",
        since: timeOf(since, now),
        never: [],
        advice: stopped
          ? `Reason: ${reason ?? "unknown"}. See to it, then resume or delete it on its page.`
          : `The last response was ${outcome ?? "none"}. Nothing is lost: it is tried again for a day.`,
        href: subscriptionsPath,
      };
    });
}
