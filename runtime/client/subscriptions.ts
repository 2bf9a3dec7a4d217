import type { WebhookSubscription } from "../contract/subscription.ts";
import { ServiceObjects } from "./service-objects.ts";

/** What is sent to which address. */
export interface WebhookSubscriptionContent {
  /** https address in a public network. */
  readonly url: string;
  /** An entity or several; null or absent for all that the owner may read. */
  readonly entity?: string | readonly string[] | null;
  /** Conditions as in cached search; needs one entity. */
  readonly filter?: unknown;
  /** Fields of the present record to send along; needs one entity. */
  readonly fields?: unknown;
}

/** A subscription with its secret, which is shown once. */
export interface NewWebhookSubscription extends WebhookSubscription {
  /** `whsec_…`, with which a library for Standard Webhooks verifies deliveries. */
  readonly secret: string;
}

/** The subscriptions of a service. All methods throw {@link CallError}. */
export class WebhookSubscriptions extends ServiceObjects {
  protected override readonly path = "/api/v1/subscriptions";

  /** @param cursor where delivery begins: a cursor of the changes; absent for changes from now on */
  create(connectorId: string, content: WebhookSubscriptionContent, cursor?: string): Promise<NewWebhookSubscription> {
    return this.call("POST", "", { connector_id: connectorId, ...content, ...(cursor === undefined ? {} : { cursor }) });
  }

  /** The caller's own, the oldest first; with the right `admin` those of others too. */
  list(): Promise<readonly WebhookSubscription[]> {
    return this.call("GET", "");
  }

  get(id: string): Promise<WebhookSubscription> {
    return this.call("GET", this.pathOf(id));
  }

  /** Members that are absent stay. `state` pauses and resumes. */
  update(
    id: string,
    change: Partial<WebhookSubscriptionContent> & { readonly state?: "active" | "paused" },
  ): Promise<WebhookSubscription> {
    return this.call("PATCH", this.pathOf(id), change);
  }

  remove(id: string): Promise<{ readonly id: string; readonly deleted: true }> {
    return this.call("DELETE", this.pathOf(id));
  }

  /** Replaces the secret. @param overlapHours for which the former one signs too; usually 24 */
  rotate(id: string, overlapHours?: number): Promise<NewWebhookSubscription> {
    return this.call("POST", `${this.pathOf(id)}/rotate`, overlapHours === undefined ? {} : { overlap_hours: overlapHours });
  }

  /**
   * Delivers changes once more.
   *
   * @param from `webhook-id` or sequence number of the first, or the cursor of the one before it
   * @param to of the last; absent for all since then
   */
  redeliver(id: string, from: string | number, to?: string | number): Promise<WebhookSubscription> {
    return this.call("POST", `${this.pathOf(id)}/redeliver`, to === undefined ? { from } : { from, to });
  }
}
