import { withEnvironment } from "./connector-client.ts";
import { HostedTransport } from "./hosted.ts";
import type { HostedOptions } from "./options.ts";

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

/** Changes of cached records that a service sends to an address. Times are ISO 8601. */
export interface WebhookSubscription {
  readonly id: string;
  readonly connector_id: string;
  readonly owner: string;
  readonly url: string;
  readonly entity: readonly string[] | null;
  readonly filter?: unknown;
  readonly fields?: unknown;
  readonly state: "active" | "paused" | "disabled";
  readonly reason: string | null;
  readonly position: number;
  readonly redelivery: { readonly from: number; readonly to: number } | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly failures: number;
  readonly failing_since: string | null;
  readonly next_attempt_at: string | null;
  readonly last_delivery_at: string | null;
  readonly last_outcome: string | null;
}

/** A subscription with its secret, which is shown once. */
export interface NewWebhookSubscription extends WebhookSubscription {
  /** `whsec_…`, with which a library for Standard Webhooks verifies deliveries. */
  readonly secret: string;
}

/** Milliseconds that one call may take. */
const usualTimeout = 60_000;

/** The subscriptions of a service. All methods throw {@link CallError}. */
export class WebhookSubscriptions {
  readonly #transport: HostedTransport;

  /** @param options as of a client in hosted mode; what they leave open comes from the environment */
  constructor(options: HostedOptions = {}) {
    this.#transport = new HostedTransport("", withEnvironment(options));
  }

  /** @param cursor where delivery begins: a cursor of the changes; absent for changes from now on */
  create(connectorId: string, content: WebhookSubscriptionContent, cursor?: string): Promise<NewWebhookSubscription> {
    return this.#call("POST", "", { connector_id: connectorId, ...content, ...(cursor === undefined ? {} : { cursor }) });
  }

  /** The caller's own, the oldest first; with the right `admin` those of others too. */
  list(): Promise<readonly WebhookSubscription[]> {
    return this.#call("GET", "");
  }

  get(id: string): Promise<WebhookSubscription> {
    return this.#call("GET", pathOf(id));
  }

  /** Members that are absent stay. `state` pauses and resumes. */
  update(
    id: string,
    change: Partial<WebhookSubscriptionContent> & { readonly state?: "active" | "paused" },
  ): Promise<WebhookSubscription> {
    return this.#call("PATCH", pathOf(id), change);
  }

  remove(id: string): Promise<{ readonly id: string; readonly deleted: true }> {
    return this.#call("DELETE", pathOf(id));
  }

  /** Replaces the secret. @param overlapHours for which the former one signs too; usually 24 */
  rotate(id: string, overlapHours?: number): Promise<NewWebhookSubscription> {
    return this.#call("POST", `${pathOf(id)}/rotate`, overlapHours === undefined ? {} : { overlap_hours: overlapHours });
  }

  /**
   * Delivers changes once more.
   *
   * @param from `webhook-id` or sequence number of the first, or the cursor of the one before it
   * @param to of the last; absent for all since then
   */
  redeliver(id: string, from: string | number, to?: string | number): Promise<WebhookSubscription> {
    return this.#call("POST", `${pathOf(id)}/redeliver`, to === undefined ? { from } : { from, to });
  }

  async #call<Found>(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object): Promise<Found> {
    const address = `/api/v1/subscriptions${path}`;
    const { data } = await this.#transport.call(method, address, body, AbortSignal.timeout(usualTimeout));
    return data as Found;
  }
}

function pathOf(id: string): string {
  return `/${encodeURIComponent(id)}`;
}
