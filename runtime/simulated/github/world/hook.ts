import type { HookEvent, HookSnapshot } from "../webhook-events.ts";
import type { Repository } from "./repository.ts";

/** A webhook of a repository. */
export interface Hook {
  readonly id: number;
  readonly repository: Repository;
  config: { readonly url: string; readonly content_type: string; readonly secret: string | undefined };
  events: readonly string[];
  active: boolean;
  readonly createdAt: string;
  updatedAt: string;
  lastStatus: number | null;
  /** The newest first. */
  deliveries: HookDelivery[];
  /** What was there when the webhook was last called: the next call has what has changed since. */
  seen: HookSnapshot;
}

/** What was sent to a webhook, and what came of it. */
export interface HookDelivery {
  readonly id: number;
  /** The header `X-GitHub-Delivery`: a delivery that is sent again has the same. */
  readonly guid: string;
  readonly event: HookEvent;
  readonly redelivery: boolean;
  /** Milliseconds since 1970. */
  readonly deliveredAt: number;
  /** Seconds. */
  readonly duration: number;
  /** HTTP status with which the address responded; 0 for none. */
  readonly status: number;
}
